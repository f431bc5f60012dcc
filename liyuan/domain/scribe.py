"""What to ask the scribe and how to read the answer. The answer may be clumsy; it is never guessed (semantics §3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from liyuan.domain.card import Language
from liyuan.domain.errors import ModelFailed
from liyuan.domain.fields import Field
from liyuan.domain.history import Line
from liyuan.domain.loose_json import Found, Search, search
from liyuan.domain.names import fold
from liyuan.domain.placeholders import Cast, Messages, asked, told, without_thoughts
from liyuan.domain.scribe_phrases import SCRIBE_PHRASES, ScribePhrases
from liyuan.domain.values import neat
from liyuan.domain.world import FIELDS, Json, WorldState, world_to_json

Reason: TypeAlias = Literal["empty", "no-object", "cut-off", "malformed"]

PLACEHOLDERS: Final = ("char", "user", "fields", "names", "roster", "world", "story")

ANSWER_EMPTY = "The scribe's answer was empty. The story is whole, and the next turn accounts for this one too."
ANSWER_NO_OBJECT = (
    "The scribe's answer holds nothing that can be booked. The story is whole, and the next turn accounts for this "
    "one too."
)
ANSWER_CUT_OFF = (
    "The scribe's answer was cut off before anything in it was complete. Allow longer answers for the scribe's model. "
    "The story is whole, and the next turn accounts for this one too."
)
ANSWER_MALFORMED = (
    "The scribe's answer makes no sense near “{near}”. The story is whole, and the next turn accounts for this one too."
)
_ANSWERS: Final[Mapping[Reason, str]] = {
    "empty": ANSWER_EMPTY,
    "no-object": ANSWER_NO_OBJECT,
    "cut-off": ANSWER_CUT_OFF,
    "malformed": ANSWER_MALFORMED,
}
_WRAPPERS: Final = frozenset({"patch", "changes", "world", "state", "ledger"})
_QUOTED: Final = 4000


class UnreadableAnswer(ModelFailed):
    """No patch can be made of the answer. Worth one retry that shows the model its error, then a visible failure."""

    def __init__(self, *, reason: Reason, near: str = "") -> None:
        super().__init__(_ANSWERS[reason], kind="unreadable", near=near)
        self.reason: Reason = reason
        self.near = near


@dataclass(frozen=True, slots=True)
class Answer:
    """The patch, and whether the answer was `whole`. Of one that was cut off the complete part is here."""

    patch: Json
    whole: bool = True


def default_instruction(language: Language) -> str:
    """The text a person finds on the settings page, with its placeholders."""
    return SCRIBE_PHRASES[language].instruction


def scribe_prompt(
    world: WorldState,
    unread: Sequence[Line],
    *,
    cast: Cast,
    fields: Collection[Field] = (),
    language: Language = "en",
    instruction: str | None = None,
) -> Messages:
    """The instruction, then what it works on. What a person's own instruction places itself is not told again."""
    words = SCRIBE_PHRASES[language]
    sections = (
        ("fields", words.fields, _described(fields, words)),
        ("names", words.names, _names(world, cast)),
        ("roster", words.roster, _roster(world)),
        ("world", words.world, _state(world)),
        ("story", words.story, told(unread, cast, language)),
    )
    return asked(instruction, words.instruction, sections, words.go, cast)


def retry_prompt(messages: Messages, answer: str, error: UnreadableAnswer, language: Language = "en") -> Messages:
    """The same question once more, with the answer that could not be read and what was wrong with it."""
    words = SCRIBE_PHRASES[language]
    reason = words.reasons[error.reason].replace("{near}", error.near)
    said: Messages = (("assistant", answer.strip()[:_QUOTED]),) if answer.strip() else ()
    return (*messages, *said, ("user", words.retry.replace("{reason}", reason)))


def portion(unread: Sequence[Line], count: Callable[[str], int], limit: int) -> tuple[Line, ...]:
    """The first messages that fit into `limit` tokens, at least one: a long story is caught up piece by piece."""
    taken, spent = 0, 0
    for line in unread:
        spent += count(line.text)
        if taken and spent > limit:
            break
        taken += 1
    return tuple(unread[:taken])


def parse_patch(answer: str, fields: Collection[Field] = ()) -> Answer:
    """The patch in an answer: fenced, led in by prose that contains braces, clumsy or cut off.

    Of several objects the last that names a field of the world counts. Raises UnreadableAnswer.
    """
    text = without_thoughts(answer)
    if not text:
        raise UnreadableAnswer(reason="empty")
    result = search(text)
    known = {fold(name) for name in (*FIELDS, *(field.name for field in fields))}
    found = _chosen(result, known)
    if not found.whole and not found.value:
        raise UnreadableAnswer(reason="cut-off")
    return Answer(_unwrapped(found.value, known), found.whole)


def _chosen(result: Search, known: Collection[str]) -> Found:
    objects = result.objects
    if objects and not objects[-1].whole:
        return objects[-1]
    speaking = [found for found in objects if _speaks(found.value, known)]
    if not speaking and result.trouble:
        raise UnreadableAnswer(reason="malformed", near=result.trouble.near)
    if not objects:
        raise UnreadableAnswer(reason="no-object")
    return (speaking or [found for found in objects if found.value] or objects)[-1]


def _speaks(value: Json, known: Collection[str]) -> bool:
    return any(fold(key) in known for key in _unwrapped(value, known))


def _unwrapped(value: Json, known: Collection[str]) -> Json:
    """The patch itself, where a model has put it under a name of its own."""
    if len(value) != 1:
        return value
    ((name, inner),) = value.items()
    return inner if fold(name) in _WRAPPERS - set(known) and isinstance(inner, dict) else value


def _described(fields: Collection[Field], words: ScribePhrases) -> str:
    return "\n".join(_line(field, words) for field in fields)


def _line(field: Field, words: ScribePhrases) -> str:
    limits = words.limits.get(_limits_of(field), "") if field.is_number else ""
    ends = {"min": neat(field.min or 0), "max": neat(field.max or 0)}
    kind = getattr(words, field.type) + limits.format(**ends)
    label = f" ({field.label})" if field.label not in ("", field.name) else ""
    return words.field.format(name=field.name, label=label, kind=kind, about=f" {field.about}" if field.about else "")


def _limits_of(field: Field) -> str:
    if field.min is not None and field.max is not None:
        return "both"
    return "min" if field.min is not None else "max" if field.max is not None else ""


def _names(world: WorldState, cast: Cast) -> str:
    """Everybody the ledger or the stage knows, once each, with the line of the roster for who is not present."""
    names: dict[str, str] = {}
    for name in (*world.names, cast.char, cast.user):
        names.setdefault(fold(name), name)
    absent = {name: line for name, line in world.roster.characters.items() if line and name not in world.characters}
    return "\n".join(f"- {name}: {absent[name]}" if name in absent else f"- {name}" for name in names.values())


def _roster(world: WorldState) -> str:
    sections = (("items", world.roster.items), ("events", world.roster.events))
    return "\n".join(f"{section}: {', '.join(names)}" for section, names in sections if names)


def _state(world: WorldState) -> str:
    """The ledger as JSON in the form of a patch: without the roster, declared fields beside the others, none empty."""
    state: dict[str, Any] = world_to_json(world)
    shown = {key: state[key] for key in FIELDS if key not in ("roster", "custom")} | dict(world.custom)
    return json.dumps({key: value for key, value in shown.items() if value not in ("", [], {})}, ensure_ascii=False)
