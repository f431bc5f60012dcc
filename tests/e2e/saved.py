"""A story with many saves, played by chance but always the same: on, back to a save, on another way, and so forth."""

from __future__ import annotations

from random import Random

from sqlalchemy import Connection

from liyuan.domain.entry import ASSISTANT, MESSAGE, STATE, USER, ConversationId, Draft, Entry, EntryId
from liyuan.domain.snapshot import Snapshot, snapshot_data
from liyuan.domain.world import Character, WorldState
from liyuan.store.conversations import create
from liyuan.store.database import new_id
from liyuan.store.library import add_card
from liyuan.store.moves import move
from liyuan.store.saves import make_save
from liyuan.store.tree import append
from tests.e2e.house import House
from tests.tale import card

PLACES = ("雨夜客栈", "后院", "沈家旧宅", "渡口", "青石巷", "药铺", "城隍庙", "芦苇荡")
TIMES = ("初更", "三更", "黎明", "午后", "黄昏")
WAYS = (
    "她把怀表推过柜台。",
    "雨停了，檐下还在滴水。",
    "灯灭了，有人上楼。",
    "“客官，这东西不该在你手里。”",
    "门外是马蹄声。",
)


class Player:
    """Plays on a conversation of its own. Every act moves the leaf."""

    def __init__(self, connection: Connection, seed: int) -> None:
        self.connection = connection
        self.chance = Random(seed)
        row = add_card(connection, "青梧", card("青梧", ("夜雨敲窗，客栈的灯还亮着。",)))
        self.story: ConversationId = create(connection, title="雨夜问名", card_id=row.id).id
        self.leaf: EntryId | None = None
        self.saves: list[EntryId] = []
        self.said = 0
        self.grow(MESSAGE, ASSISTANT, "夜雨敲窗，客栈的灯还亮着。")

    def grow(self, kind: str, role: str | None = None, text: str | None = None, **data: object) -> Entry:
        draft = Draft(id=EntryId(new_id()), parent_id=self.leaf, kind=kind, role=role, text=text, data=data)
        entry = append(self.connection, self.story, draft, expected_leaf=self.leaf)
        self.leaf = entry.id
        return entry

    def turn(self) -> None:
        self.said += 1
        self.grow(MESSAGE, USER, f"我问她第 {self.said} 件事。")
        reply = self.grow(MESSAGE, ASSISTANT, f"{self.chance.choice(WAYS)}第 {self.said} 件事，她没有答。")
        world = WorldState(
            time=self.chance.choice(TIMES),
            location=self.chance.choice(PLACES),
            characters={"青梧": Character(affinity=min(self.said, 100), status="在柜台后面")},
            inventory=("黄铜怀表",) if self.said % 3 else (),
        )
        self.grow(STATE, **snapshot_data(Snapshot(state=world, through_id=reply.id)))
        self.place = f"{world.location} · {world.time}"

    def save(self, name: str = "") -> EntryId:
        saved = make_save(self.connection, self.story, name or self.place, expected_leaf=self.leaf, language="zh")
        self.leaf = saved.save.id
        self.saves.append(saved.save.id)
        return saved.save.id

    def go(self, to: EntryId) -> None:
        move(self.connection, self.story, to, expected_leaf=self.leaf, cause="load")
        self.leaf = to


def save_often(house: House, count: int, *, seed: int = 7) -> ConversationId:
    """A story with so many saves, on about a sixth as many lines; the reader is a turn beyond the last one."""
    with house.app.state.resources.database.writing_now() as connection:
        player = Player(connection, seed)
        while len(player.saves) < count:
            player.turn()
            player.save()
            if len(player.saves) > 1 and player.chance.random() < 0.18:
                player.go(player.chance.choice(player.saves))
        player.turn()
        return player.story
