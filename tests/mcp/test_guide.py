"""What people can read about the tools is what models are told of them."""

from __future__ import annotations

import pytest

from liyuan.domain.context_tools import GUIDE
from liyuan.domain.conversation_tools import SHELF_TOOLS, STORE_GUIDE, TREE_TOOLS
from tests.house.repository import ROOT

PAGE = (ROOT / "docs/how-to/context-store.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("guide", [STORE_GUIDE, GUIDE], ids=["store", "context"])
def test_the_page_holds_the_guide_word_for_word(guide: str) -> None:
    plain = " ".join(word for word in PAGE.split() if word != ">")
    assert " ".join(guide.split()) in plain


def test_the_page_names_every_tool_with_its_arguments() -> None:
    for tool in (*SHELF_TOOLS, *TREE_TOOLS):
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{tool.name}`"))
        required = tool.schema["required"]
        for name in tool.schema["properties"]:
            assert f"{name}{'' if name in required else '?'}" in row.replace("`", "").split("(")[1]
