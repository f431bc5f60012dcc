"""Runs migrations on the connection that `liyuan.store.migrate` hands in."""

from alembic import context

from liyuan.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
with context.begin_transaction():
    context.run_migrations()
