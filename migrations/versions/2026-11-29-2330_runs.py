"""Runs after a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0002_runs"
down_revision = "0001_tree"
branch_labels = None
depends_on = None


def upgrade() -> None:

    op.create_table(
        "runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=False),
        sa.Column("anchor_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("trouble", sa.Text(), server_default="", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("beat_at", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name=op.f("fk_runs_conversation_id_conversations")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.create_index("ix_runs_conversation_id_id", ["conversation_id", "id"], unique=False)
        batch_op.create_index("ix_runs_conversation_id_state", ["conversation_id", "state"], unique=False)
        batch_op.create_index("ix_runs_state", ["state"], unique=False)


def downgrade() -> None:

    with op.batch_alter_table("runs", schema=None) as batch_op:
        batch_op.drop_index("ix_runs_state")
        batch_op.drop_index("ix_runs_conversation_id_state")
        batch_op.drop_index("ix_runs_conversation_id_id")

    op.drop_table("runs")
