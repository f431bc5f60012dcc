"""What a conversation file says beside the tree: tags, worldlines, and what was changed about saves since."""

from __future__ import annotations

import json
from typing import Any

import pytest

from liyuan.domain import margin
from liyuan.domain.conversation_file import ConversationFile
from liyuan.domain.file_reading import read_file
from liyuan.domain.margin import DeletedSave, Restated
from tests.conversation_files import AT, as_text


def line(**keys: Any) -> bytes:
    return json.dumps(keys, ensure_ascii=False).encode() + b"\n"


STORY = [
    line(type="conversation", version=1, id="c", title="", card=None, persona=None, created_at=AT),
    line(type="entry", id="g", parent_id=None, kind="message", role="assistant", text="hi", data={}, created_at=AT),
    line(type="entry", id="e", parent_id="g", kind="rp-save", data={"save_id": "s", "name": "one"}, created_at=AT),
]


def read(*more: bytes) -> ConversationFile:
    return read_file([*STORY, *more])


def test_a_save_is_called_by_the_id_that_its_entry_gives_it() -> None:
    read_back = read(
        line(type="save", save_id="s", name="two", worldline_id="w"), line(type="deleted-save", save_id="s", why="dull")
    )
    assert read_back.faults == ()
    assert read_back.margin.saves == (Restated(entry_id="e", save_id="s", name="two", worldline_id="w"),)  # type: ignore[arg-type]
    assert read_back.margin.deleted == (DeletedSave(entry_id="e", save_id="s", extra={"why": "dull"}),)  # type: ignore[arg-type]
    assert read_file(as_text(read_back).encode().splitlines(keepends=True)) == read_back


def test_a_save_may_be_called_by_its_entry_too() -> None:
    assert read(line(type="deleted-save", save_id="e")).margin.deleted[0].entry_id == "e"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (line(type="deleted-save", save_id="nothing"), margin.NO_SUCH_SAVE),
        (line(type="save", save_id="g", name="x", worldline_id="w"), margin.NO_SUCH_SAVE),
        (line(type="tag", name="here", entry_id="nothing"), margin.DANGLING),
        (line(type="tag", entry_id="g"), None),
        (line(type="worldline", id="w", name=7), None),
    ],
)
def test_a_line_that_speaks_of_nothing_is_named_and_left_out(wrong: bytes, why: str | None) -> None:
    found = read(wrong)
    assert [fault.line for fault in found.faults] == [len(STORY) + 1]
    assert why is None or found.faults[0].why.template == why
    assert found.margin == margin.Margin()


def test_what_is_said_twice_stands_as_it_was_said_first() -> None:
    found = read(line(type="worldline", id="w", name="one"), line(type="worldline", id="w", name="two"))
    assert found.margin.names == {"w": "one"}
    assert [fault.why.template for fault in found.faults] == [margin.SAID_TWICE]
