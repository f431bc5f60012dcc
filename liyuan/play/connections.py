"""Ways to a model, as a person saves and tries them. A saved key goes to the server it was saved for, nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from liyuan.domain.errors import Invalid
from liyuan.model.chat import Sampling
from liyuan.model.connect import ModelSettings, Provider
from liyuan.model.trial import Tried, list_models, try_connection
from liyuan.resources import Resources
from liyuan.store.library import ConnectionRow, add_connection, change_connection, default_connection, load_connection

FOREIGN_KEY = (
    "The saved key was given for {server} and is not sent anywhere else. Enter the key for the new address, "
    "or choose to forget the saved one."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A connection as the person fills it in. An empty `key` means the saved one, unless it is to be forgotten.

    An empty `scribe_model` or `summary_model` means the model of the story.
    """

    provider: Provider
    base_url: str = ""
    model: str = ""
    name: str = ""
    key: str = field(default="", repr=False)
    forget_key: bool = False
    sampling: Sampling = field(default_factory=Sampling)
    context_tokens: int | None = None
    scribe_model: str = ""
    summary_model: str = ""

    @property
    def options(self) -> dict[str, Any]:
        """As `ConnectionRow.options` keeps them: only what is set."""
        said = {name: value for name, value in asdict(self.sampling).items() if value not in (None, (), {})}
        kept: dict[str, Any] = {"sampling": {name: _plain(value) for name, value in said.items()}}
        others = {
            "context_tokens": self.context_tokens,
            "scribe_model": self.scribe_model.strip(),
            "summary_model": self.summary_model.strip(),
        }
        return {**kept, **{name: value for name, value in others.items() if value}}


async def keep_connection(resources: Resources, wish: Wish, connection_id: str | None = None) -> ConnectionRow:
    """Saves a new connection, or changes a saved one; the key is sealed.

    Raises NotFound, or Invalid for an address that is none or a saved key that belongs to another server.
    """
    settings = await settings_for(resources, wish, connection_id)
    fields: dict[str, Any] = {
        "name": wish.name.strip() or _usual_name(settings),
        "provider": wish.provider,
        "base_url": wish.base_url.strip(),
        "model": wish.model.strip(),
        "sealed_key": resources.secrets.seal(settings.api_key) if settings.api_key else None,
        "options": wish.options,
    }
    if connection_id is None:
        return await resources.database.write(add_connection, **fields)
    return await resources.database.write(change_connection, connection_id, **fields)


async def understudy_plays(resources: Resources) -> bool:
    """Whether the built-in performer plays where a story does not name a model."""
    row = await resources.database.read(default_connection)
    if row is not None:
        return row.provider == "understudy"
    return resources.models.from_environment() is None


async def models_of(resources: Resources, wish: Wish, connection_id: str | None = None) -> list[str]:
    """The models that the server of a wish offers. Raises ModelFailed, and what `settings_for` raises."""
    return await list_models(await settings_for(resources, wish, connection_id))


async def try_wish(resources: Resources, wish: Wish, connection_id: str | None = None) -> Tried:
    """Puts a real request before anything is saved. Raises ModelFailed, and what `settings_for` raises."""
    return await try_connection(await settings_for(resources, wish, connection_id))


async def try_saved(resources: Resources, connection_id: str | None) -> Tried:
    """Puts a real request over a saved connection; None means the one of the environment, else the understudy.

    Raises NotFound, SealBroken or ModelFailed.
    """
    if connection_id is None:
        return await try_connection(resources.models.from_environment() or ModelSettings())
    row = await resources.database.read(load_connection, connection_id)
    return await try_connection(resources.models.of(row))


async def settings_for(resources: Resources, wish: Wish, connection_id: str | None = None) -> ModelSettings:
    """Where a wish leads, with its own key or the one saved before. Nothing is saved. Raises as `keep_connection`."""
    asked = ModelSettings(
        provider=wish.provider, base_url=wish.base_url.strip(), name=wish.model.strip(), api_key=wish.key.strip()
    )
    server = asked.server
    if asked.api_key or wish.forget_key or connection_id is None:
        return asked
    row = await resources.database.read(load_connection, connection_id)
    if row.sealed_key is None:
        return asked
    saved = resources.models.of(row)
    if saved.server != server:
        raise Invalid(FOREIGN_KEY, server=saved.server)
    return replace(asked, api_key=saved.api_key)


def _usual_name(settings: ModelSettings) -> str:
    return settings.name or settings.server


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
