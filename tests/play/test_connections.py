"""A key is sealed, goes to the server it was given for, and nowhere else."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Invalid
from liyuan.model.chat import Sampling
from liyuan.play.connections import Wish, keep_connection, settings_for, understudy_plays
from liyuan.resources import Resources, sampling_of
from liyuan.store.library import delete_connection, load_connection, prefer_connection

HOME = Wish(provider="openai", base_url="http://127.0.0.1:8080/v1", model="qwen", key="sk-secret")


async def test_a_saved_key_is_sealed_and_still_opens(resources: Resources) -> None:
    row = await keep_connection(resources, HOME)
    assert row.sealed_key is not None and b"sk-secret" not in row.sealed_key
    assert resources.models.of(row).api_key == "sk-secret"
    assert row.name == "qwen"


async def test_an_empty_key_field_keeps_the_saved_key(resources: Resources) -> None:
    row = await keep_connection(resources, HOME)
    same_server = Wish(provider="openai", base_url="127.0.0.1:8080", model="llama", name="Kitchen")
    changed = await keep_connection(resources, same_server, row.id)
    assert (changed.name, changed.model, resources.models.of(changed).api_key) == ("Kitchen", "llama", "sk-secret")


async def test_a_saved_key_is_not_sent_to_another_server(resources: Resources) -> None:
    row = await keep_connection(resources, HOME)
    elsewhere = Wish(provider="openai", base_url="http://example.org/v1", model="qwen")
    with pytest.raises(Invalid):
        await settings_for(resources, elsewhere, row.id)
    with pytest.raises(Invalid):
        await keep_connection(resources, elsewhere, row.id)
    assert (await resources.database.read(load_connection, row.id)).base_url == HOME.base_url


async def test_with_a_key_of_its_own_or_none_a_connection_may_move(resources: Resources) -> None:
    row = await keep_connection(resources, HOME)
    moved = Wish(provider="openai", base_url="http://example.org/v1", model="qwen", forget_key=True)
    assert (await keep_connection(resources, moved, row.id)).sealed_key is None


async def test_samplers_and_window_come_back_as_they_were_set(resources: Resources) -> None:
    sampling = Sampling(temperature=0.0, min_p=0.05, stop=("\n\n",), extra_body={"mirostat": 2})
    wish = Wish(provider="openai", base_url="localhost", model="m", sampling=sampling, context_tokens=8192)
    row = await keep_connection(resources, wish)
    assert sampling_of(row.options["sampling"]) == sampling
    assert row.options["context_tokens"] == 8192
    assert set(row.options["sampling"]) == {"temperature", "min_p", "stop", "extra_body"}


async def test_an_address_that_is_none_is_refused(resources: Resources) -> None:
    with pytest.raises(Invalid):
        await keep_connection(resources, Wish(provider="openai", base_url="ftp://x y", model="m"))


async def test_the_understudy_plays_until_a_model_is_the_default(resources: Resources) -> None:
    assert await understudy_plays(resources)
    row = await keep_connection(resources, HOME)
    assert not await understudy_plays(resources)
    await resources.database.write(prefer_connection, None)
    assert await understudy_plays(resources)
    await resources.database.write(prefer_connection, row.id)
    await resources.database.write(delete_connection, row.id)
    assert await understudy_plays(resources)
