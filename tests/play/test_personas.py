"""The reader's own characters have a name, and a picture if one likes."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Invalid
from liyuan.play.card_files import default_picture
from liyuan.play.personas import revise_persona, write_persona
from liyuan.resources import Resources
from liyuan.store.library import list_personas


async def test_a_persona_keeps_its_picture_when_it_is_renamed(resources: Resources) -> None:
    row = await write_persona(resources, " Mara ", "A courier.", picture=default_picture("Mara"))
    assert (row.name, row.is_default) == ("Mara", True)
    changed = await revise_persona(resources, row.id, "Mara Vane", "A courier.")
    assert (changed.name, changed.image_id) == ("Mara Vane", row.image_id)


@pytest.mark.parametrize("name", ["", "  \n", "\u200b"])
async def test_a_persona_needs_a_name(resources: Resources, name: str) -> None:
    with pytest.raises(Invalid):
        await write_persona(resources, name)
    assert await resources.database.read(list_personas) == ()
