"""The world as the story's model reads it."""

from __future__ import annotations

from hypothesis import given

from liyuan.domain.ledger import ledger_text
from liyuan.domain.world import EMPTY, WorldState, parse_world
from tests.domain.worlds import DECLARED, worlds

WORLD = parse_world(
    {
        "time": "黄昏",
        "location": "渡口",
        "characters": {"青梧": {"affinity": 12, "status": "戒备", "mood": "不安"}},
        "inventory": ["灯笼", "信"],
        "flags": {"门开着": True, "夜数": 2},
        "plot_threads": ["谁烧了粮仓"],
        "relationships": [{"a": "青梧", "b": "白芷", "relation": "师姐妹", "affinity": 60}],
        "roster": {"characters": {"老板娘": "客栈的主人"}},
        "custom": {"hp": 7, "scars": [], "luck": 3},
    }
)


def test_an_empty_world_says_nothing() -> None:
    assert ledger_text(EMPTY, fields=DECLARED) == ""


def test_it_is_told_in_the_language_of_the_story() -> None:
    assert ledger_text(WORLD, fields=DECLARED, language="zh").splitlines() == [
        "【眼下的情形】",
        "时间：黄昏",
        "地点：渡口",
        "Health：7/20",
        "luck：3",
        "人物：",
        "- 青梧：好感 12（满 100）；戒备；mood：不安",
        "关系：青梧 → 白芷：师姐妹, 好感 60（满 100）",
        "随身物品：灯笼；信",
        "未了之事：谁烧了粮仓",
        "已知之事：门开着：是；夜数：2",
    ]


@given(worlds())
def test_everything_that_holds_now_is_told(world: WorldState) -> None:
    text = ledger_text(world, fields=DECLARED)
    for told in (world.time, world.location, *world.characters, *world.inventory, *world.plot_threads):
        assert told in text
    assert text == ledger_text(world, fields=DECLARED)
