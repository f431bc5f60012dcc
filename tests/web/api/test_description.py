"""The description at /openapi.json is true: whatever is sent, the answer is one it names, and never a fault of ours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.modes import GenerationMode
from schemathesis.python.asgi import shutdown_lifespans
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from liyuan.app import create_app
from liyuan.domain.entry import SAVE, ConversationId, Draft, EntryId
from liyuan.domain.margin import Margin, Tag
from liyuan.model.scripted import ScriptedModel
from liyuan.settings import Settings
from liyuan.store.conversations import create
from liyuan.store.database import Database
from liyuan.store.library import add_card, add_persona
from liyuan.store.migrate import migrate
from liyuan.store.planting import plant
from tests.conversation_files import message, reply
from tests.routes import sharing_routes
from tests.tale import card

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
FEW = settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
STORY = {
    "conversation_id": "rain",
    "entry_id": "b",
    "card_id": "",
    "persona_id": "",
    "save_id": "s",
    "worldline_id": "s",
    "name": "here",
}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The description of a server with a story, whose ids are in STORY, and a model that never runs out of words."""
    made = Settings(
        _env_file=None, data_dir=tmp_path_factory.mktemp("data"), settle_wait=0, allowed_hosts=("testserver",)
    )
    database = Database(made.database_url)
    migrate(database)
    with database.writing_now() as connection:
        added = add_card(connection, "Ash", card())
        STORY.update(card_id=added.id, persona_id=add_persona(connection, "阿远").id)
        tale = create(connection, card_id=added.id, conversation_id=ConversationId("rain"), title="Rain").id
        save = Draft(id=EntryId("s"), parent_id=EntryId("a"), kind=SAVE, data={"name": "dry"})
        drafts = [reply("g", None), message("u", "g"), reply("a", "u"), save, reply("b", "u")]
        margin = Margin(tags=(Tag(name="here", entry_id=EntryId("a")),))
        plant(connection, tale, drafts, leaf=drafts[-1].id, margin=margin)
    database.close()
    server = sharing_routes(create_app(made, model=ScriptedModel(otherwise="The rain stops.")))
    config = SchemathesisConfig.from_dict({"max-stream-events": 1})
    yield schemathesis.openapi.from_asgi("/openapi.json", server, config=config)
    shutdown_lifespans()


@cache
def description() -> Any:
    return create_app(Settings(_env_file=None)).openapi()


def calls() -> list[tuple[str, str]]:
    """Every call; those that delete come last, since they end what the others need."""
    found = [(method.upper(), path) for path, item in description()["paths"].items() for method in item]
    return sorted(found, key=lambda call: call[0] == "DELETE")


@pytest.mark.slow
@pytest.mark.parametrize(("method", "path"), calls())
def test_whatever_is_sent_gets_an_answer_that_is_described(described: Any, method: str, path: str) -> None:
    sound, unsound = (described[path][method].as_strategy(mode) for mode in GenerationMode)

    @FEW
    @given(sound | unsound, st.booleans())
    def sent(case: Any, to_a_story_that_is_there: bool) -> None:
        if to_a_story_that_is_there:
            case.path_parameters = {
                name: STORY.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
            if isinstance(case.body, dict) and "expected_leaf" in case.body:
                case.body["expected_leaf"] = "b"
        case.validate_response(case.call(), checks=CHECKS)

    sent()


@pytest.mark.parametrize(("method", "path"), calls())
def test_every_call_tells_what_it_does_and_what_can_go_wrong(method: str, path: str) -> None:
    said = description()["paths"][path][method.lower()]
    assert said["summary"]
    assert said["tags"]
    assert {"422", "default"} <= said["responses"].keys()
    assert "404" in said["responses"] or "{" not in path


@pytest.mark.parametrize(
    "name",
    [
        "Entry",
        "Conversation",
        "Card",
        "Persona",
        "Import",
        "NewTurn",
        "EntryEdit",
        "LeafMove",
        "MadeSave",
        "Worldlines",
        "NewSave",
        "Checkout",
        "CheckoutDone",
        "Log",
        "NewTag",
    ],
)
def test_what_is_sent_and_answered_is_shown_by_an_example(name: str) -> None:
    schema = description()["components"]["schemas"][name]
    (example,) = schema["examples"]
    assert set(schema.get("required", ())) <= example.keys() <= schema["properties"].keys()
