"""Documents of a person: read from what people keep them in, found where they belong, gone for good when removed."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from liyuan.domain.errors import Invalid, NotFound
from liyuan.jobs.indexing import index_all
from liyuan.model.scripted import ScriptedModel
from liyuan.play.document_files import read_document
from liyuan.play.gather import gather
from liyuan.play.knowledge import add_knowledge, load_knowledge, remove_knowledge
from liyuan.play.opening import open_story
from liyuan.play.recall import search_documents
from liyuan.resources import Resources
from liyuan.store.conversations import load_conversation
from tests.minds import mind
from tests.tale import Tale, new_tale, theatre

FERRY = "The ferry to Harrow runs twice a day. On Sundays it does not run at all."


def word_file(*paragraphs: str) -> bytes:
    made: Any = docx.Document()
    for paragraph in paragraphs:
        made.add_paragraph(paragraph)
    made.add_table(rows=1, cols=2).rows[0].cells[0].text = "in a table"
    kept = BytesIO()
    made.save(kept)
    return kept.getvalue()


def pdf_file(text: str) -> bytes:
    """A page of a line, in a font every reader has."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=300, height=300)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    kept = BytesIO()
    writer.write(kept)
    return kept.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("notes.txt", FERRY.encode(), FERRY),
        ("notes.TXT", ("\ufeff" + FERRY).encode(), FERRY),
        ("资料.md", "渡口只在初九开船。".encode("gb18030"), "渡口只在初九开船。"),
        ("notes.txt", FERRY.encode("utf-16"), FERRY),
        ("notes.docx", word_file(FERRY), f"{FERRY}\nin a table | "),
        ("notes.pdf", pdf_file("The ferry runs."), "The ferry runs."),
    ],
)
def test_a_file_is_read(name: str, content: bytes, wanted: str) -> None:
    assert read_document(name, content).strip() == wanted.strip()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("notes.exe", b"MZ", "Only text"),
        ("notes.pdf", b"%PDF-1.4 nothing", "damaged"),
        ("notes.docx", b"PK nothing", "damaged"),
        ("notes.txt", b" \n ", "holds no text"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, content: bytes, words: str) -> None:
    with pytest.raises(Invalid, match=words):
        read_document(name, content)


async def found(resources: Resources, tale: Tale, query: str) -> list[str]:
    story = await resources.database.read(load_conversation, tale.id)
    hits, _ = await search_documents(resources, tale.id, story.card_id, query, k=5)
    return [hit.memory.text for hit in hits]


async def test_a_document_is_told_to_the_model_from_every_branch(tmp_path: Path) -> None:
    async with theatre(tmp_path, memory=mind()) as resources:
        tale = await new_tale(resources, ScriptedModel())
        await add_knowledge(resources, tale.id, "harbour.md", FERRY.encode(), "story")
        assert await found(resources, tale, "ferry") == [FERRY], "words are found at once"
        await index_all(resources)
        ready = await gather(resources, tale.id, await tale.leaf(), text="When does the ferry run?")
        part = next(part for part in ready.prompt.parts if part.name == "knowledge")
        assert f"(harbour.md) {FERRY}" in part.text
        assert ready.recalled.data["recalled"][0]["document_id"]


async def test_a_document_belongs_to_its_story_its_character_or_everyone(tmp_path: Path) -> None:
    model = ScriptedModel()
    async with theatre(tmp_path, model, memory=mind()) as resources:
        tale = await new_tale(resources, model)
        story = await resources.database.read(load_conversation, tale.id)
        sister = Tale(resources, model, await open_story(resources, card_id=story.card_id))
        stranger = await new_tale(resources, model)
        for scope in ("story", "character", "everywhere"):
            await add_knowledge(resources, tale.id, f"{scope}.txt", f"The ferry of the {scope}.".encode(), scope)  # type: ignore[arg-type]
        assert len(await found(resources, tale, "ferry")) == 3
        assert len(await found(resources, sister, "ferry")) == 2
        assert await found(resources, stranger, "ferry") == ["The ferry of the everywhere."]


async def test_a_removed_document_is_gone_for_good(tmp_path: Path) -> None:
    async with theatre(tmp_path, memory=mind()) as resources:
        tale = await new_tale(resources, ScriptedModel())
        added = await add_knowledge(resources, tale.id, "harbour.md", FERRY.encode(), "everywhere")
        await index_all(resources)
        store = resources.memory.store
        assert await store.count(resources.memory.shelf(added.shelf)) == 1
        await remove_knowledge(resources, tale.id, added.id)
        assert await store.count(resources.memory.shelf(added.shelf)) == 0
        assert await found(resources, tale, "ferry") == []
        assert await resources.database.read(load_knowledge, tale.id) == []


async def test_a_document_of_another_story_cannot_be_removed_from_here(tmp_path: Path) -> None:
    model = ScriptedModel()
    async with theatre(tmp_path, model, memory=mind()) as resources:
        one, other = await new_tale(resources, model), await new_tale(resources, model)
        added = await add_knowledge(resources, one.id, "harbour.md", FERRY.encode(), "story")
        with pytest.raises(NotFound):
            await remove_knowledge(resources, other.id, added.id)
