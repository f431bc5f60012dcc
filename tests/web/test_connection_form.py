"""The editor of a connection reads what a person writes, says what it cannot read, and never holds a saved key."""

from __future__ import annotations

import pytest
from starlette.datastructures import FormData

from liyuan.model.chat import Sampling
from liyuan.store.library import ConnectionRow
from liyuan.web.connection_form import ConnectionForm, form_of_connection, form_of_fields, wish_of

TUNED = {
    "temperature": 0.8,
    "top_p": 1.0,
    "top_k": 40,
    "seed": -1,
    "stop": ["\n\n", "<|end|>", "back\\slash", "\\n"],
    "extra_body": {"mirostat": 2, "标签": ["雨"]},
}
ROW = ConnectionRow(
    id="c",
    name="Home",
    provider="openai",
    base_url="http://127.0.0.1:8080/v1",
    model="qwen",
    sealed_key=b"sealed",
    options={"sampling": TUNED, "context_tokens": 8192},
    is_default=True,
    created_at="2026-01-31T12:00:00.000Z",
)


def test_a_connection_opened_and_saved_stays_as_it_was() -> None:
    form = form_of_connection(ROW)
    sent = [(name, getattr(form, name).replace("\n", "\r\n")) for name in form.__dataclass_fields__]
    wish, troubles = wish_of(form_of_fields(FormData(sent)))
    assert troubles == {}
    assert wish is not None and wish.options == ROW.options
    assert (wish.provider, wish.base_url, wish.model, wish.name) == ("openai", ROW.base_url, "qwen", "Home")


def test_the_form_of_a_saved_connection_holds_no_key() -> None:
    assert form_of_connection(ROW).key == ""
    assert ConnectionForm(key="sk-typed").shown.key == ""
    assert "sk-typed" not in repr(ConnectionForm(key="sk-typed"))


def test_empty_fields_leave_everything_to_the_server() -> None:
    wish, _ = wish_of(ConnectionForm(base_url="localhost:1234"))
    assert wish is not None and wish.sampling == Sampling()
    assert wish.options == {"sampling": {}}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("temperature", "warm"),
        ("temperature", "6"),
        ("temperature", "nan"),
        ("temperature", "1e999"),
        ("top_p", "1.1"),
        ("presence_penalty", "-3"),
        ("top_k", "1.5"),
        ("max_tokens", "0"),
        ("seed", "9" * 30),
        ("context_tokens", "١٢٨٠"),
        ("extra_body", "[1]"),
        ("extra_body", "{"),
        ("extra_body", "{" * 100_000),
        ("base_url", "http://"),
        ("base_url", "not an address"),
        ("provider", "acme"),
    ],
)
def test_what_cannot_be_read_is_told_beside_its_field(field: str, value: str) -> None:
    wish, troubles = wish_of(ConnectionForm(**{"base_url": "localhost", field: value}))
    assert wish is None
    assert list(troubles) == [field]


def test_a_comma_is_read_as_the_point_that_was_meant() -> None:
    wish, _ = wish_of(ConnectionForm(base_url="localhost", temperature="0,7"))
    assert wish is not None and wish.sampling.temperature == 0.7
