"""The one edge where errors become answers: problem+json for programs, a toast for htmx, a page for forms and links."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote, urlsplit

import structlog
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from liyuan.domain.errors import LiyuanError
from liyuan.log import places
from liyuan.web.problem import Problem, explain
from liyuan.web.render import View, render
from liyuan.web.typed import SECRET, Typed, form_of, typed_words
from liyuan.web.visitor import visitor_of

log = structlog.stdlib.get_logger(__name__)

#: After these a form can be sent once more as it is.
SEND_AGAIN = frozenset({401, 403, 429, 500, 502, 503, 504})


@dataclass(frozen=True)
class ErrorView(View):
    """A page of its own. `typed` is shown to be copied, and sent again to `resend` where that may help."""

    template: ClassVar[str] = "pages/error.html"
    status: int
    title: str
    detail: str
    typed: tuple[Typed, ...]
    carried: Mapping[str, str]
    resend: str | None
    back: str
    sign_in: str | None


@dataclass(frozen=True)
class ToastView(View):
    """A short word at the edge of the page; `type` is the problem's."""

    template: ClassVar[str] = "errors/_toast.html"
    type: str
    title: str
    detail: str
    sign_in: str | None


async def answer(request: Request, error: Exception) -> Response:
    """The answer to an error in the shape that the asker can use. Says nothing about the inside of the server."""
    problem = explain(error, visitor_of(request), request.method)
    tell(request, error, problem)
    if _wants_json(request):
        return _as_json(problem)
    if request.headers.get("hx-request") == "true":
        return _as_toast(request, problem)
    return await _as_page(request, problem)


#: For FastAPI: every kind of error that the framework itself would answer otherwise.
HANDLERS: dict[int | type[Exception], Callable[[Request, Any], Coroutine[Any, Any, Response]]] = {
    LiyuanError: answer,
    HTTPException: answer,
    RequestValidationError: answer,
}


class Edge:
    """Answers what was raised further in: by the guards, and by faults that nobody foresaw."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except ClientDisconnect:
            return
        except Exception as error:  # The edge of the house: beyond it there are only people.
            request = Request(scope, receive)
            if started:
                tell(request, error, explain(error, visitor_of(request), request.method))
                return
            response = await answer(request, error)
            await response(scope, receive, send)


def tell(request: Request, error: Exception, problem: Problem) -> None:
    """Writes the error into the log: kind and place, never the words of a story or a key that its message may hold."""
    said = {"type": problem.type, "status": problem.status, "method": request.method, "route": route_of(request.scope)}
    if problem.type == "internal":
        log.error("fault", **said, number=problem.fields.get("number"), kind=type(error).__name__, at=places(error))
    elif problem.status >= 500:
        log.warning("trouble", **said, cause=type(error.__cause__).__name__ if error.__cause__ else None)
    else:
        log.debug("refused", **said)


def route_of(scope: Scope) -> str:
    """The pattern of the route that answers, so that no id, no search and no guess of an address stands in a log."""
    return str(getattr(scope.get("route"), "path", "none"))


def _wants_json(request: Request) -> bool:
    accept = request.headers.get("accept", "*/*")
    return request.url.path.startswith("/api/") or not ("text/html" in accept or "*/*" in accept)


def _as_json(problem: Problem) -> Response:
    return JSONResponse(
        problem.members(), problem.status, headers=dict(problem.headers), media_type="application/problem+json"
    )


def _as_toast(request: Request, problem: Problem) -> Response:
    """Swapped into the corner for toasts, whatever the element that asked had in mind; nothing else moves."""
    view = ToastView(problem.type, problem.title, problem.detail, _sign_in(problem, "/"))
    headers = {"HX-Retarget": "#toasts", "HX-Reswap": "beforeend", "HX-Reselect": ".toast", "HX-Push-Url": "false"}
    return render(request, view, status=problem.status, headers={**problem.headers, **headers})


async def _as_page(request: Request, problem: Problem) -> Response:
    typed = await typed_words(request.scope)
    names = {field.name for field in typed} | {"csrf"}
    carried = {name: text for name, text in (await form_of(request.scope)).items() if name not in names}
    again = bool(typed) and problem.status in SEND_AGAIN and not any(name.endswith(SECRET) for name in carried)
    view = ErrorView(
        status=problem.status,
        title=problem.title,
        detail=problem.detail,
        typed=typed,
        carried=carried if again else {},
        resend=request.url.path if again else None,
        back=_back(request),
        sign_in=_sign_in(problem, "/" if typed else _back(request)),
    )
    return render(request, view, status=problem.status, headers=problem.headers)


def _sign_in(problem: Problem, then: str) -> str | None:
    return f"/login?next={quote(then)}" if problem.status == 401 else None


def _back(request: Request) -> str:
    """The page the person came from, when it is one of ours."""
    came = urlsplit(request.headers.get("referer", ""))
    return came.path if came.path and came.netloc == request.headers.get("host") else "/"
