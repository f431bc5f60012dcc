"""Pictures come by their id, small where a small one will do, and nothing in them is run."""

from __future__ import annotations

from io import BytesIO

import pytest
from fastapi import FastAPI
from PIL import Image

from liyuan.play.card_files import default_picture
from liyuan.resources import Resources
from liyuan.store.media import save_media
from tests.web.browser import Browser


def media(app: FastAPI) -> Resources:
    resources: Resources = app.state.resources
    return resources


async def test_a_picture_is_sent_in_the_size_asked_for(browser: Browser, open_app: FastAPI) -> None:
    picture = save_media(media(open_app).media, default_picture("Ash"), ".png")
    for size, width in (("small", 160), ("poster", 480), ("page", 512)):
        for _ in range(2):
            answer = await browser.read(f"/media/{picture}/{size}")
            assert answer.headers["content-type"] == "image/webp"
            assert Image.open(BytesIO(answer.content)).width == width
    assert (await browser.read(f"/media/{picture}")).content == default_picture("Ash")


async def test_a_picture_may_be_kept_for_ever_by_this_browser_alone(browser: Browser, open_app: FastAPI) -> None:
    picture = save_media(media(open_app).media, default_picture("Ash"), ".png")
    kept = (await browser.read(f"/media/{picture}/small")).headers["cache-control"]
    assert "immutable" in kept and "private" in kept


@pytest.mark.parametrize("size", ["", "/small"])
async def test_a_drawing_runs_no_script(browser: Browser, open_app: FastAPI, size: str) -> None:
    drawing = save_media(media(open_app).media, b"<svg xmlns='http://www.w3.org/2000/svg'/>", ".svg")
    answer = await browser.read(f"/media/{drawing}{size}")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_a_broken_picture_is_sent_as_it_is(browser: Browser, open_app: FastAPI) -> None:
    broken = save_media(media(open_app).media, b"\x89PNG\r\n\x1a\nbroken", ".png")
    assert (await browser.read(f"/media/{broken}/small")).content == b"\x89PNG\r\n\x1a\nbroken"


@pytest.mark.parametrize("path", ["a" * 40, f"{'a' * 40}/small", "secret.key", "x/poster"])
async def test_what_is_no_picture_is_not_found(browser: Browser, path: str) -> None:
    assert (await browser.read(f"/media/{path}")).status_code == 404
