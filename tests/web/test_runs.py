"""The word at a reply about its run: a trouble is told in the reader's language, whenever it happened."""

from __future__ import annotations

import pytest

from liyuan.domain.scribe import UnreadableAnswer
from liyuan.domain.trouble import kept
from liyuan.store.runs import finish, queue
from tests.web.reader import Reader


@pytest.mark.parametrize(("language", "told"), [("en", "nothing that can be booked"), ("zh", "没有可以入账的内容")])
async def test_a_trouble_is_told_in_the_readers_language(reader: Reader, language: str, told: str) -> None:
    reply = await reader.tale.say("Hello?", reply="She nods.")
    database = reader.tale.resources.database
    run = await database.write(queue, reader.tale.id, reply)
    await database.write(finish, run.id, "failed", kept(UnreadableAnswer(reason="no-object")))
    chip = (await reader.read("", **{"Accept-Language": language})).select_one(".chip.failed")
    assert chip and told in str(chip["title"])
