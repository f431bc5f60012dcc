"""Memory knows its branch: what is recalled was played on this path, as it is worded here, and is not told twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from liyuan.domain.entry import USER, Draft, EntryId
from liyuan.jobs.indexing import index_all
from liyuan.jobs.worker import Worker
from liyuan.memory.recall import Memory
from liyuan.model.scripted import ScriptedModel
from liyuan.play import edits
from liyuan.play.gather import gather
from liyuan.play.recall import AROUND, NAMED, recall, search
from liyuan.store.database import new_id
from liyuan.store.indexing import load_progress, order, order_everything
from liyuan.store.memories import mark, story_shelf
from liyuan.store.moves import move
from liyuan.store.tree import append
from tests.minds import FrailVectors, WordEmbedder, mind
from tests.tale import Tale, new_tale, theatre

FILLER = "Rain fell upon the roof and nothing happened for a long while in the quiet house. " * 20


class Played(Tale):
    """A story whose turns are remembered as they are played, by hand or by a worker."""

    async def remember(self) -> None:
        """Indexes everything, as the indexer does in the background."""
        await self.resources.database.write(order, story_shelf(self.id))
        assert not await index_all(self.resources)

    async def found(self, query: str, *, leaf: EntryId | None = None, k: int = 5) -> list[str]:
        at = leaf or await self.leaf()
        assert at is not None
        hits, trouble = await search(self.resources, self.id, at, query, k=k)
        assert trouble == ""
        return [hit.memory.text for hit in hits]

    async def fill(self, turns: int) -> None:
        """Turns in which nothing worth remembering happens, to push what was said out of the prompt."""
        for number in range(turns):
            await self.say(f"I wait, for the {number}th time.", reply=f"{FILLER} Chime {number}.")


@asynccontextmanager
async def played(folder: Path, memory: Memory | None = None, **settings: Any) -> AsyncIterator[Played]:
    model = ScriptedModel()
    async with theatre(folder / "data", model, memory=memory or mind(), **settings) as resources:
        tale = await new_tale(resources, model)
        made = Played.__new__(Played)
        made.__dict__.update(tale.__dict__)
        yield made


@pytest.fixture
async def tale(tmp_path: Path) -> AsyncIterator[Played]:
    """A story with a window so small that a few long replies fill it."""
    async with played(tmp_path, context_tokens=1600) as made:
        yield made


def _grow(connection: Connection, tale: Tale, leaf: EntryId, texts: list[str]) -> EntryId:
    """Goes on below `leaf` with these messages, without playing them."""
    for text in texts:
        draft = Draft(id=EntryId(new_id()), parent_id=leaf, role=USER, text=text)
        append(connection, tale.id, draft, expected_leaf=leaf)
        leaf = draft.id
    return leaf


async def test_what_was_said_long_ago_is_told_again_and_says_from_which_turn(tale: Played) -> None:
    await tale.say("Where is the key?", reply="The brass key hangs behind the saint in the chapel.")
    await tale.fill(4)
    await tale.remember()
    reply = await tale.say("I go to the chapel for the brass key.", reply="You go.")
    prompt = tale.model.requests[-1]
    note = next(said.text for said in prompt.messages if "behind the saint" in said.text)
    assert "(turn 1) The brass key hangs behind the saint in the chapel." in note
    entry = next(item.entry for item in await tale.items() if item.id == reply)
    assert entry.data["recalled"][0]["turn"] == 1
    assert "key" in entry.data["recalled"][0]["words"]
    assert "memory_trouble" not in entry.data


async def test_the_opening_is_told_as_such(tale: Played) -> None:
    await tale.fill(5)
    await tale.remember()
    reply = await tale.say("Good evening.", reply="Good evening, again.")
    entry = next(item.entry for item in await tale.items() if item.id == reply)
    assert 0 in [told["turn"] for told in entry.data["recalled"]]


async def test_memories_stand_behind_the_story_and_before_the_readers_words(tale: Played) -> None:
    await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
    await tale.fill(4)
    await tale.remember()
    ready = await gather(tale.resources, tale.id, await tale.leaf(), text="And the brass key?")
    names = [part.name for part in ready.prompt.parts]
    assert names.index("memories") > max(at for at, name in enumerate(names[:-1]) if name == "story")
    assert ready.prompt.parts[-1].text == "And the brass key?"


async def test_what_the_prompt_holds_word_for_word_is_not_recalled(tale: Played) -> None:
    await tale.say("Where is the brass key?", reply="The brass key hangs behind the saint.")
    await tale.remember()
    ready = await gather(tale.resources, tale.id, await tale.leaf(), text="The brass key?")
    assert ready.recalled.memories == ()
    embedder = tale.resources.memory.embedder
    assert isinstance(embedder, WordEmbedder)
    assert embedder.asked == [], "nothing is compared where there is nothing to recall"


async def test_five_hundred_on_dead_branches_do_not_hide_three_on_the_live_one(tale: Played) -> None:
    root = await tale.leaf()
    assert root is not None

    def grow(connection: Connection) -> None:
        dead = _grow(connection, tale, root, [f"The lantern burns blue, {number}." for number in range(500)])
        move(connection, tale.id, root, expected_leaf=dead, cause="move")
        _grow(connection, tale, root, ["The lantern burns red.", "The lantern is out.", "Whose lantern is it?"])

    await tale.resources.database.write(grow)
    await tale.remember()
    found = await tale.found("lantern", k=5)
    assert {"The lantern burns red.", "The lantern is out.", "Whose lantern is it?"} <= set(found)
    assert not any("blue" in text for text in found)


async def test_of_a_long_path_the_nearest_are_found_however_many_lie_about(tale: Played) -> None:
    """The path is longer than what a question names; a few dead ones lie nearer, then so many that no seen one does."""
    root = await tale.leaf()
    assert root is not None
    seen = ["The lantern burns red, says the ferryman.", *(f"Nothing of note, {number}." for number in range(NAMED))]

    def grow(connection: Connection) -> EntryId:
        live = _grow(connection, tale, root, seen)
        move(connection, tale.id, root, expected_leaf=live, cause="move")
        return live

    live = await tale.resources.database.write(grow)
    for dead in (3, 2 * AROUND):
        here = await tale.leaf()
        assert here == root

        def crowd(connection: Connection, dead: int = dead) -> None:
            there = _grow(connection, tale, root, [f"The lantern burns blue, {number}." for number in range(dead)])
            move(connection, tale.id, root, expected_leaf=there, cause="move")

        await tale.resources.database.write(crowd)
        await tale.remember()
        found = await tale.found("the lantern burns", leaf=live, k=5)
        assert found[0] == seen[0]
        assert len(found) == 5
        assert not any("blue" in text for text in found)


async def test_of_a_long_path_what_has_left_the_prompt_is_found_although_the_prompt_holds_more_than_is_named(
    tmp_path: Path,
) -> None:
    async with played(tmp_path, context_tokens=1_000_000) as tale:
        key = await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
        lately = [f"Nothing of note, {number}." for number in range(NAMED + 50)]

        def go_on(connection: Connection) -> EntryId:
            elsewhere = _grow(connection, tale, key, ["Another way."])
            move(connection, tale.id, key, expected_leaf=elsewhere, cause="move")
            return _grow(connection, tale, key, lately)

        leaf = await tale.resources.database.write(go_on)
        await tale.remember()
        told = {item.id for item in await tale.items()} - {key}
        found = await recall(
            tale.resources,
            tale.id,
            leaf,
            None,
            "the brass one",
            told=told,
            budget=400,
            count=lambda text: len(text) // 4,
        )
    assert [hit.memory.subject_id for hit in found.memories] == [key]
    assert found.memories[0].likeness is not None, "by its meaning, not by its words alone"


async def test_a_swipe_is_told_nothing_of_the_reply_it_replaces(tale: Played) -> None:
    await tale.say("Open the chest.", reply="Inside the chest lies a violet dagger.")
    old = await tale.leaf()
    await tale.fill(4)
    await tale.remember()
    assert old is not None
    tale.model.enqueue("Inside the chest lies nothing.")
    await tale.swipe(old)
    said = " ".join(message.text for message in tale.model.requests[-1].messages)
    assert "violet dagger" not in said
    await tale.remember()
    assert not [text for text in await tale.found("violet dagger") if "violet" in text]


async def test_a_revision_is_recalled_and_the_old_text_only_on_other_branches(tale: Played) -> None:
    await tale.say("Who holds the ferry?", reply="The ferry is held by old Marten.")
    target = await tale.leaf()
    assert target is not None
    fork = await tale.say("Go on.", reply="The river is wide.")
    await tale.remember()
    await tale.edit(target, "The ferry is held by young Brisa.", "in_place")
    assert not any("Marten" in text for text in await tale.found("who holds the ferry")), "not even before indexing"
    await tale.remember()
    here = await tale.found("who holds the ferry")
    assert any("Brisa" in text for text in here) and not any("Marten" in text for text in here)
    there = await tale.found("who holds the ferry", leaf=fork)
    assert any("Marten" in text for text in there) and not any("Brisa" in text for text in there)


async def test_the_last_of_several_revisions_is_recalled(tale: Played) -> None:
    target = await tale.say("Who?", reply="The pilot is Ana.")
    await tale.edit(target, "The pilot is Bo.", "in_place")
    await tale.edit(target, "The pilot is Cy.", "in_place")
    await tale.remember()
    assert [text for text in await tale.found("pilot") if "pilot" in text] == ["The pilot is Cy."]


async def test_a_pruned_branch_is_not_remembered_and_one_brought_back_is(tale: Played) -> None:
    await tale.say("I hide the opal.", reply="Nobody saw the opal.")
    message = (await tale.items())[-2].id
    await tale.prune(message)
    await tale.remember()
    progress = await tale.resources.database.read(load_progress, story_shelf(tale.id), "words")
    assert progress.total == 1, "only the greeting"
    await edits.restore(tale.resources, tale.id, message, expected_leaf=await tale.leaf())
    await tale.remember()
    assert any("opal" in text for text in await tale.found("opal"))


async def test_a_leaf_in_a_deleted_part_sees_what_that_part_grew_from(tale: Played) -> None:
    leaf = await tale.say("I hide the opal.", reply="Nobody saw the opal.")
    await tale.remember()
    await tale.prune((await tale.items())[-2].id)
    assert not any("opal" in text for text in await tale.found("opal", leaf=leaf))


async def test_a_pinned_memory_always_comes_and_a_hidden_one_never(tale: Played) -> None:
    await tale.say("Say the word.", reply="The password is heliotrope.")
    await tale.say("And the other?", reply="The other password is saffron.")
    await tale.fill(4)
    await tale.remember()
    leaf = await tale.leaf()
    assert leaf is not None
    hits, _ = await search(tale.resources, tale.id, leaf, "password", k=9)
    number = {hit.memory.text: hit.memory.id for hit in hits}
    shelf = story_shelf(tale.id)
    write = tale.resources.database.write
    await write(mark, shelf, number["The password is heliotrope."], "pinned")
    await write(mark, shelf, number["The other password is saffron."], "hidden")
    ready = await gather(tale.resources, tale.id, leaf, text="Rain upon the quiet roof.")
    assert [hit.memory.text for hit in ready.recalled.memories if hit.is_pinned] == ["The password is heliotrope."]
    assert not any("saffron" in text for text in await tale.found("other password saffron"))


async def test_a_failing_store_costs_the_meanings_of_that_turn_and_nothing_else(tale: Played) -> None:
    await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
    await tale.fill(4)
    await tale.remember()
    store = tale.resources.memory.store
    assert isinstance(store, FrailVectors)
    store.is_broken = True
    reply = await tale.say("The brass key!", reply="You have it.")
    entry = next(item.entry for item in await tale.items() if item.id == reply)
    assert entry.text == "You have it."
    assert "moths" in entry.data["memory_trouble"]
    assert entry.data["recalled"][0]["turn"] == 1, "words are still looked for"


async def test_a_store_that_lost_its_vectors_is_filled_again(tale: Played) -> None:
    await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
    await tale.remember()
    store = tale.resources.memory.store
    assert isinstance(store, FrailVectors)
    kept = {shelf: set(vectors) for shelf, vectors in store.kept.items()}
    store.kept.clear()
    tale.resources.memory.proven.clear()
    leaf = await tale.leaf()
    assert leaf is not None
    _, trouble = await search(tale.resources, tale.id, leaf, "brass key", k=3)
    assert "made anew" in trouble
    await index_all(tale.resources)
    assert {shelf: set(vectors) for shelf, vectors in store.kept.items()} == kept
    assert await tale.found("brass key")


async def test_another_embedding_model_makes_all_vectors_anew(tmp_path: Path) -> None:
    async with played(tmp_path, mind("one")) as tale:
        await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
        await tale.remember()
        old = tale.resources.memory
        conversation_id = tale.id
    async with theatre(tmp_path / "data", memory=Memory(store=old.store, embedder=WordEmbedder("two"))) as resources:
        shelf = story_shelf(conversation_id)
        assert (await resources.database.read(load_progress, shelf, "two")).embedded == 0
        await resources.database.write(order_everything)
        await index_all(resources)
        progress = await resources.database.read(load_progress, shelf, "two")
        assert progress.is_done and progress.embedded == progress.total == 3


async def test_a_broken_embedding_model_leaves_an_order_for_later(tale: Played) -> None:
    embedder = tale.resources.memory.embedder
    assert isinstance(embedder, WordEmbedder)
    await tale.say("Where is the key?", reply="The brass key hangs behind the saint.")
    embedder.is_broken = True
    await tale.resources.database.write(order, story_shelf(tale.id))
    assert await index_all(tale.resources)
    progress = await tale.resources.database.read(load_progress, story_shelf(tale.id), "words")
    assert progress.waits and "the model is not there" in progress.trouble
    embedder.is_broken = False
    assert not await index_all(tale.resources)
    assert (await tale.resources.database.read(load_progress, story_shelf(tale.id), "words")).is_done


async def test_a_redacted_message_is_forgotten(tale: Played) -> None:
    reply = await tale.say("Your name?", reply="My true name is Theodolinda.")
    await tale.remember()
    store = tale.resources.memory.store
    before = await store.held(tale.resources.memory.shelf(story_shelf(tale.id)))
    await edits.redact(tale.resources, tale.id, reply)
    assert not any("Theodolinda" in text for text in await tale.found("true name Theodolinda"))
    after = await store.held(tale.resources.memory.shelf(story_shelf(tale.id)))
    assert len(before) - len(after) == 1
    await tale.remember()
    assert (await tale.resources.database.read(load_progress, story_shelf(tale.id), "words")).is_done


async def test_with_embeddings_off_words_are_still_found(tmp_path: Path) -> None:
    async with played(tmp_path, Memory(store=FrailVectors())) as tale:
        await tale.say("钥匙在哪里？", reply="黄铜钥匙挂在小教堂的圣像后面。")
        await tale.remember()
        assert "黄铜钥匙挂在小教堂的圣像后面。" in await tale.found("黄铜钥匙")


async def test_every_turn_is_remembered_after_it(tmp_path: Path) -> None:
    worker = Worker()
    model = ScriptedModel()
    async with theatre(tmp_path / "data", model, worker=worker, memory=mind(), compact_every_turns=0) as resources:
        await worker.open(resources)
        tale = await new_tale(resources, model)
        model.enqueue("The brass key hangs behind the saint.", '{"location": "the chapel"}')
        await tale.say("Where is the key?")
        await worker.idle()
        progress = await resources.database.read(load_progress, story_shelf(tale.id), "words")
        assert (progress.total, progress.embedded, progress.waits) == (3, 3, False)
        await worker.close()


async def test_one_long_message_never_takes_more_than_the_budget(tale: Played) -> None:
    await tale.say("Tell it all.", reply="The obelisk stands in the square. " * 200)
    await tale.fill(4)
    await tale.remember()
    ready = await gather(tale.resources, tale.id, await tale.leaf(), text="The obelisk in the square?")
    note = [part for part in ready.prompt.parts if part.name == "memories"]
    assert sum(part.tokens for part in note) <= 1600 // 16 + 60, "the budget, and the line above it"
