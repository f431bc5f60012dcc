"""The reader's own characters. One may be the default; a story may name another."""

from __future__ import annotations

from liyuan.domain.card_name import shown_name
from liyuan.domain.errors import Invalid
from liyuan.play.cards import keep_picture
from liyuan.resources import Resources
from liyuan.store.library import PersonaRow, add_persona, change_persona, load_persona

NO_NAME = "This cannot be done: somebody needs a name. It is how the characters call you."


async def write_persona(
    resources: Resources, name: str, description: str = "", *, picture: bytes | None = None
) -> PersonaRow:
    """A new persona; the first one becomes the default. Raises Invalid without a name or for a bad picture."""
    name = _name(name)
    image_id = await keep_picture(resources, picture)
    return await resources.database.write(add_persona, name, description, image_id)


async def revise_persona(
    resources: Resources, persona_id: str, name: str, description: str, *, picture: bytes | None = None
) -> PersonaRow:
    """Changes a persona everywhere it plays. Raises NotFound, and Invalid without a name or for a bad picture."""
    name = _name(name)
    row = await resources.database.read(load_persona, persona_id)
    image_id = await keep_picture(resources, picture) or row.image_id
    return await resources.database.write(
        change_persona, persona_id, name=name, description=description, image_id=image_id
    )


def _name(name: str) -> str:
    if not (shown := shown_name(name)):
        raise Invalid(NO_NAME)
    return shown
