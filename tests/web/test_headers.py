"""What every answer forbids the browser, whatever the answer is."""

from __future__ import annotations

import pytest

from tests.web.browser import Browser, page

PATHS = ["/nowhere", "/probe", "/probe/fault", "/api/v1/nowhere", "/static/css/base.css", "/healthz"]


@pytest.mark.parametrize("path", PATHS)
async def test_no_answer_may_run_foreign_script_or_stand_in_a_frame(browser: Browser, path: str) -> None:
    answer = await browser.read(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]


async def test_a_refused_host_gets_the_headers_too(browser: Browser) -> None:
    assert "Content-Security-Policy" in (await browser.read("/", Host="evil.example")).headers


async def test_media_may_not_run_anything_even_when_opened_alone(browser: Browser) -> None:
    policy = (await browser.read("/media/none")).headers["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy


async def test_our_own_pages_need_no_script_and_no_style_within_them(browser: Browser) -> None:
    shown = page(await browser.read("/nowhere"))
    assert [script for script in shown.find_all("script") if not script.get("src")] == []
    assert shown.find_all("style") == []
    assert shown.find_all(style=True) == []


async def test_the_browser_cookie_is_read_by_no_script_and_sent_by_no_other_site(browser: Browser) -> None:
    cookie = (await browser.read("/nowhere")).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie


async def test_over_https_the_cookie_is_sent_over_https_only(browser: Browser) -> None:
    answer = await browser.client.get("https://127.0.0.1:7620/nowhere", headers={"Accept": "text/html"})
    assert "Secure" in answer.headers["Set-Cookie"]
