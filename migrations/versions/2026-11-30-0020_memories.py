"""Memories of entries and documents, their words for searching, and what is to be indexed."""

import sqlalchemy as sa
from alembic import op

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0004_memories"
down_revision = "0003_saves"
branch_labels = None
depends_on = None

REVISES = sa.text("target_id IS NOT NULL")
MARKED = sa.text("mark <> ''")


def upgrade() -> None:

    op.create_table(
        "documents",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_documents")),
    )
    op.create_index("ix_documents_shelf", "documents", ["shelf"], unique=False)

    op.create_table(
        "memories",
        sa.Column("seq", SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=True),
        sa.Column("subject_id", sa.Text(), nullable=True),
        sa.Column("document_id", sa.Text(), nullable=True),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("turn", sa.Integer(), server_default="0", nullable=False),
        sa.Column("segment_id", SEQUENCE, nullable=True),
        sa.Column("depth", sa.Integer(), server_default="0", nullable=False),
        sa.Column("mark", sa.Text(), server_default="", nullable=False),
        sa.Column("vector_of", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name=op.f("fk_memories_document_id_documents")),
        sa.ForeignKeyConstraint(["entry_id"], ["entries.id"], name=op.f("fk_memories_entry_id_entries")),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name=op.f("fk_memories_segment_id_segments")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_memories")),
        sa.UniqueConstraint("entry_id", "part", name=op.f("uq_memories_entry_id_part")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_memories_segment_id_depth", "memories", ["segment_id", "depth", "vector_of"], unique=False)
    op.create_index("ix_memories_shelf_vector_of", "memories", ["shelf", "vector_of"], unique=False)
    op.create_index("ix_memories_document_id", "memories", ["document_id"], unique=False)
    op.create_index(
        "ix_memories_marked", "memories", ["shelf", "mark"], unique=False, sqlite_where=MARKED, postgresql_where=MARKED
    )
    op.create_index(
        "ix_entries_revisions",
        "entries",
        ["conversation_id", "target_id"],
        unique=False,
        sqlite_where=REVISES,
        postgresql_where=REVISES,
    )

    op.create_table(
        "indexing",
        sa.Column("shelf", sa.Text(), nullable=False),
        sa.Column("erases", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("trouble", sa.Text(), server_default="", nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("shelf", name=op.f("pk_indexing")),
    )
    create_words()
    # Stories that were there before have everything to remember.
    op.execute("INSERT INTO indexing (shelf, at) SELECT 'story-' || id, created_at FROM conversations")


def create_words() -> None:
    """The words come cut into terms by ourselves, so neither database need know where a Chinese word ends."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("CREATE VIRTUAL TABLE memory_words USING fts5(words, tokenize='unicode61 remove_diacritics 0')")
        op.execute("CREATE VIRTUAL TABLE memory_vocabulary USING fts5vocab(memory_words, row)")
    else:
        op.execute("CREATE TABLE memory_words (rowid bigint PRIMARY KEY, words tsvector NOT NULL)")
        op.execute("CREATE INDEX ix_memory_words_words ON memory_words USING gin (words)")


def downgrade() -> None:

    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE memory_vocabulary")
    op.execute("DROP TABLE memory_words")
    op.drop_table("indexing")
    op.drop_index("ix_entries_revisions", "entries")
    op.drop_table("memories")
    op.drop_table("documents")
