"""From a view to HTML. A template sees the fields of its view and the few names listed here; any other is an error.

Names that every template has, macros too: `_`, `ngettext` (and `{% trans %}`), `lang`, `static(path)`,
`remembered(macro, values…)`, and the filters `prose`, `growing_prose` and `in_words` (of a trouble that was kept).
Names that pages and fragments have, macros only by argument: `csrf`, `preferences`, `signed_in`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from liyuan.assets import templates_dir
from liyuan.domain.trouble import error_of
from liyuan.web.i18n import LANGUAGES, words
from liyuan.web.problem import explain
from liyuan.web.prose import growing_prose, prose
from liyuan.web.remembered import Remembered, whole
from liyuan.web.static import static_address
from liyuan.web.visitor import Visitor, visitor_of

#: The names of the second kind above.
PAGE_NAMES = frozenset({"csrf", "preferences", "signed_in"})


@dataclass(frozen=True)
class View:
    """Everything one template shows. A subclass is a frozen dataclass that names its path below `templates/`.

    One that `is_kept` is large and seldom changes: what was drawn for a visitor is sent again. Its fields are hashable.
    """

    template: ClassVar[str]
    is_kept: ClassVar[bool] = False


def render(
    request: HTTPConnection, view: View, *, status: int = 200, headers: Mapping[str, str] | None = None
) -> HTMLResponse:
    """The view as a response, a whole page or a fragment as its template has it."""
    sent = {"Vary": "HX-Request", "Cache-Control": "private, no-cache", **(headers or {})}
    return HTMLResponse(html_of(request, view), status_code=status, headers=sent)


def html_of(request: HTTPConnection, view: View) -> str:
    """The view as text, in the language and with the token of this visitor."""
    return html_for(visitor_of(request), view)


def html_for(visitor: Visitor, view: View) -> str:
    """The view as text for a visitor kept from an earlier moment, as streams do."""
    return whole(_draw, visitor, view) if view.is_kept else _draw(visitor, view)


def _draw(visitor: Visitor, view: View) -> str:
    template = environment(visitor.language).get_template(view.template)
    return template.render(_page_names(visitor), **{field.name: getattr(view, field.name) for field in fields(view)})


def _page_names(visitor: Visitor) -> dict[str, object]:
    return {
        "csrf": visitor.csrf,
        "preferences": visitor.preferences,
        "signed_in": visitor.sign_in is not None,
    }


def _teller(language: str) -> Callable[[str], str]:
    """Tells a kept trouble in one language."""
    visitor = Visitor(language=language)
    return lambda text: explain(error_of(text), visitor, "GET").detail


@cache
def environment(language: str) -> Environment:
    """Templates in one language. `_("%(name)s is here", name=…)` escapes what it is given; a bare % is written %%."""
    made = Environment(
        loader=FileSystemLoader(templates_dir()),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    made.policies["ext.i18n.trimmed"] = True
    i18n: Any = made
    i18n.install_gettext_translations(words(language), newstyle=True)
    made.filters.update(prose=prose, growing_prose=growing_prose, in_words=_teller(language))
    made.globals.update(lang=LANGUAGES[language], static=static_address, remembered=Remembered(language))
    return made
