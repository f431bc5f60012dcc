"""The editor of a character as a value. Saving it without a change changes nothing, not even a line end."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import cast

from starlette.datastructures import FormData

from liyuan.domain.card import Card, CardFields
from liyuan.web.fields import plain_lines, text, texts

MOST_GREETINGS = 200
_ACT = re.compile(r"(add|remove|up|down)(?:-(\d{1,3}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CardForm:
    """What the editor shows. `tags` are separated by commas."""

    name: str = ""
    nickname: str = ""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    first_message: str = ""
    alternate_greetings: tuple[str, ...] = ()
    example_dialogue: str = ""
    system_prompt: str = ""
    post_history_instructions: str = ""
    tags: str = ""
    creator: str = ""
    creator_notes: str = ""
    character_version: str = ""


TEXTS = tuple(field.name for field in fields(CardForm) if field.name not in ("alternate_greetings", "tags"))


def form_of_card(card: Card) -> CardForm:
    written = {name: plain_lines(getattr(card, name)) for name in TEXTS}
    greetings = tuple(map(plain_lines, card.alternate_greetings))
    return CardForm(**written, alternate_greetings=greetings, tags=", ".join(card.tags))


def form_of_fields(form: FormData) -> CardForm:
    """The editor as it was sent."""
    written = {name: text(form, name) for name in TEXTS}
    greetings = texts(form, "alternate_greetings")[:MOST_GREETINGS]
    return CardForm(**written, alternate_greetings=greetings, tags=text(form, "tags"))


def changes(card: Card, form: CardForm) -> CardFields:
    """The fields in which the form differs from what it shows of the card."""
    before = form_of_card(card)
    changed: dict[str, object] = {
        name: getattr(form, name) for name in TEXTS if getattr(form, name) != getattr(before, name)
    }
    greetings = tuple(one for one in form.alternate_greetings if one.strip())
    if greetings != before.alternate_greetings:
        changed["alternate_greetings"] = greetings
    if form.tags != before.tags:
        changed["tags"] = separate(form.tags)
    return cast(CardFields, changed)


def rearranged(form: CardForm, act: str) -> CardForm | None:
    """The form after a button of its list of greetings: `add`, `remove-2`, `up-2`, `down-2`; None for other words."""
    if not (match := _ACT.fullmatch(act)):
        return None
    greetings = list(form.alternate_greetings)
    verb, at = match[1], int(match[2] or 0)
    if verb == "add":
        greetings.append("")
    elif at < len(greetings):
        greeting = greetings.pop(at)
        if verb != "remove":
            greetings.insert(max(0, at - 1) if verb == "up" else at + 1, greeting)
    return replace(form, alternate_greetings=tuple(greetings[:MOST_GREETINGS]))


def separate(tags: str) -> tuple[str, ...]:
    """Tags as a person writes them: between commas of any script, each once."""
    parts = (part.strip() for part in re.split("[,，、;；\n]", tags))
    return tuple(dict.fromkeys(part for part in parts if part))
