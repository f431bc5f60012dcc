"""The browser's files are kept for ever under the hash of what is in them, and asked for again without it."""

from __future__ import annotations

import httpx
import pytest

from liyuan.web.static import static_address

FOR_EVER = "public, max-age=31536000, immutable"


async def test_an_address_with_the_hash_may_be_kept_for_ever(program: httpx.AsyncClient) -> None:
    answer = await program.get(static_address("css/base.css"))
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == FOR_EVER


@pytest.mark.parametrize("query", ["", "?v=0123456789ab", "?v="])
async def test_any_other_address_is_asked_for_again(program: httpx.AsyncClient, query: str) -> None:
    answer = await program.get(f"/static/css/base.css{query}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-cache"


async def test_what_has_not_changed_is_not_sent_again(program: httpx.AsyncClient) -> None:
    first = await program.get("/static/css/base.css")
    again = await program.get("/static/css/base.css", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


async def test_a_page_is_sent_small(program: httpx.AsyncClient) -> None:
    answer = await program.get("/static/css/base.css", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "path", ["/static/%2e%2e/pyproject.toml", "/static/..%2fpyproject.toml", "/static/none.css", "/static/"]
)
async def test_nothing_beside_the_files_is_given(program: httpx.AsyncClient, path: str) -> None:
    assert (await program.get(path)).status_code == 404


def test_a_file_that_is_not_there_has_no_address() -> None:
    with pytest.raises(FileNotFoundError):
        static_address("css/none.css")
