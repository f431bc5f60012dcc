"""The editor of a connection as a value: text in, a wish or a word beside each field out. It holds no saved key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args

from starlette.datastructures import FormData

from liyuan.domain.errors import Invalid, LiyuanError
from liyuan.model.chat import Sampling
from liyuan.model.connect import ModelSettings, Provider
from liyuan.play.connections import Wish
from liyuan.resources import sampling_of
from liyuan.store.library import ConnectionRow
from liyuan.web.fields import text

OUT_OF_RANGE = "A number from {low} to {high}, or nothing."
NOT_WHOLE = "A whole number from {low} to {high}, or nothing."
NOT_AN_OBJECT = "A JSON object such as {example}, or nothing."

#: Sampler → the lowest and highest value that makes sense to any server.
NUMBERS = {
    "temperature": (0.0, 5.0),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "frequency_penalty": (-2.0, 2.0),
    "presence_penalty": (-2.0, 2.0),
    "repetition_penalty": (0.0, 5.0),
}
WHOLE = {
    "top_k": (0, 10_000),
    "max_tokens": (1, 1_000_000),
    "seed": (-1, 2**63 - 1),
    "context_tokens": (512, 10_000_000),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionForm:
    """What the editor shows, all of it text. `stop` has one string a line, with a line break in it written `\\n`."""

    provider: str = "openai"
    base_url: str = ""
    model: str = ""
    name: str = ""
    scribe_model: str = ""
    summary_model: str = ""
    context_tokens: str = ""
    temperature: str = ""
    top_p: str = ""
    top_k: str = ""
    min_p: str = ""
    frequency_penalty: str = ""
    presence_penalty: str = ""
    repetition_penalty: str = ""
    max_tokens: str = ""
    seed: str = ""
    stop: str = ""
    extra_body: str = ""
    key: str = field(default="", repr=False)
    #: "on" when the saved key is to be forgotten.
    forget_key: str = ""

    @property
    def is_tuned(self) -> bool:
        """Whether anything is set beyond where the model is."""
        return any(getattr(self, name) for name in (*NUMBERS, *WHOLE, "stop", "extra_body"))

    @property
    def has_helpers(self) -> bool:
        """Whether another model than the story's works behind the curtain."""
        return bool(self.scribe_model or self.summary_model)

    @property
    def shown(self) -> ConnectionForm:
        """The form as it goes back to the browser: without the key."""
        return replace(self, key="")


def form_of_connection(row: ConnectionRow) -> ConnectionForm:
    sampling = sampling_of(row.options.get("sampling"))
    numbers = {name: _said(getattr(sampling, name)) for name in (*NUMBERS, *WHOLE) if name != "context_tokens"}
    return ConnectionForm(
        provider=row.provider,
        base_url=row.base_url,
        model=row.model,
        name=row.name,
        scribe_model=_said(row.options.get("scribe_model")),
        summary_model=_said(row.options.get("summary_model")),
        context_tokens=_said(row.options.get("context_tokens")),
        stop="\n".join(one.replace("\\", "\\\\").replace("\n", "\\n") for one in sampling.stop),
        extra_body=json.dumps(sampling.extra_body, ensure_ascii=False, indent=2) if sampling.extra_body else "",
        **numbers,
    )


def form_of_fields(sent: FormData) -> ConnectionForm:
    """The editor as it was sent."""
    return ConnectionForm(**{one.name: text(sent, one.name).strip() for one in fields(ConnectionForm)})


def wish_of(form: ConnectionForm) -> tuple[Wish | None, Mapping[str, LiyuanError]]:
    """What the form asks for; None, with a trouble for each field that cannot be read, when something is wrong."""
    troubles: dict[str, LiyuanError] = {}

    def read(name: str, reader: Callable[[str, str], Any]) -> Any:
        try:
            return reader(name, getattr(form, name))
        except LiyuanError as error:
            troubles[name] = error
            return None

    numbers = {name: read(name, _number) for name in NUMBERS}
    whole = {name: read(name, _whole) for name in WHOLE}
    extra = read("extra_body", _object)
    provider = read("provider", _provider)
    if provider:
        read("base_url", lambda _, address: ModelSettings(provider=provider, base_url=address).address)
    if troubles:
        return None, troubles
    context_tokens = whole.pop("context_tokens")
    stop = tuple(_unescaped(line) for line in form.stop.split("\n") if line)
    sampling = Sampling(**numbers, **whole, stop=stop, extra_body=extra)
    wish = Wish(
        provider=provider,
        base_url=form.base_url,
        model=form.model,
        name=form.name,
        key=form.key,
        forget_key=bool(form.forget_key),
        sampling=sampling,
        context_tokens=context_tokens,
        scribe_model=form.scribe_model,
        summary_model=form.summary_model,
    )
    return wish, {}


def _provider(_name: str, value: str) -> Provider:
    if value not in get_args(Provider):
        raise Invalid("This cannot be done: there is no provider called {provider}.", provider=value)
    known: Provider = value  # type: ignore[assignment]
    return known


def _number(name: str, value: str) -> float | None:
    low, high = NUMBERS[name]
    if not value:
        return None
    try:
        number = float(value.replace(",", "."))
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise Invalid(OUT_OF_RANGE, low=_said(low), high=_said(high))
    return number


def _whole(name: str, value: str) -> int | None:
    low, high = WHOLE[name]
    if not value:
        return None
    digits = value.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and low <= int(value) <= high):
        raise Invalid(NOT_WHOLE, low=low, high=high)
    return int(value)


def _object(_name: str, value: str) -> Mapping[str, object]:
    try:
        found = json.loads(value or "{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Invalid(NOT_AN_OBJECT, example='{"mirostat": 2}')
    return found


def _unescaped(line: str) -> str:
    return "\\".join(part.replace("\\n", "\n") for part in line.split("\\\\"))


def _said(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
