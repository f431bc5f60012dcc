"""What a story model does with its context tools inside a turn: what it asks for, how often it may, what is told of it.

Limits are counted on the path, so they too follow the branch.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from liyuan.domain.context_tools import CHECKOUT, LOG, TAG
from liyuan.domain.entry import BRANCH_SUMMARY, Entry, EntryId

# Each call costs another request with the whole prompt: enough for a look, a tag and a checkout, twice.
CALLS_A_TURN: Final = 6
# After one the context is as the model wished it; whoever wants another at once is going in circles.
CHECKOUTS_A_TURN: Final = 1
# A reader should be able to play in one place for a while, and what was filed away needs turns to come to something.
TURNS_BETWEEN_CHECKOUTS: Final = 4
# Answers to a model in one turn, the last with words alone; a model that calls on regardless is stopped here.
ANSWERS_A_TURN: Final = CALLS_A_TURN + 2

#: The `source` in the data of a branch summary that the story model left by a checkout.
BY_MODEL: Final = "model"

NO_SUCH_TOOL: Final = "There is no tool “{name}”. The tools are context_tag, context_log and context_checkout."
NO_ARGUMENTS: Final = (
    "These arguments cannot be used: {what} Call the tool again with a JSON object that fits its schema."
)
NO_MORE_CALLS: Final = "Not done: {limit} calls in one turn are the most. Answer the reader now, in the story."
NO_MORE_CHECKOUTS: Final = "Not done: one checkout in a turn is the most. Answer the reader now, in the story."
TOO_SOON: Final = (
    "Not done: the last checkout was {turns} of the reader's turns ago, and two are at least {limit} apart. Tag this "
    "place instead, and go on with the story."
)
NOT_WHEN_RETOLD: Final = (
    "Not done: this reply is told another way in the same place, so there can be no checkout. Answer the reader now."
)


ANSWERED_THERE: Final = (
    "Not done: that place lies below the words that you are answering. Check out to a place above them, or answer."
)
NOT_DONE: Final = "Not done: {reason}"
TAGGED: Final = "Done: “{name}” now stands for {entry_id}."
TAGGED_ALREADY: Final = "“{name}” stands for {entry_id} already."
CHECKED_OUT: Final = "Done. Answer the reader's last words now."
CUT: Final = "… cut to fit your context; ask for a shorter stretch, by `from` and `to` or with a smaller `limit`."


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class TagCall(_Arguments):
    """`context_tag`: without `entry` the place where the model is."""

    name: str
    entry: str | None = None


class LogCall(_Arguments):
    """`context_log`."""

    limit: int = Field(40, ge=1, le=500)
    first: str | None = Field(None, alias="from")
    last: str | None = Field(None, alias="to")


class CheckoutCall(_Arguments):
    """`context_checkout`."""

    target: str
    message: str
    backup_tag: str | None = None


ContextCall: TypeAlias = TagCall | LogCall | CheckoutCall
_CALLS: Final[Mapping[str, type[TagCall] | type[LogCall] | type[CheckoutCall]]] = {
    TAG: TagCall,
    LOG: LogCall,
    CHECKOUT: CheckoutCall,
}


class Misused(Exception):
    """A call that cannot be carried out. Its words are for the model, in English."""


def parse_call(name: str, arguments: str) -> ContextCall:
    """Reads a call as a model wrote it. Raises Misused, with what to write instead."""
    kind = _CALLS.get(name)
    if kind is None:
        raise Misused(NO_SUCH_TOOL.format(name=name))
    try:
        given = json.loads(arguments or "{}")
    except ValueError as error:
        raise Misused(NO_ARGUMENTS.format(what="the arguments are not JSON.")) from error
    if not isinstance(given, dict):
        raise Misused(NO_ARGUMENTS.format(what="the arguments are no JSON object."))
    try:
        # Models fill in what they leave out as null or as nothing.
        return kind.model_validate({key: value for key, value in given.items() if value not in (None, "")})
    except ValidationError as error:
        faults = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}." for one in error.errors())
        raise Misused(NO_ARGUMENTS.format(what=" ".join(faults))) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of a tool that was carried out, as the reply's data tells of it.

    `entry_id` is what was tagged, or the note that a checkout left; `name` the tag, or where the checkout went.
    `from_id` is the leaf that a checkout left.
    """

    tool: str
    name: str = ""
    entry_id: EntryId | None = None
    from_id: EntryId | None = None
    backup_tag: str | None = None


def use_data(use: Use) -> dict[str, Any]:
    """A use as JSON; what it does not have is left out."""
    return {key: value for key, value in asdict(use).items() if value}


def uses_of(told: object) -> tuple[Use, ...]:
    """The uses that a reply's data tells of. What cannot be read is passed over."""
    found = told if isinstance(told, list) else []
    known = Use.__dataclass_fields__
    texts = (
        {key: one[key] for key in known if isinstance(one.get(key), str)} for one in found if isinstance(one, dict)
    )
    return tuple(Use(**one) for one in texts if one.get("tool") in _CALLS)


def refusal_of_checkout(path: Iterable[Entry], uses: Iterable[Use], turn: int, *, is_retold: bool) -> str | None:
    """Why there can be no checkout now, None when there can. `path` is its end, `turn` the turn that is answered."""
    if is_retold:
        return NOT_WHEN_RETOLD
    if sum(use.tool == CHECKOUT for use in uses) >= CHECKOUTS_A_TURN:
        return NO_MORE_CHECKOUTS
    last = max((entry.place.turn for entry in path if is_filed(entry)), default=None)
    # The note stands one turn above the words that were answered then.
    turns = turn - last - 1 if last is not None else TURNS_BETWEEN_CHECKOUTS
    return TOO_SOON.format(turns=turns, limit=TURNS_BETWEEN_CHECKOUTS) if turns < TURNS_BETWEEN_CHECKOUTS else None


def is_filed(entry: Entry) -> bool:
    """Whether an entry is the note of a model's checkout: what it tells has happened, though its way was left."""
    return entry.kind == BRANCH_SUMMARY and entry.data.get("source") == BY_MODEL
