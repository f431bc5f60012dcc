"""Selecting, editing, pruning, redacting and moving over the API: each guarded by the leaf, none calls a model."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.api.caller import Caller


@pytest.fixture
async def told(api: Caller) -> Any:
    """Two tellings of one reply, the first with a tail; the reader is at the second."""
    await api.open()
    first = (await api.say("hello", "welcome"))["reply"]
    tail = (await api.say("who are you", "Ash"))["reply"]
    api.model.enqueue("hm")
    second = (await api.guarded(f"/entries/{first['id']}/variants", 201))["reply"]
    return {"first": first["id"], "tail": tail["id"], "second": second["id"]}


async def test_selecting_brings_the_tail_back(api: Caller, told: Any) -> None:
    story = await api.guarded(f"/entries/{told['first']}/select")
    assert story["leaf_id"] == told["tail"]
    assert await api.texts() == ["Good evening.", "hello", "welcome", "who are you", "Ash"]
    assert api.model.spent


async def test_an_edit_as_a_branch_is_a_sibling(api: Caller, told: Any) -> None:
    entry = await api.guarded(f"/entries/{told['second']}/edit", 201, text="Hm!", mode="branch")
    assert (entry["text"], entry["variants"]["index"], entry["variants"]["total"]) == ("Hm!", 2, 3)
    assert await api.leaf() == entry["id"]


async def test_an_edit_in_place_keeps_what_follows(api: Caller, told: Any) -> None:
    await api.guarded(f"/entries/{told['first']}/select")
    entry = await api.guarded(f"/entries/{told['first']}/edit", 201, text="Welcome!", mode="in_place")
    assert (entry["id"], entry["text"]) == (told["first"], "Welcome!")
    assert await api.texts() == ["Good evening.", "hello", "Welcome!", "who are you", "Ash"]


@pytest.mark.parametrize(
    "body", [{"text": " ", "mode": "branch"}, {"text": "x", "mode": "sideways"}, {"mode": "branch"}]
)
async def test_an_edit_needs_words_and_a_way(api: Caller, told: Any, body: dict[str, str]) -> None:
    await api.guarded(f"/entries/{told['second']}/edit", 422, **body)


async def test_pruning_moves_the_reader_to_the_neighbour_and_restoring_brings_them_back(api: Caller, told: Any) -> None:
    story = await api.act(f"{api.here}/entries/{told['second']}/prune")
    assert story["leaf_id"] == told["tail"]
    entry = await api.read(f"{api.here}/entries/{told['first']}")
    assert entry["variants"] == {"index": 0, "total": 1, "ids": [told["first"]]}
    story = await api.act(f"{api.here}/entries/{told['second']}/restore")
    assert story["leaf_id"] == told["second"]
    await api.act(f"{api.here}/entries/{told['second']}/restore", 422)


async def test_redacting_empties_an_entry_for_good(api: Caller, told: Any) -> None:
    await api.act(f"{api.here}/entries/{told['second']}/redact")
    assert (await api.read(f"{api.here}/entries/{told['second']}"))["text"] == ""
    exported = (await api.read(f"{api.here}/export")).text
    assert '"hm"' not in exported
    imported = await api.call(
        "POST", "/conversations/import", 201, files={"file": ("x.jsonl", exported)}, data={"policy": "reject"}
    )
    assert imported["quarantined"] == []


async def test_a_move_can_be_taken_back_and_played_again(api: Caller, told: Any) -> None:
    story = await api.guarded("/leaf", entry_id=told["tail"])
    assert story["leaf_id"] == told["tail"]
    assert (await api.act(f"{api.here}/leaf/undo"))["leaf_id"] == told["second"]
    assert (await api.act(f"{api.here}/leaf/redo"))["leaf_id"] == told["tail"]
    await api.act(f"{api.here}/leaf/redo", 422)


async def test_a_move_into_a_pruned_part_is_refused(api: Caller, told: Any) -> None:
    await api.guarded(f"/entries/{told['first']}/prune")
    await api.guarded("/leaf", 422, entry_id=told["tail"])


async def test_every_act_is_guarded_by_the_leaf(api: Caller, told: Any) -> None:
    stale = {"expected_leaf": told["tail"]}
    acts: list[tuple[str, dict[str, str]]] = [
        (f"/entries/{told['first']}/select", {}),
        (f"/entries/{told['first']}/edit", {"text": "x", "mode": "branch"}),
        (f"/entries/{told['first']}/edit", {"text": "x", "mode": "in_place"}),
        (f"/entries/{told['first']}/prune", {}),
        ("/leaf", {"entry_id": told["first"]}),
        ("/leaf/undo", {}),
        ("/turns", {"text": "x"}),
        ("/continue", {}),
        (f"/entries/{told['first']}/variants", {}),
    ]
    before = (await api.read(f"{api.here}/export")).text
    for path, body in acts:
        problem = await api.act(api.here + path, 409, **body, **stale)
        assert (problem["type"], problem["leaf_id"]) == ("leaf-moved", told["second"]), path
    assert (await api.read(f"{api.here}/export")).text == before


async def test_entries_of_another_story_are_unknown_here(api: Caller, told: Any) -> None:
    await api.open()
    acts: list[tuple[str, dict[str, str]]] = [
        (f"/entries/{told['first']}/select", {}),
        (f"/entries/{told['first']}/edit", {"text": "x", "mode": "branch"}),
        (f"/entries/{told['first']}/variants", {}),
        (f"/entries/{told['first']}/prune", {}),
        (f"/entries/{told['first']}/restore", {}),
        (f"/entries/{told['first']}/redact", {}),
        ("/leaf", {"entry_id": told["first"]}),
    ]
    for path, body in acts:
        await api.guarded(path, 404, **body)
