"""The answer to an Undo: with scripts the page hears that a list has changed, without them it is drawn anew."""

from __future__ import annotations

import json

from fastapi import Request, Response
from starlette.responses import RedirectResponse


def brought_back(request: Request, noun: str, then: str) -> Response:
    """Tells the event `<noun>-changed` on the body (the toast that asked is gone by then), or leads to `then`."""
    if "hx-request" in request.headers:
        return Response(headers={"HX-Trigger": json.dumps({f"{noun}-changed": {"target": "body"}})})
    return RedirectResponse(then, 303)
