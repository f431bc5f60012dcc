"""Who is looking at a page and how they like it: made once per request, read by `render`, changed by nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from gettext import NullTranslations
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.requests import HTTPConnection
from starlette.types import Scope

from liyuan.web.i18n import DEFAULT, choose_language, words


class Preferences(BaseModel):
    """How the owner likes the pages, under the names they are stored by."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    theme: Literal["system", "light", "dark"] = "system"
    #: Pixels of the story's text; width of its column in em.
    text_size: Annotated[int, Field(ge=14, le=28)] = 18
    width: Annotated[int, Field(ge=28, le=52)] = 36
    #: None follows the browser.
    language: Literal["en", "zh"] | None = None
    gestures: bool = True
    send_key: Literal["enter", "shift-enter"] = "enter"
    #: Whether the story model may use its context tools inside a turn (decision 16).
    context_tools: bool = False


def read_preferences(stored: Mapping[str, object]) -> Preferences:
    """What was kept, where a value that no longer holds falls back to its default instead of closing every page."""
    kept = dict(stored)
    while True:
        try:
            return Preferences.model_validate(kept)
        except ValidationError as error:
            for name in {problem["loc"][0] for problem in error.errors(include_input=False)}:
                kept.pop(str(name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """`csrf` is the token that forms and requests of this browser bring along; `sign_in` the id of its sign-in."""

    language: str = DEFAULT
    preferences: Preferences = field(default_factory=Preferences)
    csrf: str = ""
    sign_in: str | None = None

    @property
    def words(self) -> NullTranslations:
        return words(self.language)


def visitor_of(connection: HTTPConnection) -> Visitor:
    """The visitor whom the guards found, or a stranger who speaks what the browser says, before they have."""
    found = connection.scope.setdefault("state", {}).get("visitor")
    return found if isinstance(found, Visitor) else Visitor(language=language_of(connection))


def cookie_of(scope: Scope, name: str) -> str | None:
    """A cookie of the request, None when it is not there."""
    return HTTPConnection(scope).cookies.get(name)


def language_of(connection: HTTPConnection, wanted: str | None = None) -> str:
    return choose_language(wanted, connection.headers.get("accept-language", ""))
