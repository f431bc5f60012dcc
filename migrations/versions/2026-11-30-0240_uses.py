"""What a model does with its context tools in a turn, kept with the turn in progress."""

import sqlalchemy as sa
from alembic import op

revision = "0005_uses"
down_revision = "0004_memories"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("performances", schema=None) as batch_op:
        batch_op.add_column(sa.Column("uses", sa.JSON(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("performances", schema=None) as batch_op:
        batch_op.drop_column("uses")
