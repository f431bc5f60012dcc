"""What waits to be indexed, and how far it is. Rows, so that a restart goes on where it was."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from liyuan.domain.entry import Place
from liyuan.store.database import new_id, now
from liyuan.store.memories import story_shelf
from liyuan.store.stretches import BRANCH, up_from
from liyuan.store.tables import conversations, indexing, memories

MANY = 5000
_stories = select(conversations.c.id).where(conversations.c.deleted_at.is_(None))
_deleted = select(conversations.c.id).where(conversations.c.deleted_at.is_not(None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One shelf with something to do. `erases`: vectors must leave the disk. `trouble`: why the last try failed."""

    shelf: str
    erases: bool = False
    trouble: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many pieces a shelf holds, how many have their vector, and whether there is more to do."""

    total: int
    embedded: int
    waits: bool = False
    trouble: str = ""

    @property
    def is_done(self) -> bool:
        return not self.waits and self.embedded >= self.total


@dataclass(frozen=True, slots=True)
class Piece:
    """A memory that has no vector of the present model yet."""

    seq: int
    text: str


def order(connection: Connection, shelf: str, *, erases: bool = False) -> Order:
    """Asks for a shelf to be looked after, from now on. An erasing that was asked for stays asked for."""
    make = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    made = Order(shelf=shelf, erases=erases, at=f"{now()} {new_id()}")
    fresh = make(indexing).values(shelf=shelf, erases=erases, trouble="", at=made.at)
    again = {"erases": or_(indexing.c.erases, fresh.excluded.erases), "at": made.at}
    connection.execute(fresh.on_conflict_do_update(index_elements=[indexing.c.shelf], set_=again))
    return made


def order_everything(connection: Connection) -> int:
    """Asks for every shelf to be indexed anew, vectors and all. Answers how many shelves there are."""
    connection.execute(update(memories).values(vector_of=None))
    kept = select(memories.c.shelf).distinct()
    shelves = {*connection.execute(kept).scalars(), *map(story_shelf, connection.execute(_stories).scalars())}
    for shelf in shelves:
        order(connection, shelf)
    return len(shelves)


def order_unindexed(connection: Connection, model: str) -> None:
    """Asks for every shelf where a piece has no vector of this model: the model has changed, or the work broke off."""
    waiting = select(memories.c.shelf).where(memories.c.vector_of.is_distinct_from(model)).distinct()
    deleted = set(map(story_shelf, connection.execute(_deleted).scalars()))
    for shelf in set(connection.execute(waiting).scalars()) - deleted:
        order(connection, shelf)


def load_deleted(connection: Connection, before: str) -> list[str]:
    """The shelves with vectors whose stories were deleted before a moment."""
    gone = connection.execute(_deleted.where(conversations.c.deleted_at < before)).scalars()
    return [shelf for shelf in map(story_shelf, gone) if _has_vectors(connection, shelf)]


def _has_vectors(connection: Connection, shelf: str) -> bool:
    has = select(memories.c.seq).where(memories.c.shelf == shelf, memories.c.vector_of.is_not(None)).limit(1)
    return connection.execute(has).first() is not None


def unmark_embedded(connection: Connection, shelf: str) -> None:
    """Notes that no piece of a shelf has a vector any more."""
    connection.execute(update(memories).where(memories.c.shelf == shelf).values(vector_of=None))


def load_orders(connection: Connection) -> list[Order]:
    """What waits: erasing first, then the latest asked for."""
    statement = select(indexing.c.shelf, indexing.c.erases, indexing.c.trouble, indexing.c.at).order_by(
        indexing.c.erases.desc(), indexing.c.at.desc(), indexing.c.shelf
    )
    return [Order(**row._mapping) for row in connection.execute(statement)]


def fulfil(connection: Connection, done: Order) -> None:
    """Notes that there is nothing more to do on a shelf, unless somebody has asked again meanwhile."""
    connection.execute(delete(indexing).where(_is(done)))


def erased(connection: Connection, done: Order) -> None:
    """Notes that what had to leave the disk has left it, unless somebody has asked again meanwhile."""
    connection.execute(update(indexing).where(_is(done)).values(erases=False))


def _is(done: Order) -> ColumnElement[bool]:
    return and_(indexing.c.shelf == done.shelf, indexing.c.at == done.at)


def note_trouble(connection: Connection, shelf: str, trouble: str) -> None:
    connection.execute(update(indexing).where(indexing.c.shelf == shelf).values(trouble=trouble))


def load_progress(connection: Connection, shelf: str, model: str | None) -> Progress:
    """How far a shelf is; without a model nothing needs a vector."""
    has = func.sum(case((memories.c.vector_of == model, 1), else_=0)) if model else func.count()
    total, embedded = connection.execute(select(func.count(), has).where(memories.c.shelf == shelf)).one()
    waiting = connection.execute(select(indexing.c.trouble).where(indexing.c.shelf == shelf)).first()
    return Progress(total, int(embedded or 0), waiting is not None, waiting.trouble if waiting else "")


def count_embedded(connection: Connection, shelf: str, model: str) -> int:
    statement = select(func.count()).where(memories.c.shelf == shelf, memories.c.vector_of == model)
    return connection.execute(statement).scalar_one()


def load_pending(connection: Connection, shelf: str, model: str, *, near: Place | None, most: int) -> list[Piece]:
    """Pieces without a vector of this model: those on the path of `near` first, its end before its beginning."""
    pending = select(memories.c.seq, memories.c.text).where(
        memories.c.shelf == shelf, memories.c.vector_of.is_distinct_from(model)
    )
    found: list[Piece] = []
    if near is not None:
        here = (memories.c.segment_id == BRANCH.c.id) & (memories.c.depth <= BRANCH.c.last)
        on_path = pending.join(BRANCH, here).order_by(memories.c.depth.desc(), memories.c.part).limit(most)
        found = [Piece(*row) for row in connection.execute(on_path, up_from(near))]
    if len(found) < most:
        others = connection.execute(pending.order_by(memories.c.seq.desc()).limit(most)).all()
        known = {piece.seq for piece in found}
        found += [Piece(*row) for row in others if row.seq not in known][: most - len(found)]
    return found


def mark_embedded(connection: Connection, seqs: Sequence[int], model: str) -> list[int]:
    """Notes that these pieces have their vector. Answers those that are gone meanwhile, whose vectors must go too."""
    connection.execute(update(memories).where(memories.c.seq.in_(seqs)).values(vector_of=model))
    there = set(connection.execute(select(memories.c.seq).where(memories.c.seq.in_(seqs))).scalars())
    return [seq for seq in seqs if seq not in there]


def reconcile(connection: Connection, shelf: str, model: str, held: Collection[int]) -> set[int]:
    """Makes SQL know which vectors are there: those it missed are pending again. Answers those nobody needs."""
    here = (memories.c.shelf == shelf) & (memories.c.vector_of == model)
    known = set(connection.execute(select(memories.c.seq).where(here)).scalars())
    for some in _some(sorted(known - set(held))):
        connection.execute(update(memories).where(memories.c.seq.in_(some)).values(vector_of=None))
    needed = set(connection.execute(select(memories.c.seq).where(memories.c.shelf == shelf)).scalars())
    return set(held) - needed


def _some(seqs: list[int]) -> Iterator[list[int]]:
    return (seqs[at : at + MANY] for at in range(0, len(seqs), MANY))
