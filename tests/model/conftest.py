"""What the tests of the model floor share: a short way to hear a whole reply from some server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, replace

import pytest

from liyuan.domain.errors import ModelFailed
from liyuan.model.chat import ChatModel, Delta, Finish, Reasoning, Request, Said, Spoken
from liyuan.model.connect import ModelSettings, Provider
from liyuan.model.providers import ProviderModel
from tests.peers import Step, WildServer

KEY = "sk-a-very-secret-key-0123456789"
HELLO = Request(messages=(Said(role="system", text="Be kind."), Said(role="user", text="Hello")))


@dataclass
class Reply:
    """Everything that was heard, and how it ended."""

    pieces: list[Spoken]
    failure: ModelFailed | None = None

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Delta))

    @property
    def thinking(self) -> str:
        return "".join(piece.text for piece in self.pieces if isinstance(piece, Reasoning))

    @property
    def finish(self) -> Finish:
        assert self.failure is None, self.failure
        last = self.pieces[-1]
        assert isinstance(last, Finish)
        return last

    @property
    def kind(self) -> object:
        assert self.failure is not None, self.pieces
        return self.failure.fields["kind"]


async def hear(model: ChatModel, request: Request = HELLO) -> Reply:
    reply = Reply([])
    try:
        async with aclosing(model.stream(request)) as pieces:
            async for piece in pieces:
                reply.pieces.append(piece)
    except ModelFailed as failure:
        reply.failure = failure
    return reply


class Wild:
    """A server of the test's own making and the model on it."""

    def __init__(self) -> None:
        self._open = AsyncExitStack()
        self.server = WildServer()

    async def model(self, *answers: list[Step], provider: Provider = "openai", **settings: object) -> ProviderModel:
        self.server = WildServer(*answers)
        await self._open.enter_async_context(self.server.serving())
        plain = ModelSettings(
            provider=provider, base_url=self.server.url, api_key=KEY, name="wild", first_timeout=20, idle_timeout=20
        )
        model = ProviderModel(replace(plain, **settings))  # type: ignore[arg-type]
        self._open.push_async_callback(model.close)
        return model

    async def reply(
        self, *answers: list[Step], request: Request = HELLO, provider: Provider = "openai", **settings: object
    ) -> Reply:
        return await hear(await self.model(*answers, provider=provider, **settings), request)

    async def close(self) -> None:
        await self._open.aclose()


@pytest.fixture
async def wild() -> AsyncIterator[Wild]:
    servers = Wild()
    yield servers
    await servers.close()
