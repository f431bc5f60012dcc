"""Two choices beside every page: light or dark, and the language. One stays on the page where one chose."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from liyuan.resources import Resources
from liyuan.store.library import keep_preferences

router = APIRouter(include_in_schema=False)


@router.post("/settings/quick")
async def choose(
    request: Request,
    theme: Annotated[Literal["light", "dark"] | None, Form()] = None,
    language: Annotated[Literal["en", "zh"] | None, Form()] = None,
) -> Response:
    """Keeps what was chosen. A script has shown a theme already; another language draws the page anew."""
    chosen = {"theme": theme, "language": language}
    resources: Resources = request.app.state.resources
    await resources.database.write(keep_preferences, **{name: value for name, value in chosen.items() if value})
    if "hx-request" in request.headers:
        return Response(status_code=204, headers={"HX-Refresh": "true"} if language else {})
    return RedirectResponse(came_from(request), 303)


def came_from(request: Request) -> str:
    """The page that a form was sent from: its path on this server, never another one's."""
    page = urlsplit(request.headers.get("referer", ""))
    path = f"/{page.path.lstrip('/')}"
    return f"{path}?{page.query}" if page.query else path
