"""Saves, worldlines and tags."""

import sqlalchemy as sa
from alembic import op

revision = "0003_saves"
down_revision = "0002_runs"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "saves",
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("above_id", sa.Text(), nullable=True),
        sa.Column("worldline_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), server_default="user", nullable=False),
        sa.Column("deleted_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_saves_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("entry_id", name=op.f("pk_saves")),
    )
    with op.batch_alter_table("saves", schema=None) as batch_op:
        batch_op.create_index("ix_saves_above_id", ["above_id"], unique=False)
        batch_op.create_index("ix_saves_conversation_id", ["conversation_id"], unique=False)

    op.create_table(
        "worldlines",
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_worldlines_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("conversation_id", "id", name=op.f("pk_worldlines")),
    )

    op.create_table(
        "tags",
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("entry_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_tags_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("conversation_id", "name", name=op.f("pk_tags")),
    )
    with op.batch_alter_table("tags", schema=None) as batch_op:
        batch_op.create_index("ix_tags_entry_id", ["entry_id"], unique=False)


def downgrade() -> None:

    op.drop_table("tags")
    op.drop_table("worldlines")
    op.drop_table("saves")
