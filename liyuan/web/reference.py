"""The API described for people, drawn from the same description that programs read at `/openapi.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fastapi import APIRouter, Request, Response

from liyuan.web.render import View, render

router = APIRouter(include_in_schema=False)

METHODS = ("get", "post", "put", "patch", "delete")
DEEPEST = 6


@dataclass(frozen=True)
class Parameter:
    name: str
    place: str
    kind: str
    required: bool
    meaning: str


@dataclass(frozen=True)
class Body:
    """What is sent or answered: its media type and an example, empty where it is not JSON."""

    media_type: str
    example: str


@dataclass(frozen=True)
class Answer:
    status: str
    meaning: str
    body: Body | None


@dataclass(frozen=True)
class Operation:
    """One call. `anchor` names its place on the page."""

    anchor: str
    method: str
    path: str
    title: str
    meaning: str
    parameters: tuple[Parameter, ...]
    body: Body | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class ReferenceView(View):
    template: ClassVar[str] = "pages/reference.html"
    version: str
    operations: tuple[Operation, ...]


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The whole API on one page."""
    described = request.app.openapi()
    operations = tuple(operations_of(described))
    return render(request, ReferenceView(str(described["info"]["version"]), operations))


def operations_of(described: Mapping[str, Any]) -> Iterator[Operation]:
    """Every call of an OpenAPI description, in the order of its paths."""
    for path, item in described["paths"].items():
        for method in METHODS:
            if method in item:
                yield _operation(method, path, item[method], described)


def _operation(method: str, path: str, said: Mapping[str, Any], described: Mapping[str, Any]) -> Operation:
    return Operation(
        anchor=str(said.get("operationId", f"{method}{path}")),
        method=method.upper(),
        path=path,
        title=str(said.get("summary", "")),
        meaning=str(said.get("description", "")),
        parameters=tuple(_parameter(_found(one, described), described) for one in said.get("parameters", ())),
        body=_body(said.get("requestBody", {}), described),
        answers=tuple(
            Answer(status, str(told.get("description", "")), _body(told, described))
            for status, told in said.get("responses", {}).items()
        ),
    )


def _parameter(said: Mapping[str, Any], described: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=said["name"],
        place=said["in"],
        kind=_kind(said.get("schema", {}), described),
        required=bool(said.get("required")),
        meaning=str(said.get("description", "")),
    )


def _kind(schema: Mapping[str, Any], described: Mapping[str, Any]) -> str:
    schema = _found(schema, described)
    if choices := schema.get("enum"):
        return " | ".join(map(str, choices))
    if either := schema.get("anyOf"):
        return " | ".join(_kind(one, described) for one in either)
    return str(schema.get("type", "any"))


def _body(said: Mapping[str, Any], described: Mapping[str, Any]) -> Body | None:
    for media_type, content in said.get("content", {}).items():
        if "json" not in media_type:
            return Body(media_type, "")
        example = _first_example(content)
        if example is None:
            example = example_of(content.get("schema", {}), described)
        return Body(media_type, json.dumps(example, ensure_ascii=False, indent=2))
    return None


def _first_example(content: Mapping[str, Any]) -> Any:
    if "example" in content:
        return content["example"]
    examples = content.get("examples")
    if isinstance(examples, Mapping):
        return next((one.get("value") for one in examples.values()), None)
    return examples[0] if examples else None


def example_of(schema: Mapping[str, Any], described: Mapping[str, Any], depth: int = 0) -> Any:
    """The example that a schema names, else one put together from its parts."""
    schema = _found(schema, described)
    given = next((schema[name] for name in ("example", "default", "const") if name in schema), None)
    if given is None and (listed := schema.get("examples") or schema.get("enum")):
        given = listed[0]
    if given is not None or depth > DEEPEST:
        return given
    if either := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return example_of(either[0], described, depth + 1)
    if schema.get("type") == "array":
        return [example_of(schema.get("items", {}), described, depth + 1)]
    if parts := schema.get("properties"):
        return {name: example_of(part, described, depth + 1) for name, part in parts.items()}
    return {"string": "…", "integer": 0, "number": 0.0, "boolean": True, "object": {}}.get(str(schema.get("type")))


def _found(schema: Mapping[str, Any], described: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a `$ref` within the description points at."""
    while "$ref" in schema:
        found: Any = described
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema
