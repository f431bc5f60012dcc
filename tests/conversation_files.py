"""Conversation files made by hand or at random, for the tests of reading, planting, import and export."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from hypothesis import strategies as st

from liyuan.domain.conversation_file import ConversationFile, Cut, Header, Visit, written
from liyuan.domain.entry import ASSISTANT, MESSAGE, REVISION, SAVE, SETTING, STATE, USER, Draft, EntryId
from liyuan.domain.margin import DeletedSave, LineName, Margin, Restated, Tag

AT = "2026-01-31T12:00:00Z"


def message(key: str, parent: str | None, text: str = "", role: str = USER, **more: Any) -> Draft:
    """A message whose id is `key`; its text is the id unless told."""
    return Draft(
        id=EntryId(key),
        parent_id=EntryId(parent) if parent else None,
        role=role,
        text=text or key,
        created_at=AT,
        **more,
    )


def reply(key: str, parent: str | None, text: str = "", **more: Any) -> Draft:
    return message(key, parent, text, ASSISTANT, **more)


def visit(key: str | None, cause: str = "append") -> Visit:
    return Visit(entry_id=EntryId(key) if key else None, cause=cause, at=AT)


def as_text(file: ConversationFile) -> str:
    return "".join(written(file.header, file.entries, file.journal, file.cuts, file.margin, file.others))


def as_lines(text: str) -> list[bytes]:
    return list(BytesIO(text.encode()))


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | words
json_values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=5
)
extras = st.dictionaries(words.map("x-".__add__), json_values, max_size=2)
moments = st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z")
keys = st.integers(0, 2**40).map("{:012x}".format) | st.text("abcXYZ019-_", min_size=1, max_size=8)


@st.composite
def trees(draw: st.DrawFn, most: int = 12) -> list[Draft]:
    """A random forest as its entries, parents first. Only messages are roots."""
    made: list[Draft] = []
    for key in draw(st.lists(keys, max_size=most, unique=True)):
        parent = draw(st.none() | st.sampled_from([entry.id for entry in made])) if made else None
        kind = draw(st.sampled_from([MESSAGE, MESSAGE, MESSAGE, STATE, SAVE, SETTING, REVISION, "rp-unheard-of"]))
        made.append(draw(drafts(EntryId(key), parent, kind if parent else MESSAGE)))
    return made


def drafts(key: EntryId, parent: EntryId | None, kind: str) -> st.SearchStrategy[Draft]:
    speaks = kind in (MESSAGE, REVISION)
    return st.builds(
        Draft,
        id=st.just(key),
        parent_id=st.just(parent),
        kind=st.just(kind),
        role=st.sampled_from([USER, ASSISTANT]) if kind == MESSAGE else st.none(),
        text=words if speaks else st.none() | words,
        data=st.dictionaries(words, json_values, max_size=2)
        | st.fixed_dictionaries({"target_id": st.just(parent), "from_id": st.just(key)}),
        status=st.sampled_from(["complete", "interrupted"]),
        created_at=moments,
        extra=extras,
    )


names = words.map("N".__add__)
cards = st.builds(
    lambda known, more: dict(sorted({**more, **known}.items())),
    st.fixed_dictionaries({"name": names, "first_mes": words}),
    extras,
)
headers = st.builds(
    Header,
    id=keys,
    title=words,
    card=st.none() | st.fixed_dictionaries({"spec": st.just("chara_card_v2"), "data": cards}),
    persona=st.none() | st.builds(lambda name, words: {"name": name, "description": words}, names, words),
    created_at=moments,
    extra=extras,
)


@st.composite
def conversation_files(draw: st.DrawFn, most: int = 12) -> ConversationFile:
    """A sound file: header, tree, a journal that visits it, pruned parts, and lines that are only kept."""
    entries = draw(trees(most))
    ids = [entry.id for entry in entries]
    somewhere = st.sampled_from(ids) if ids else st.nothing()
    visits = st.builds(Visit, entry_id=st.none() | somewhere, cause=words, at=moments, extra=extras)
    cut_ids = draw(st.lists(somewhere, max_size=2, unique=True)) if ids else []
    cuts = [draw(st.builds(Cut, entry_id=st.just(key), leaf_id=somewhere, at=moments, extra=extras)) for key in cut_ids]
    others = st.fixed_dictionaries({"type": words.map("x-".__add__), "entry_id": words})
    return ConversationFile(
        header=draw(headers),
        entries=tuple(entries),
        journal=tuple(draw(st.lists(visits, max_size=8))),
        cuts=tuple(sorted(cuts, key=lambda cut: (cut.at, ids.index(cut.entry_id)))),
        margin=draw(margins(entries)) if ids else Margin(),
        others=tuple(draw(st.lists(others, max_size=3))) if ids else (),
    )


@st.composite
def margins(draw: st.DrawFn, entries: list[Draft]) -> Margin:
    """Tags, worldlines, and saves that were renamed or deleted, in the order in which we write them."""
    saved = [entry.id for entry in entries if entry.kind == SAVE]
    names = draw(st.lists(words.map("N".__add__), max_size=3, unique=True).map(sorted))
    lines = draw(st.lists(keys.map("w".__add__), max_size=2, unique=True).map(sorted))
    some = st.sampled_from(saved) if saved else st.nothing()
    renamed = draw(st.lists(some, max_size=2, unique=True)) if saved else []
    deleted = draw(st.lists(some, max_size=2, unique=True)) if saved else []
    return Margin(
        tags=tuple(
            Tag(name=name, entry_id=draw(st.sampled_from([entry.id for entry in entries])), extra=draw(extras))
            for name in names
        ),
        worldlines=tuple(LineName(id=key, name=draw(words.map("L".__add__)), extra=draw(extras)) for key in lines),
        saves=tuple(
            Restated(entry_id=key, save_id=key, name=draw(words.map("S".__add__)), worldline_id=key, extra=draw(extras))
            for key in sorted(renamed, key=saved.index)
        ),
        deleted=tuple(
            DeletedSave(entry_id=key, save_id=key, extra=draw(extras)) for key in sorted(deleted, key=saved.index)
        ),
    )
