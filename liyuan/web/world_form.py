"""From a form of the World panel to a patch. What it says is not judged here: the ledger does that, and tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import FormData

from liyuan.domain.errors import Invalid
from liyuan.domain.fields import Field
from liyuan.domain.world import RELATIONSHIP_KEYS, Json
from liyuan.play.world import Ledger
from liyuan.web.fields import text

NO_SUCH_PART = "This cannot be done: the world has no part called {part}."
#: How people write true and false, in either language.
TRUTHS = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}


def patch_of(form: FormData, ledger: Ledger) -> Json:
    """The patch that a form asks for. `remove` takes the thing away. Raises Invalid for a form of nothing we know."""
    part, name = text(form, "part"), text(form, "name").strip()
    is_removed = "remove" in form
    section, _, kind = part.partition(".")
    match section:
        case "time" | "location":
            return {section: text(form, "value").strip()}
        case "inventory" | "plot_threads":
            return {section: _lines(text(form, "value"))}
        case "own":
            return {"custom": {name: None if is_removed else _own(text(form, "value"), name, ledger)}}
        case "flag":
            return {"flags": {name: None if is_removed else _plain(text(form, "value"))}}
        case "person":
            return {"characters": {name: None if is_removed else _person(form)}}
        case "roster":
            return {"roster": {kind: {name: None if is_removed else text(form, "value").strip()}}}
        case "bond":
            return {"relationships": _bonds(form, ledger, is_removed=is_removed)}
    raise Invalid(NO_SUCH_PART, part=part)


def _person(form: FormData) -> Json:
    """What the form says of a person; a field that it does not have stays as it is."""
    said: Json = {key: text(form, key).strip() for key in ("status", "notes") if key in form}
    if text(form, "affinity").strip():
        said["affinity"] = _number(text(form, "affinity"))
    return said


def _bonds(form: FormData, ledger: Ledger, *, is_removed: bool) -> list[Json]:
    """All relationships with the one of the form in its place, for a patch replaces them whole."""
    known = [_bond(one) for one in ledger.standing.snapshot.state.relationships]
    asked = {key: text(form, key).strip() for key in RELATIONSHIP_KEYS if key != "affinity"}
    mine: Json = {**asked, "affinity": _number(text(form, "affinity") or "0")}
    place = next((at for at, one in enumerate(known) if (one["a"], one["b"]) == (mine["a"], mine["b"])), len(known))
    return [*known[:place], *([] if is_removed else [mine]), *known[place + 1 :]]


def _bond(known: Any) -> Json:
    return {key: getattr(known, key) for key in RELATIONSHIP_KEYS}


def _own(value: str, name: str, ledger: Ledger) -> Any:
    """A declared field's value by its type."""
    declared: Mapping[str, Field] = {field.name: field for field in ledger.declared.fields}
    field = declared.get(name)
    if field is not None and field.type == "list":
        return _lines(value)
    return _number(value) if field is not None and field.is_number else value.strip()


def _plain(value: str) -> Any:
    """A flag's value: true, false, a number, else the text."""
    value = value.strip()
    return TRUTHS[value.lower()] if value.lower() in TRUTHS else _number(value)


def _number(value: str) -> Any:
    """The number, whole where it is; a text that is none stays, and the ledger says what it makes of it."""
    value = value.strip().replace("−", "-")
    try:
        number = float(value)
    except ValueError:
        return value
    if number != number or abs(number) > 1e15:
        return value
    return int(number) if number == int(number) else number


def _lines(value: str) -> list[str]:
    return [line.strip() for line in value.split("\n") if line.strip()]
