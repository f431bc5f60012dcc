"""An index of the moves that undo and redo go by, so that a page can tell whether there are any."""

import sqlalchemy as sa
from alembic import op

revision = "0006_jumps"
down_revision = "0005_uses"
branch_labels = None
depends_on = None

IS_JUMP = sa.text("cause <> 'append'")


def upgrade() -> None:
    op.create_index(
        "ix_moves_jumps",
        "moves",
        ["conversation_id", "seq", "cause"],
        unique=False,
        sqlite_where=IS_JUMP,
        postgresql_where=IS_JUMP,
    )


def downgrade() -> None:
    op.drop_index("ix_moves_jumps", table_name="moves")
