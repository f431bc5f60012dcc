"""One says who one is, picks one by default, and can take everything back."""

from __future__ import annotations

from tests.web.browser import Browser, page


async def write(browser: Browser, name: str) -> str:
    """Writes a persona; gives the address of its editor."""
    assert (await browser.send("/personas/new", {"name": name, "description": f"About\n{name}."})).status_code == 303
    links = page(await browser.read("/personas")).select(".line-way")
    return str(next(link["href"] for link in links if name in link.text))


async def names_by_default(browser: Browser) -> list[str]:
    lines = page(await browser.read("/personas")).select(".line")
    return [line.select_one(".line-title").text for line in lines if line.select_one(".badge")]  # type: ignore[union-attr]


async def test_an_empty_page_says_how_to_begin(browser: Browser) -> None:
    assert page(await browser.read("/personas")).select_one(".empty a")["href"] == "/personas/new"  # type: ignore[index]


async def test_the_first_one_is_the_default_until_another_is_chosen(browser: Browser) -> None:
    await write(browser, "Mara")
    lin = await write(browser, "Lin")
    assert await names_by_default(browser) == ["Mara"]
    await browser.send(f"{lin}/default")
    assert await names_by_default(browser) == ["Lin"]


async def test_what_was_written_can_be_written_anew(browser: Browser) -> None:
    address = await write(browser, "Mara")
    assert "About\nMara." in page(await browser.read(address)).select_one("textarea").text  # type: ignore[union-attr]
    await browser.send(address, {"name": "Mara Vane", "description": ""})
    assert page(await browser.read(address)).select_one("#name")["value"] == "Mara Vane"  # type: ignore[index]


async def test_without_a_name_the_words_stay_on_the_page(browser: Browser) -> None:
    answer = await browser.send("/personas/new", {"name": " ", "description": "A courier."})
    assert answer.status_code == 422
    assert "A courier." in page(answer).select_one("textarea").text  # type: ignore[union-attr]
    assert page(answer).select_one("[role=alert]") is not None


async def test_a_deleted_one_comes_back(browser: Browser) -> None:
    address = await write(browser, "Mara")
    gone = await browser.send(f"{address}/delete")
    undo = page(await browser.read(gone.headers["location"])).select_one("form.toast")
    assert undo is not None and undo["action"] == f"{address}/undelete"
    assert (await browser.read(address)).status_code == 404
    assert "personas-changed" in (await browser.act(f"{address}/undelete")).headers["HX-Trigger"]
    assert (await browser.read(address)).status_code == 200
