"""The conversation file: what is written reads back equal, and damage is named, never papered over (semantics §1)."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from liyuan.domain import file_line, file_reading, soundness
from liyuan.domain.conversation_file import ConversationFile, Cut, Header, leaf_of, renamed
from liyuan.domain.entry import REVISION, Draft, EntryId
from liyuan.domain.errors import Invalid
from liyuan.domain.file_reading import read_file
from liyuan.domain.margin import Margin, Tag
from liyuan.domain.tree import derive, path_to
from tests.conversation_files import AT, as_lines, as_text, conversation_files, message, reply, visit

A_STORY = ConversationFile(
    header=Header(id="c", title="雨夜", created_at=AT),
    entries=(reply("g", None), message("u", "g"), reply("a", "u"), reply("b", "u"), message("v", "b")),
    journal=(visit("g"), visit("u"), visit("a"), visit("b"), visit("v")),
)
LINES = as_lines(as_text(A_STORY))


CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "青梧", "first_mes": "雨停了。"}}


def line(**keys: Any) -> bytes:
    return json.dumps(keys).encode() + b"\n"


def entry(key: str, parent: str | None, **more: Any) -> bytes:
    known = {"type": "entry", "id": key, "parent_id": parent, "kind": "message", "role": "user", "text": key}
    return line(**known | {"data": {}, "status": "complete", "created_at": AT} | more)


def ids(file: ConversationFile) -> list[str]:
    return [entry.id for entry in file.entries]


def reasons(file: ConversationFile) -> list[tuple[int, str]]:
    return [(fault.line, fault.why.template) for fault in file.faults]


# --- what is written reads back


def test_the_lines_are_those_of_the_api() -> None:
    header, first, *_ = as_text(A_STORY).splitlines()
    assert header == (
        '{"type":"conversation","version":1,"id":"c","title":"雨夜","card":null,"persona":null,'
        '"created_at":"2026-01-31T12:00:00Z"}'
    )
    assert first == (
        '{"type":"entry","id":"g","parent_id":null,"kind":"message","role":"assistant","text":"g","data":{},'
        '"status":"complete","created_at":"2026-01-31T12:00:00Z"}'
    )
    assert as_text(A_STORY).splitlines()[-1] == (
        '{"type":"leaf","entry_id":"v","cause":"append","at":"2026-01-31T12:00:00Z"}'
    )


@given(conversation_files())
def test_what_is_written_reads_back_equal_byte_for_byte(file: ConversationFile) -> None:
    text = as_text(file)
    read = read_file(as_lines(text))
    assert read == file
    assert as_text(read) == text


@given(conversation_files(), st.data())
def test_a_line_may_come_before_its_parents_line(file: ConversationFile, data: st.DataObject) -> None:
    assume(file.entries)
    shuffled = data.draw(st.permutations(as_lines(as_text(file))))
    read = read_file(shuffled)
    assert read.faults == ()
    assert {entry.id: entry for entry in read.entries} == {entry.id: entry for entry in file.entries}


@given(conversation_files())
def test_windows_line_ends_change_nothing(file: ConversationFile) -> None:
    assert read_file(raw.replace(b"\n", b"\r\n") for raw in as_lines(as_text(file))) == file


def test_keys_and_lines_we_do_not_know_are_kept() -> None:
    lines = [
        line(type="conversation", version=1, id="c", title="", card=None, persona=None, created_at=AT, mood="wet"),
        entry("a", None, weather={"rain": True}),
        line(type="leaf", entry_id="a", cause="append", at=AT, by="hand"),
        line(type="pruned", entry_id="a", leaf_id=None, at=AT, why="dull"),
        line(type="tag", name="start", entry_id="a"),
        line(type="of-tomorrow", anything=[1, 2]),
    ]
    read = read_file(lines)
    assert read.header.extra == {"mood": "wet"}
    assert read.entries[0].extra == {"weather": {"rain": True}}
    assert read.journal[0].extra == {"by": "hand"}
    assert read.cuts[0].extra == {"why": "dull"}
    assert [json.loads(kept) for kept in as_text(read).splitlines()] == [json.loads(raw) for raw in lines]


def test_the_persona_may_be_a_bare_name() -> None:
    read = read_file([line(type="conversation", version=1, persona="阿远")])
    assert read.header.persona == {"name": "阿远"}


# --- where the reader is


def test_the_last_valid_place_of_the_journal_is_the_leaf() -> None:
    file = read_file([*LINES, line(type="leaf", entry_id="elsewhere", cause="move", at=AT)])
    assert leaf_of(file) == "v"
    assert reasons(file) == [(len(LINES) + 1, file_reading.DANGLING_LEAF)]


def test_without_a_journal_the_reader_is_at_the_last_entry() -> None:
    assert leaf_of(read_file([entry("a", None), entry("b", "a")])) == "b"


def test_the_leaf_never_lies_in_a_pruned_part() -> None:
    cut = ConversationFile(entries=A_STORY.entries, journal=A_STORY.journal, cuts=(Cut(entry_id=EntryId("b")),))
    assert leaf_of(cut) == "a"
    everything = ConversationFile(entries=A_STORY.entries, cuts=(Cut(entry_id=EntryId("g")),))
    assert leaf_of(everything) is None


# --- damage in a line


@pytest.mark.parametrize(
    ("damaged", "reason"),
    [
        (b'{"type":"entry",\n', file_line.NOT_JSON),
        (b'{"type":"entry",', file_line.CUT_OFF),
        (b"\0\0\0\0\n", file_line.NUL),
        (entry("x", "v", text="a\0b"), file_line.NUL),
        (entry("x", "v", text="\ud83d"), file_line.HALF_CHARACTER),
        (b'{"type":"entry\xff"}\n', file_line.NOT_UTF8),
        (b"[1,2]\n", file_line.NO_OBJECT),
        (b'{"type":"entry","type":"leaf"}\n', file_line.TWICE),
        (b'{"type":"x","n":1e999}\n', file_line.BAD_NUMBER),
        (b'{"type":"x","n":NaN}\n', file_line.BAD_NUMBER),
        (b'{"type":"x","n":' + b"9" * 5000 + b"}\n", file_line.BAD_NUMBER),
        (b'{"type":"x","n":' + b"[" * 150 + b"]" * 150 + b"}\n", file_line.TOO_DEEP),
        (b"[" * 100_000 + b"\n", file_line.TOO_DEEP),
        (line(id="x"), file_line.MISSING),
        (line(type=5), file_line.TEXT.told),
        (entry("", "v"), file_line.ID.told),
        (entry("x", "v", id=7), file_line.ID.told),
        (entry("x", "v", parent_id=7), file_line.ID_OR_NULL.told),
        (line(type="entry", id="x", kind="message", role="user", text="x"), file_line.MISSING),
        (entry("x", "v", kind=None), file_line.ID.told),
        (entry("x", "v", role="narrator"), file_reading.SPEAKER.told),
        (entry("x", "v", text=None), file_line.TEXT.told),
        (entry("x", "v", kind=REVISION, text=4), file_line.TEXT.told),
        (entry("x", "v", data=[]), file_line.OBJECT.told),
        (entry("x", "v", status="half"), file_reading.STATUS.told),
        (entry("x", "v", created_at="yesterday"), file_line.NO_MOMENT),
        (entry("x", "v", created_at=1769860800), file_line.NO_MOMENT),
        (line(type="leaf", cause="move", at=AT), file_line.MISSING),
        (line(type="leaf", entry_id=1, cause="move", at=AT), file_line.ID_OR_NULL.told),
        (line(type="leaf", entry_id="a", cause="move", at="late"), file_line.NO_MOMENT),
        (line(type="pruned", entry_id=None), file_line.ID.told),
        (line(type="pruned", entry_id="nobody"), file_reading.DANGLING),
        (line(type="tag", name="lost", entry_id="nobody"), file_reading.DANGLING),
        (entry("a", "g"), soundness.DUPLICATE),
        (entry("x", "x"), soundness.SELF_PARENT),
        (entry("x", "nobody"), soundness.MISSING_PARENT),
        (entry("x", None, kind="setting", role=None), soundness.SECOND_ROOT),
        (LINES[0], file_reading.OTHER_STORY),
    ],
)
def test_a_damaged_line_is_left_out_with_its_number_and_reason(damaged: bytes, reason: str) -> None:
    read = read_file([*LINES, damaged])
    assert reasons(read) == [(len(LINES) + 1, reason)]
    assert read.entries == A_STORY.entries
    assert leaf_of(read) == "v"


def test_what_hangs_on_a_damaged_line_is_left_out_with_it() -> None:
    damaged = [*LINES[:2], b"{broken\n", *LINES[3:]]
    read = read_file(damaged)
    assert ids(read) == ["g"]
    assert [number for number, _ in reasons(read)] == [3, 4, 5, 6, 8, 9, 10, 11]
    assert leaf_of(read) == "g"


def test_a_byte_order_mark_is_told_and_costs_nothing() -> None:
    read = read_file([file_line.BYTE_ORDER_MARK + LINES[0], *LINES[1:]])
    assert reasons(read) == [(1, file_line.MARKED)]
    assert (read.header, read.entries) == (A_STORY.header, A_STORY.entries)


def test_a_wrong_key_of_the_header_costs_that_key_alone() -> None:
    header = line(type="conversation", version=1, title=5, card=CARD, created_at="never")
    read = read_file([header, *LINES[1:]])
    assert [number for number, _ in reasons(read)] == [1, 1]
    assert (read.header.title, read.header.card) == ("", CARD)


@pytest.mark.parametrize("broken", [{"card": {"no": "card"}}, {"persona": {"name": " "}}, {"persona": {"name": 3}}])
def test_a_character_that_cannot_be_read_is_told_and_left_out(broken: dict[str, Any]) -> None:
    read = read_file([line(type="conversation", version=1, title="t", **broken), *LINES[1:]])
    assert [number for number, _ in reasons(read)] == [1]
    assert (read.header.title, read.header.card, read.header.persona) == ("t", None, None)


def test_a_missing_header_is_told() -> None:
    assert reasons(read_file(LINES[1:])) == [(1, file_reading.NO_HEADER)]


def test_two_stories_in_one_file_are_not_mixed() -> None:
    other = ConversationFile(header=Header(id="d"), entries=(reply("z", None),))
    read = read_file([*LINES, *as_lines(as_text(other))])
    assert read.entries == A_STORY.entries
    assert [number for number, _ in reasons(read)] == [len(LINES) + 1, len(LINES) + 2]


def test_a_pruned_part_is_pruned_even_where_its_leaf_is_unknown() -> None:
    read = read_file([*LINES, line(type="pruned", entry_id="a", leaf_id="nobody", at=AT)])
    assert [cut.leaf_id for cut in read.cuts] == [None]
    assert reasons(read) == [(len(LINES) + 1, file_reading.DANGLING)]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00.123456Z", "2026-01-31T12:00:00.123456Z"),
        ("2026-01-31T20:00:00+08:00", "2026-01-31T12:00:00Z"),
        ("2026-01-31 12:00:00", "2026-01-31T12:00:00Z"),
        ("2026-01-31", "2026-01-31T00:00:00Z"),
    ],
)
def test_moments_come_in_as_utc(written: str, kept: str) -> None:
    assert read_file([entry("a", None, created_at=written)]).entries[0].created_at == kept


# --- files that are refused


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", file_reading.NOT_OURS),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", file_reading.NOT_OURS),
        (b'{"spec":"chara_card_v2","data":{}}', file_reading.NOT_OURS),
        (b'{"user_name":"You","character_name":"Q"}\n{"name":"Q","is_user":false,"mes":"hi"}\n', None),
        (line(type="conversation", version=2, id="c"), file_reading.NEWER),
        (LINES[0] + b"{broken\n", file_reading.NOTHING_SOUND),
        (b"x\n" * (file_reading.MOST_UNREADABLE + 1), file_reading.HOPELESS),
    ],
)
def test_a_file_that_is_not_ours_or_not_readable_is_refused_whole(raw: bytes, reason: str | None) -> None:
    with pytest.raises(Invalid) as refused:
        read_file(BytesIO(raw))
    assert refused.value.template == (reason or file_reading.CHAT_OF_OTHERS)


# --- new ids


def test_new_ids_are_followed_wherever_an_entry_is_named() -> None:
    speaking = Draft(
        id=EntryId("r"),
        parent_id=EntryId("a"),
        kind=REVISION,
        text="new",
        data={"target_id": "a", "from_id": "r", "fork_source": "a", "state": {"note_id": "a"}, "name": "a"},
    )
    file = ConversationFile(
        entries=(message("a", None), speaking),
        journal=(visit("a"), visit(None)),
        cuts=(Cut(entry_id=EntryId("r"), leaf_id=EntryId("a")),),
        margin=Margin(tags=(Tag(name="a", entry_id=EntryId("a")),)),
        others=({"type": "of-tomorrow", "entry_id": "a"},),
    )
    new = renamed(file, {"a": "A"})
    assert ids(new) == ["A", "r"]
    assert new.entries[0].text == "a"
    assert new.entries[1].parent_id == "A"
    assert new.entries[1].data == {
        "target_id": "A",
        "from_id": "r",
        "fork_source": "A",
        "state": {"note_id": "a"},
        "name": "a",
    }
    assert [stop.entry_id for stop in new.journal] == ["A", None]
    assert (new.cuts[0].entry_id, new.cuts[0].leaf_id) == ("r", "A")
    assert new.margin.tags == (Tag(name="a", entry_id=EntryId("A")),)
    assert new.others == ({"type": "of-tomorrow", "entry_id": "A"},)


# --- random damage


def paths(file: ConversationFile) -> dict[EntryId, list[EntryId]]:
    skeleton = {node.id: node for node in file.nodes}
    return {entry_id: path_to(skeleton, entry_id) for entry_id in skeleton}


damages = st.lists(
    st.tuples(st.sampled_from(["drop", "double", "cut", "zero", "garbage", "glue"]), st.integers(0, 40)), max_size=4
)


def damaged(lines: list[bytes], kind: str, where: int) -> list[bytes]:
    where %= len(lines) or 1
    before, here, after = lines[:where], b"".join(lines[where : where + 1]), lines[where + 1 :]
    match kind:
        case "drop":
            return [*before, *after]
        case "double":
            return [*lines, here]
        case "cut":
            return [*before, here[: len(here) // 2]]
        case "zero":
            return [*before, bytes(len(here)) + b"\n", *after]
        case "garbage":
            return [*before, b'"\xfe{]\n', here, *after]
        case _:
            return [*before, here.rstrip(b"\n") + b"".join(after[:1]), *after[1:]]


@given(conversation_files(), damages)
def test_lines_lost_doubled_cut_or_glued_never_give_a_wrong_path(
    file: ConversationFile, done: list[tuple[str, int]]
) -> None:
    lines = as_lines(as_text(file))
    for kind, where in done:
        lines = damaged(lines, kind, where)
    try:
        read = read_file(lines)
    except Invalid:
        return
    true_paths = paths(file)
    assert all(entry in file.entries for entry in read.entries)
    assert all(true_paths[entry_id] == path for entry_id, path in paths(read).items())


@given(conversation_files(), st.data())
def test_bytes_overwritten_anywhere_never_break_the_reader(file: ConversationFile, data: st.DataObject) -> None:
    raw = bytearray(as_text(file).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    read_or_refused(bytes(raw))


@given(st.binary(max_size=300))
def test_whatever_bytes_come_the_reader_refuses_or_reads(raw: bytes) -> None:
    read_or_refused(raw)


def read_or_refused(raw: bytes) -> None:
    try:
        read = read_file(BytesIO(raw))
    except Invalid:
        return
    assert derive(read.nodes).keys() == {entry.id for entry in read.entries}
    as_text(read).encode()
