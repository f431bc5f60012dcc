"""The tree, the journal, the library."""

import sqlalchemy as sa
from alembic import op

SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

revision = "0001_tree"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "cards",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("image_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cards")),
    )
    op.create_table(
        "connections",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("provider", sa.Text(), nullable=False),
        sa.Column("base_url", sa.Text(), server_default="", nullable=False),
        sa.Column("model", sa.Text(), server_default="", nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("is_default", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connections")),
    )
    op.create_table(
        "personas",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("image_id", sa.Text(), nullable=True),
        sa.Column("is_default", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_personas")),
    )
    op.create_table(
        "preferences",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_preferences")),
    )
    op.create_table(
        "sign_ins",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sign_ins")),
    )
    op.create_table(
        "conversations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), server_default="", nullable=False),
        sa.Column("card_id", sa.Text(), nullable=True),
        sa.Column("persona_id", sa.Text(), nullable=True),
        sa.Column("connection_id", sa.Text(), nullable=True),
        sa.Column("leaf_id", sa.Text(), nullable=True),
        sa.Column("performance_id", sa.Text(), nullable=True),
        sa.Column("draft", sa.Text(), server_default="", nullable=False),
        sa.Column("extra", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Text(), nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["card_id"], ["cards.id"], name=op.f("fk_conversations_card_id_cards")),
        sa.ForeignKeyConstraint(
            ["connection_id"], ["connections.id"], name=op.f("fk_conversations_connection_id_connections")
        ),
        sa.ForeignKeyConstraint(["persona_id"], ["personas.id"], name=op.f("fk_conversations_persona_id_personas")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
    )
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.create_index("ix_conversations_updated_at", ["updated_at"], unique=False)

    op.create_table(
        "moves",
        sa.Column("seq", SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("from_id", sa.Text(), nullable=True),
        sa.Column("to_id", sa.Text(), nullable=True),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_moves_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_moves")),
    )
    with op.batch_alter_table("moves", schema=None) as batch_op:
        batch_op.create_index("ix_moves_conversation_id_seq", ["conversation_id", "seq"], unique=False)

    op.create_table(
        "performances",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("act", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.Text(), nullable=True),
        sa.Column("expected_leaf", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), server_default="", nullable=False),
        sa.Column("reasoning", sa.Text(), server_default="", nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("stop_asked", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("beat_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_performances_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_performances")),
        sa.UniqueConstraint("conversation_id", name=op.f("uq_performances_conversation_id")),
    )
    op.create_table(
        "pruned",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("leaf_id", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_pruned_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_pruned")),
    )
    with op.batch_alter_table("pruned", schema=None) as batch_op:
        batch_op.create_index("ix_pruned_conversation_id", ["conversation_id"], unique=False)

    op.create_table(
        "segments",
        sa.Column("id", SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("parent_segment_id", SEQUENCE, nullable=True),
        sa.Column("fork_depth", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_segments_conversation_id_conversations")
        ),
        sa.ForeignKeyConstraint(
            ["parent_segment_id"], ["segments.id"], name=op.f("fk_segments_parent_segment_id_segments")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_segments")),
    )
    with op.batch_alter_table("segments", schema=None) as batch_op:
        batch_op.create_index("ix_segments_conversation_id", ["conversation_id"], unique=False)
        batch_op.create_index("ix_segments_parent_segment_id", ["parent_segment_id"], unique=False)

    op.create_table(
        "tips",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("leaf_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_tips_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_tips")),
    )
    with op.batch_alter_table("tips", schema=None) as batch_op:
        batch_op.create_index("ix_tips_conversation_id", ["conversation_id"], unique=False)

    op.create_table(
        "entries",
        sa.Column("seq", SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("parent_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("extra", sa.JSON(), nullable=False),
        sa.Column("target_id", sa.Text(), nullable=True),
        sa.Column("segment_id", SEQUENCE, nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("state_id", sa.Text(), nullable=True),
        sa.Column("summary_id", sa.Text(), nullable=True),
        sa.Column("save_id", sa.Text(), nullable=True),
        sa.Column("setting_id", sa.Text(), nullable=True),
        sa.Column("jump_id", sa.Text(), nullable=True),
        sa.Column("jump_depth", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_entries_conversation_id_conversations")
        ),
        sa.ForeignKeyConstraint(["segment_id"], ["segments.id"], name=op.f("fk_entries_segment_id_segments")),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_entries")),
        sa.UniqueConstraint("id", name=op.f("uq_entries_id")),
        sa.UniqueConstraint("segment_id", "depth", name=op.f("uq_entries_segment_id_depth")),
    )
    with op.batch_alter_table("entries", schema=None) as batch_op:
        batch_op.create_index("ix_entries_conversation_id_parent_id", ["conversation_id", "parent_id"], unique=False)
        batch_op.create_index("ix_entries_target_id", ["target_id"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("The first schema has nothing below it.")
