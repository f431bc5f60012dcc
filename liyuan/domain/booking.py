"""One patch going into a draft of the world, field by field. What cannot be booked stays as it was, with a note."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final

from liyuan.domain import values
from liyuan.domain.change import pair
from liyuan.domain.fields import Field
from liyuan.domain.names import clean, fold, one_line, spelling
from liyuan.domain.values import Notes
from liyuan.domain.world import (
    CHARACTER_KEYS,
    FIELDS,
    HIGHEST_AFFINITY,
    LOWEST_AFFINITY,
    RELATIONSHIP_KEYS,
    ROSTERS,
    Json,
)

NOT_A_PATCH = "The changes must be one object with fields, not {value}. Nothing was booked."
UNKNOWN_FIELD = "There is no field “{field}”; it was not booked. Write one of: {known}."
NULL_FIELD = "“{field}” was null and stays as it was. Leave out what has not changed; to empty it, write {example}."
NULL_NAMES = "“{field}” was null and stays as it was. To take one of them away, set its own name to null."
NO_NAME = "“{field}” has an entry without a name. It was left out. Write who or what it is."
NOTHING_TO_DELETE = "“{field}” was to be taken away, but it is not there. Nothing was changed."
ONE_PERSON_TWICE = "“{other}” and “{name}” are one and the same. All was booked under “{name}”."
NO_PAIR = "Item {number} of “{field}” does not name two people. It was left out. Write {example}."
NOT_PAIRS = (
    "“{field}” must be a list of objects, not {value}. It stays as it was. Write all of it, such as [{example}]."
)
NO_PAIR_LEFT = "No item of “{field}” could be read. The list stays as it was. Write objects, such as [{example}]."
PAIR_TWICE = "“{field}” names the pair {pair} twice. The later one was booked."
ROSTER_KEEPS = "“{field}” stays: the roster keeps everything that ever appeared."

AFFINITY_LIMITS: Final = (LOWEST_AFFINITY, HIGHEST_AFFINITY)
CHARACTERS_EXAMPLE: Final = '{"…": {"affinity": 40, "status": "…"}}'
FLAGS_EXAMPLE: Final = '{"…": true}'
ROSTER_EXAMPLE: Final = '{"items": {"…": "…"}}'
PAIR_EXAMPLE: Final = '{"a": "…", "b": "…", "relation": "…"}'
EMPTIED: Final = {"time": '""', "location": '""', "inventory": "[]", "plot_threads": "[]", "relationships": "[]"}


class Booking:
    """Books into `draft`, the tree of a world (`change.tree_of`). `forgets` tells whether the roster may lose names."""

    def __init__(self, draft: Json, fields: Iterable[Field], *, forgets: bool, notes: Notes) -> None:
        self.draft = draft
        self.notes = notes
        self._forgets = forgets
        self._met: list[str] = []
        self._declared = {fold(field.name): field for field in fields}
        self._book: Mapping[str, Callable[[str, Any], None]] = {
            "time": self._text,
            "location": self._text,
            "characters": self._characters,
            "inventory": self._texts,
            "flags": self._flags,
            "plot_threads": self._texts,
            "relationships": self._relationships,
            "roster": self._roster,
            "custom": self._custom,
        }

    def book(self, patch: object) -> None:
        """Everything in the patch that can be booked."""
        if not isinstance(patch, Mapping):
            self.notes.add(NOT_A_PATCH, value=values.shown(patch))
            return
        for key, value in patch.items():
            self._one(spelling(key, FIELDS), value)

    def _one(self, key: str, value: Any) -> None:
        if key not in self._book:
            self._declared_field(key, value)
        elif value is None:
            self._null(key)
        else:
            self._book[key](key, value)

    def _null(self, key: str) -> None:
        if key in EMPTIED:
            self.notes.add(NULL_FIELD, field=key, example=EMPTIED[key])
        else:
            self.notes.add(ROSTER_KEEPS if key == "roster" else NULL_NAMES, field=key)

    def _text(self, key: str, value: object) -> None:
        read = values.text(value, key, self.notes)
        if read is not None:
            self.draft[key] = read

    def _texts(self, key: str, value: object) -> None:
        read = values.texts(value, key, self.notes)
        if read is not None:
            self.draft[key] = read

    def _characters(self, key: str, value: object) -> None:
        people = values.mapping(value, key, CHARACTERS_EXAMPLE, self.notes) or {}
        seen: dict[str, str] = {}
        for told, change in people.items():
            name = self._name(told, key, self._people(), seen)
            if name and change is None:
                self._delete(self.draft["characters"], name, f"{key}.{name}")
            elif name:
                self._character(name, change)

    def _character(self, name: str, change: object) -> None:
        path = f"characters.{name}"
        fields = values.mapping(change, path, '{"status": "…"}', self.notes)
        if fields is None:
            return
        known = self.draft["characters"].setdefault(name, {"affinity": 0, "status": "", "notes": ""})
        for told, value in fields.items():
            key = spelling(told, (*CHARACTER_KEYS, *known))
            if not key:
                self.notes.add(NO_NAME, field=path)
            elif key == "affinity":
                self._affinity(known, value, f"{path}.{key}")
            elif key in CHARACTER_KEYS:
                self._told(known, key, "" if value is None else value, f"{path}.{key}")
            else:
                self._detail(known, key, value, f"{path}.{key}")

    def _told(self, known: Json, key: str, value: object, path: str) -> None:
        read = values.text(value, path, self.notes)
        if read is not None:
            known[key] = read

    def _affinity(self, known: Json, value: object, path: str) -> None:
        value = 0 if value is None else value
        now = known.get("affinity", 0)
        read = values.number(value, path, self.notes, now=now, limits=AFFINITY_LIMITS)
        if read is not None:
            known["affinity"] = values.whole(read, path, self.notes)

    def _detail(self, known: Json, key: str, value: object, path: str) -> None:
        """Any further key of a character: a plain value or a list of texts; null takes it away."""
        if value is None:
            self._delete(known, key, path)
            return
        read = values.texts(value, path, self.notes) if isinstance(value, list) else self._plain(value, path)
        if read is not None:
            known[key] = read

    def _plain(self, value: object, path: str) -> object:
        return values.plain(value, path, self.notes)

    def _flags(self, key: str, value: object) -> None:
        flags, seen = values.mapping(value, key, FLAGS_EXAMPLE, self.notes) or {}, dict[str, str]()
        for told, flag in flags.items():
            name = self._name(told, key, self.draft[key], seen)
            if name and flag is None:
                self._delete(self.draft[key], name, f"{key}.{name}")
            elif name:
                read = self._plain(flag, f"{key}.{name}")
                if read is not None:
                    self.draft[key][name] = read

    def _relationships(self, key: str, value: object) -> None:
        if not isinstance(value, list):
            self.notes.add(NOT_PAIRS, field=key, value=values.shown(value), example=PAIR_EXAMPLE)
            return
        kept: Json = {}
        for number, item in enumerate(value, start=1):
            read = self._relationship(item, f"{key}.{number}", number)
            if read and pair(read) in kept:
                self.notes.add(PAIR_TWICE, field=key, pair=pair(read))
            if read:
                kept[pair(read)] = read
        if value and not kept:
            self.notes.add(NO_PAIR_LEFT, field=key, example=PAIR_EXAMPLE)
            return
        self.draft[key] = kept

    def _relationship(self, item: object, path: str, number: int) -> Json | None:
        raw = item if isinstance(item, Mapping) else {}
        told = {spelling(key, RELATIONSHIP_KEYS): value for key, value in raw.items()}
        a, b = self._person(told.get("a")), self._person(told.get("b"))
        if not a or not b or a == b:
            self.notes.add(NO_PAIR, field="relationships", number=number, example=PAIR_EXAMPLE)
            return None
        before = self.draft["relationships"].get(pair({"a": a, "b": b}), {})
        affinity = before.get("affinity", 0) if "affinity" in told else 0
        read: Json = {"a": a, "b": b, "relation": "", "affinity": affinity, "note": ""}
        for key, value in told.items():
            if key not in RELATIONSHIP_KEYS:
                self.notes.add(UNKNOWN_FIELD, field=f"{path}.{key}", known=", ".join(RELATIONSHIP_KEYS))
            elif key == "affinity":
                self._affinity(read, value, f"{path}.{key}")
            elif key in ("relation", "note"):
                self._told(read, key, "" if value is None else value, f"{path}.{key}")
        return read

    def _person(self, told: object) -> str:
        name = spelling(told, self._people()) if isinstance(told, str) else ""
        self._met.append(name)
        return name

    def _people(self) -> tuple[str, ...]:
        """Every name a person may have been booked under, the first spelling first."""
        return (*self.draft["characters"], *self.draft["roster"]["characters"], *filter(None, self._met))

    def _roster(self, key: str, value: object) -> None:
        sections = values.mapping(value, key, ROSTER_EXAMPLE, self.notes) or {}
        for told, lines in sections.items():
            section = spelling(told, ROSTERS)
            if section not in ROSTERS:
                self.notes.add(UNKNOWN_FIELD, field=f"{key}.{section}", known=", ".join(ROSTERS))
            elif lines is None:
                self.notes.add(ROSTER_KEEPS, field=f"{key}.{section}")
            else:
                self._lines(section, lines)

    def _lines(self, section: str, value: object) -> None:
        path, kept = f"roster.{section}", self.draft["roster"][section]
        lines, seen = values.mapping(value, path, '{"…": "…"}', self.notes) or {}, dict[str, str]()
        known = self._people() if section == "characters" else tuple(kept)
        for told, line in lines.items():
            name = self._name(told, path, known, seen)
            if name and line is None:
                self._forget(kept, name, f"{path}.{name}")
            elif name:
                read = values.text(line, f"{path}.{name}", self.notes)
                if read is not None:
                    kept[name] = one_line(read)

    def _forget(self, kept: Json, name: str, path: str) -> None:
        if self._forgets:
            self._delete(kept, name, path)
        else:
            self.notes.add(ROSTER_KEEPS, field=path)

    def _custom(self, key: str, value: object) -> None:
        fields = values.mapping(value, key, '{"…": "…"}', self.notes) or {}
        for told, inner in fields.items():
            self._declared_field(clean(told), inner)

    def _declared_field(self, key: str, value: object) -> None:
        field = self._declared.get(fold(key))
        if field is None:
            self._undeclared(key, value)
        elif value is None:
            self.notes.add(NULL_FIELD, field=field.name, example="[]" if field.type == "list" else '""')
        else:
            read = self._of_type(field, value)
            if read is not None:
                self.draft["custom"][field.name] = read

    def _undeclared(self, key: str, value: object) -> None:
        """A field the card declared once may still be taken away; everything else is unknown."""
        name = spelling(key, self.draft["custom"])
        if value is None and name in self.draft["custom"]:
            del self.draft["custom"][name]
            return
        known = (*FIELDS[:-1], *(field.name for field in self._declared.values()))
        self.notes.add(UNKNOWN_FIELD, field=key[: values.SHOWN], known=", ".join(known))

    def _of_type(self, field: Field, value: object) -> object:
        if field.type == "list":
            return values.texts(value, field.name, self.notes)
        if not field.is_number:
            return values.text(value, field.name, self.notes)
        now = self.draft["custom"].get(field.name, 0)
        now = now if isinstance(now, int | float) else 0
        return values.number(value, field.name, self.notes, now=now, limits=(field.min, field.max))

    def _name(self, told: str, path: str, known: Collection[str], seen: dict[str, str]) -> str:
        """The spelling under which this name is booked; empty, with a note, when there is none."""
        name = spelling(told, known)
        name = name if name in known else one_line(name)
        if not name:
            self.notes.add(NO_NAME, field=path)
        elif fold(name) in seen:
            self.notes.add(ONE_PERSON_TWICE, other=clean(told), name=name)
        seen[fold(name)] = told
        return name

    def _delete(self, held: Json, name: str, path: str) -> None:
        if name in held:
            del held[name]
        else:
            self.notes.add(NOTHING_TO_DELETE, field=path)
