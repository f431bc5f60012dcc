"""The description of the API for people says what the one for programs says."""

from __future__ import annotations

from typing import Annotated, Literal

import httpx
from fastapi import FastAPI, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from liyuan.web.reference import Operation, operations_of
from tests.web.browser import page


class Said(BaseModel):
    text: str = Field(examples=["A room, please."])
    parts: list[Literal["a", "b"]]
    note: str | None = None


class Answered(BaseModel):
    model_config = ConfigDict(json_schema_extra={"example": {"id": "c1", "title": "雨夜"}})
    id: str
    title: str


def described() -> tuple[Operation, ...]:
    app = FastAPI()

    @app.post("/stories/{story}/say", status_code=201)
    async def say(
        story: Annotated[str, Path(description="The story’s id.")], said: Said, loud: Annotated[bool, Query()] = False
    ) -> Answered:
        """Says something."""
        raise NotImplementedError

    @app.get("/stories/{story}")
    async def look(story: str) -> Answered:
        raise NotImplementedError

    return tuple(operations_of(app.openapi()))


def test_every_call_is_described_once() -> None:
    assert [(call.method, call.path) for call in described()] == [
        ("POST", "/stories/{story}/say"),
        ("GET", "/stories/{story}"),
    ]


def test_a_call_tells_what_it_takes() -> None:
    say = described()[0]
    assert say.meaning == "Says something."
    assert [(one.name, one.place, one.kind, one.required) for one in say.parameters] == [
        ("story", "path", "string", True),
        ("loud", "query", "boolean", False),
    ]


def test_an_example_is_put_together_where_none_is_given() -> None:
    body = described()[0].body
    assert body is not None
    assert body.example == '{\n  "text": "A room, please.",\n  "parts": [\n    "a"\n  ],\n  "note": "…"\n}'


def test_an_example_that_is_given_is_shown() -> None:
    answer = described()[0].answers[0]
    assert answer.status == "201"
    assert answer.body is not None
    assert '"title": "雨夜"' in answer.body.example


async def test_the_page_shows_what_programs_read(program: httpx.AsyncClient) -> None:
    paths = (await program.get("/openapi.json")).json()["paths"]
    answer = await program.get("/docs", headers={"Accept": "text/html"})
    assert answer.status_code == 200
    shown = {section.h2.code.text for section in page(answer).find_all("section")}
    assert shown == set(paths)
