"""The one bundle handed to play and jobs. opened once, by `app` or a command, and passed along; nothing is global."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

from liyuan.domain.tokens import Correction
from liyuan.memory.opening import open_memory
from liyuan.memory.recall import Memory
from liyuan.model.chat import ChatModel, Sampling
from liyuan.model.connect import ConnectedModel, ModelSettings, Provider, open_model
from liyuan.settings import Settings
from liyuan.stage import Stage
from liyuan.store.database import Database
from liyuan.store.library import ConnectionRow
from liyuan.store.migrate import migrate
from liyuan.store.runs import Run
from liyuan.store.secrets import Secrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The model that plays, with the samplers and the window (in tokens) of its connection."""

    model: ChatModel
    sampling: Sampling = field(default_factory=Sampling)
    window: int = 32768
    connection_id: str | None = None


class Worker(Protocol):
    """Whoever carries out the runs that play queues. The run is safe in the database before it is submitted."""

    async def submit(self, run: Run) -> None: ...


class Backstage(Worker, Protocol):
    """A worker that is opened when everything else is, and closed before anything else."""

    async def open(self, resources: Resources) -> None: ...

    async def close(self) -> None: ...


class Nobody:
    """Leaves every run in the queue. For commands that end before anything could be worked on."""

    async def submit(self, run: Run) -> None:
        return None


Part: TypeAlias = Literal["story", "scribe", "summary"]


class Models:
    """Opens the models that are asked for and keeps them open. `fixed` plays every part, in tests."""

    def __init__(self, settings: Settings, secrets: Secrets, *, fixed: ChatModel | None = None) -> None:
        self._settings = settings
        self._secrets = secrets
        self._fixed = fixed
        self._open: dict[ModelSettings, ChatModel] = {}
        self._corrections: defaultdict[str, Correction] = defaultdict(Correction)

    def corrected(self, model: ChatModel, count: Callable[[str], int]) -> Callable[[str], int]:
        """`count` as this model's server would count, by what it has reported so far."""
        correction = self._corrections[model.name]
        return lambda text: correction.correct(count(text))

    def learn(self, model: ChatModel, counted: int, reported: int | None) -> None:
        """Takes in how many tokens a server reported for a prompt that we had counted ourselves, uncorrected."""
        self._corrections[model.name] = self._corrections[model.name].learn(counted, reported)

    def choose(self, row: ConnectionRow | None, part: Part = "story") -> Chosen:
        """The model of a saved connection; without one that of the environment, or else the understudy.

        The scribe and the summary may have a model of their own on the same server: the connection's options
        `scribe_model` and `summary_model`, else LIYUAN_SCRIBE_MODEL_NAME and LIYUAN_SUMMARY_MODEL_NAME.

        Raises SealBroken when the key of the connection can no longer be read.
        """
        window = self._settings.context_tokens
        if self._fixed is not None:
            return Chosen(model=self._fixed, window=window)
        if row is None:
            return Chosen(model=self.open(self._cast(self.from_environment() or ModelSettings(), part)), window=window)
        own = str(row.options.get(f"{part}_model") or "") if part != "story" else ""
        return Chosen(
            model=self.open(self._cast(self.of(row), part, own)),
            sampling=sampling_of(row.options.get("sampling")),
            window=int(row.options.get("context_tokens") or window),
            connection_id=row.id,
        )

    def _cast(self, story: ModelSettings, part: Part, own: str = "") -> ModelSettings:
        names = {"scribe": self._settings.scribe_model_name, "summary": self._settings.summary_model_name}
        name = own or names.get(part)
        return replace(story, name=name) if name and story.provider != "understudy" else story

    def of(self, row: ConnectionRow) -> ModelSettings:
        """Where a saved connection leads, its key opened."""
        return ModelSettings(
            provider=_provider(row.provider),
            base_url=row.base_url,
            name=row.model,
            api_key=self._secrets.open(row.sealed_key) if row.sealed_key else "",
        )

    def from_environment(self) -> ModelSettings | None:
        """The connection that the LIYUAN_MODEL_… settings describe; None where none of them is set."""
        given = self._settings
        if not (given.model_base_url or given.model_api_key or given.model_name):
            return None
        return ModelSettings(
            provider=given.model_provider,
            base_url=given.model_base_url or "",
            name=given.model_name or "",
            api_key=given.model_api_key.get_secret_value() if given.model_api_key else "",
        )

    def open(self, settings: ModelSettings) -> ChatModel:
        if settings not in self._open:
            self._open[settings] = open_model(settings)
        return self._open[settings]

    async def close(self) -> None:
        """Lets go of the connections that models keep."""
        for model in self._open.values():
            if isinstance(model, ConnectedModel):
                await model.close()


def sampling_of(options: Any) -> Sampling:
    """Samplers from a connection's options; what is not a sampler is passed over, null stays unset."""
    known = Sampling.__dataclass_fields__
    given = {key: value for key, value in (options or {}).items() if key in known and value is not None}
    sampling = replace(Sampling(), **given)
    return replace(sampling, stop=tuple(sampling.stop))


def _provider(name: str) -> Provider:
    return name if name in ("understudy", "openai", "anthropic", "google") else "openai"  # type: ignore[return-value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What the acts of play need. Created by `open_resources`."""

    settings: Settings
    database: Database
    stage: Stage
    models: Models
    secrets: Secrets
    worker: Worker
    memory: Memory

    @property
    def media(self) -> Path:
        """The folder of pictures."""
        return self.settings.data_dir / "media"


@asynccontextmanager
async def open_resources(
    settings: Settings, *, model: ChatModel | None = None, worker: Worker | None = None, memory: Memory | None = None
) -> AsyncIterator[Resources]:
    """Opens everything, the schema brought up to date. On closing, what is being said is written down first."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    database = Database(settings.database_url)
    migrate(database)
    secrets = Secrets(settings.data_dir)
    stage = Stage(database)
    models = Models(settings, secrets, fixed=model)
    memory = memory or open_memory(settings)
    try:
        yield Resources(
            settings=settings,
            database=database,
            stage=stage,
            models=models,
            secrets=secrets,
            worker=worker or Nobody(),
            memory=memory,
        )
    finally:
        await stage.close()
        await models.close()
        await memory.close()
        database.close()
