"""Changing what was said, choosing among variants, and moving about. Nothing here calls a model."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from liyuan.play.edits import edit, prune, redact, restore
from liyuan.play.swipe import choose
from liyuan.play.travel import move, redo, undo
from liyuan.web.api.asked import InConversation, OfEntry, Open, leaf_of
from liyuan.web.api.farewell import farewell_of
from liyuan.web.api.problems import problems
from liyuan.web.api.schemas import Conversation, Entry
from liyuan.web.api.wishes import EntryEdit, Guard, LeafMove, MaybeGuard
from liyuan.web.remembered import forget_drawn

router = APIRouter(prefix="/conversations/{conversation_id}", responses=problems(404, 409))


@router.post("/entries/{entry_id}/select", tags=["variants and edits"])
async def select(resources: Open, conversation_id: InConversation, entry_id: OfEntry, guard: Guard) -> Conversation:
    """Chooses a variant. The reader lands on the leaf last visited below it, so its whole tail comes back."""
    return Conversation.of(await choose(resources, conversation_id, entry_id, expected_leaf=_leaf(guard)))


@router.post("/entries/{entry_id}/edit", status_code=201, tags=["variants and edits"])
async def edit_entry(resources: Open, conversation_id: InConversation, entry_id: OfEntry, wish: EntryEdit) -> Entry:
    """Gives a message another text, as a new branch or in place. Answers the message as it is now seen."""
    shown = await edit(resources, conversation_id, entry_id, wish.text, mode=wish.mode, expected_leaf=_leaf(wish))
    return Entry.of(shown)


@router.post("/entries/{entry_id}/prune", tags=["variants and edits"])
async def prune_entry(
    resources: Open, conversation_id: InConversation, entry_id: OfEntry, guard: MaybeGuard | None = None
) -> Conversation:
    """Puts an entry and all below it out of sight. A reader inside goes to the neighbouring variant, else up."""
    leaf = await leaf_of(resources, conversation_id, guard)
    return Conversation.of(await prune(resources, conversation_id, entry_id, expected_leaf=leaf))


@router.post("/entries/{entry_id}/restore", tags=["variants and edits"])
async def restore_entry(
    resources: Open, conversation_id: InConversation, entry_id: OfEntry, guard: MaybeGuard | None = None
) -> Conversation:
    """Brings back what was pruned, and the reader to where they were in it."""
    leaf = await leaf_of(resources, conversation_id, guard)
    return Conversation.of(await restore(resources, conversation_id, entry_id, expected_leaf=leaf))


@router.post("/entries/{entry_id}/redact", tags=["variants and edits"])
async def redact_entry(resources: Open, conversation_id: InConversation, entry_id: OfEntry) -> Conversation:
    """Empties an entry and its revisions for good; its place in the tree stays. Not to be undone."""
    redacted = await redact(resources, conversation_id, entry_id)
    forget_drawn()
    return Conversation.of(redacted)


@router.post("/leaf", tags=["moves"])
async def move_leaf(resources: Open, conversation_id: InConversation, wish: LeafMove) -> Conversation:
    """Goes to any entry in sight, and leaves a summary behind if that is wished for."""
    summary, words = farewell_of(wish.summary, wish.text)
    moved = await move(
        resources, conversation_id, _entry(wish), expected_leaf=_leaf(wish), summary=summary, words=words
    )
    return Conversation.of(moved)


@router.post("/leaf/undo", tags=["moves"])
async def undo_move(resources: Open, conversation_id: InConversation, guard: MaybeGuard | None = None) -> Conversation:
    """Takes back the last move."""
    leaf = await leaf_of(resources, conversation_id, guard)
    return Conversation.of(await undo(resources, conversation_id, expected_leaf=leaf))


@router.post("/leaf/redo", tags=["moves"])
async def redo_move(resources: Open, conversation_id: InConversation, guard: MaybeGuard | None = None) -> Conversation:
    """Plays the move again that was last taken back."""
    leaf = await leaf_of(resources, conversation_id, guard)
    return Conversation.of(await redo(resources, conversation_id, expected_leaf=leaf))


def _leaf(guard: Guard) -> Any:
    return guard.expected_leaf


def _entry(wish: LeafMove) -> Any:
    return wish.entry_id
