"""The tables, as SQLAlchemy Core sees them. Parent links in `entries` are the truth of the tree.

Derived beside them: places, segments, tips and what is above a save; `verify` proves each from links and journal.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite gives an INTEGER primary key the row id, which makes appends cheap; PostgreSQL gets eight bytes.
Sequence = BigInteger().with_variant(Integer, "sqlite")

cards = Table(
    "cards",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("data", JSON, nullable=False),
    Column("image_id", Text),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("deleted_at", Text),
)

personas = Table(
    "personas",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("image_id", Text),
    Column("is_default", Boolean, nullable=False, server_default=false()),
    Column("created_at", Text, nullable=False),
    Column("deleted_at", Text),
)

connections = Table(
    "connections",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("provider", Text, nullable=False),
    Column("base_url", Text, nullable=False, server_default=""),
    Column("model", Text, nullable=False, server_default=""),
    Column("sealed_key", LargeBinary),
    Column("options", JSON, nullable=False),
    Column("is_default", Boolean, nullable=False, server_default=false()),
    Column("created_at", Text, nullable=False),
    Column("deleted_at", Text),
)

preferences = Table(
    "preferences",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", JSON, nullable=False),
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("token_hash", Text, primary_key=True),
    Column("agent", Text, nullable=False, server_default=""),
    Column("created_at", Text, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False, server_default=""),
    Column("card_id", Text, ForeignKey("cards.id")),
    Column("persona_id", Text, ForeignKey("personas.id")),
    Column("connection_id", Text, ForeignKey("connections.id")),
    Column("leaf_id", Text),
    # Whoever holds a performance is the only one who may move the leaf: the lock stands in the row the guard updates.
    Column("performance_id", Text),
    Column("draft", Text, nullable=False, server_default=""),
    Column("extra", JSON, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("updated_at", Text, nullable=False),
    Column("deleted_at", Text),
    Index("ix_conversations_updated_at", "updated_at"),
)

segments = Table(
    "segments",
    metadata,
    Column("id", Sequence, primary_key=True, autoincrement=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("parent_segment_id", Sequence, ForeignKey("segments.id")),
    # The depth of the entry it grew from; -1 for a root segment.
    Column("fork_depth", Integer, nullable=False),
    Index("ix_segments_conversation_id", "conversation_id"),
    Index("ix_segments_parent_segment_id", "parent_segment_id"),
)

entries = Table(
    "entries",
    metadata,
    Column("seq", Sequence, primary_key=True, autoincrement=True),
    Column("id", Text, nullable=False),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("parent_id", Text),
    Column("kind", Text, nullable=False),
    Column("role", Text),
    Column("text", Text),
    Column("data", JSON, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", Text, nullable=False),
    Column("extra", JSON, nullable=False),
    Column("target_id", Text),
    Column("segment_id", Sequence, ForeignKey("segments.id"), nullable=False),
    Column("depth", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("state_id", Text),
    Column("summary_id", Text),
    Column("save_id", Text),
    Column("setting_id", Text),
    Column("jump_id", Text),
    Column("jump_depth", Integer, nullable=False),
    UniqueConstraint("id"),
    UniqueConstraint("segment_id", "depth"),
    Index("ix_entries_conversation_id_parent_id", "conversation_id", "parent_id"),
    Index("ix_entries_target_id", "target_id"),
    Index(
        "ix_entries_revisions",
        "conversation_id",
        "target_id",
        sqlite_where=text("target_id IS NOT NULL"),
        postgresql_where=text("target_id IS NOT NULL"),
    ),
)

moves = Table(
    "moves",
    metadata,
    Column("seq", Sequence, primary_key=True, autoincrement=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("from_id", Text),
    Column("to_id", Text),
    Column("cause", Text, nullable=False),
    Column("at", Text, nullable=False),
    Index("ix_moves_conversation_id_seq", "conversation_id", "seq"),
    # What undo and redo go by: a story grows a hundred times for each time that somebody goes elsewhere in it.
    Index(
        "ix_moves_jumps",
        "conversation_id",
        "seq",
        "cause",
        sqlite_where=text("cause <> 'append'"),
        postgresql_where=text("cause <> 'append'"),
    ),
)

# Where the reader last was below an entry that is no longer on the active path. Derived from the journal.
tips = Table(
    "tips",
    metadata,
    Column("entry_id", Text, primary_key=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("leaf_id", Text, nullable=False),
    Index("ix_tips_conversation_id", "conversation_id"),
)

pruned = Table(
    "pruned",
    metadata,
    Column("entry_id", Text, primary_key=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("leaf_id", Text),
    Column("at", Text, nullable=False),
    Index("ix_pruned_conversation_id", "conversation_id"),
)

performances = Table(
    "performances",
    metadata,
    Column("id", Text, primary_key=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("act", Text, nullable=False),
    Column("parent_id", Text),
    Column("expected_leaf", Text),
    Column("text", Text, nullable=False, server_default=""),
    Column("reasoning", Text, nullable=False, server_default=""),
    Column("uses", JSON),
    Column("owner", Text, nullable=False),
    Column("stop_asked", Boolean, nullable=False, server_default=false()),
    Column("started_at", Text, nullable=False),
    Column("beat_at", Text, nullable=False),
    UniqueConstraint("conversation_id"),
)

# What happens behind the curtain after a turn: one run, written in the transaction that ends the turn.
runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    Column("anchor_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("steps", JSON, nullable=False),
    Column("trouble", Text, nullable=False, server_default=""),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("created_at", Text, nullable=False),
    Column("beat_at", Text, nullable=False),
    Index("ix_runs_conversation_id_id", "conversation_id", "id"),
    Index("ix_runs_conversation_id_state", "conversation_id", "state"),
    Index("ix_runs_state", "state"),
)

# One row for each rp-save entry, written with it. What people change about a save they change here, never in the tree.
saves = Table(
    "saves",
    metadata,
    Column("entry_id", Text, primary_key=True),
    Column("conversation_id", Text, ForeignKey("conversations.id"), nullable=False),
    # The nearest save entry above; derived, and fixed like the pointers of an entry.
    Column("above_id", Text),
    Column("worldline_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False, server_default="user"),
    Column("deleted_at", Text),
    Index("ix_saves_conversation_id", "conversation_id"),
    Index("ix_saves_above_id", "above_id"),
)

worldlines = Table(
    "worldlines",
    metadata,
    Column("conversation_id", Text, ForeignKey("conversations.id"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
)

tags = Table(
    "tags",
    metadata,
    Column("conversation_id", Text, ForeignKey("conversations.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("entry_id", Text, nullable=False),
    Index("ix_tags_entry_id", "entry_id"),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Text, primary_key=True),
    Column("shelf", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("characters", Integer, nullable=False),
    Column("created_at", Text, nullable=False),
    Index("ix_documents_shelf", "shelf"),
)

# What memory keeps of entries and documents, cut into pieces. Where it stands in the tree stands here too, so that one
# scan of an index tells what a path may recall. `vector_of` is the model whose vector of it is in the store.
memories = Table(
    "memories",
    metadata,
    Column("seq", Sequence, primary_key=True, autoincrement=True),
    Column("shelf", Text, nullable=False),
    Column("entry_id", Text, ForeignKey("entries.id")),
    Column("subject_id", Text),
    Column("document_id", Text, ForeignKey("documents.id")),
    Column("part", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("turn", Integer, nullable=False, server_default="0"),
    Column("segment_id", Sequence, ForeignKey("segments.id")),
    Column("depth", Integer, nullable=False, server_default="0"),
    Column("mark", Text, nullable=False, server_default=""),
    Column("vector_of", Text),
    UniqueConstraint("entry_id", "part"),
    Index("ix_memories_segment_id_depth", "segment_id", "depth", "vector_of"),
    Index("ix_memories_shelf_vector_of", "shelf", "vector_of"),
    Index("ix_memories_document_id", "document_id"),
    Index("ix_memories_marked", "shelf", "mark", sqlite_where=text("mark <> ''"), postgresql_where=text("mark <> ''")),
    # A number is never given twice, so that a vector left behind can never be taken for another memory's.
    sqlite_autoincrement=True,
)

# Shelves with something to do: pieces to cut, vectors to make, or (`erases`) vectors to be taken off the disk.
indexing = Table(
    "indexing",
    metadata,
    Column("shelf", Text, primary_key=True),
    Column("erases", Boolean, nullable=False, server_default=false()),
    Column("trouble", Text, nullable=False, server_default=""),
    Column("at", Text, nullable=False),
)
