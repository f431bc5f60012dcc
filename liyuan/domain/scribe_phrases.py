"""What the scribe is told, in the story's language. The instruction is the default that a person may rewrite.

Placeholders: {{char}}, {{user}}, {{fields}} (what the card declares), {{names}}, {{roster}}, {{world}}, {{story}}.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from liyuan.domain.card import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class ScribePhrases:
    """`field` to `list` describe a declared field. `retry` answers an unreadable reply with one of the `reasons`."""

    instruction: str
    fields: str
    names: str
    roster: str
    world: str
    story: str
    go: str
    retry: str
    field: str
    text: str
    number: str
    bar: str
    list: str
    limits: Mapping[str, str]
    reasons: Mapping[str, str]


SCRIBE_PHRASES: Final[Mapping[Language, ScribePhrases]] = {
    "en": ScribePhrases(
        instruction="""\
You keep the ledger of a story that {{user}} and {{char}} tell together. You are given the ledger as it stands and \
the messages written since. Book what these messages changed, and nothing else.

Answer with one JSON object and no other words. Leave out every field that has not changed. {} means that nothing has.

- "time", "location": a text each; when and where the story is now.
- "characters": {"Name": {"affinity": 40, "status": "…", "notes": "…"}}. Only people who changed, and of each only \
what changed. "affinity" is how the person feels about {{user}}, from -100 (hatred) to 100 (devotion); write the new \
value, and seldom move it by more than 10. "status" is how they are right now; "notes" is what stays true of them. \
null instead of the object takes out a person who has left the story.
- "inventory": what {{user}} carries, as a list of texts. If anything in it changed, write the whole list.
- "plot_threads": open questions, promises and dangers, as a list of texts. If one was added or settled, write the \
whole list.
- "flags": {"name": true}. Facts that later events hang on. A value is true, false, a number or a text; null removes it.
- "relationships": [{"a": "Name", "b": "Name", "relation": "…", "affinity": 0, "note": "…"}], between people other \
than {{user}}. If one changed, write the whole list.
- "roster": {"characters": {"Name": "…"}, "items": {"Name": "…"}, "events": {"Name": "…"}}. One line for each person, \
thing or turning point that appears for the first time, or of which something important was learnt. Nothing ever \
leaves it.
{{fields}}

Use names exactly as the list of known names has them. Somebody who is called by a title, a nickname or "she" is the \
same person and keeps that name. The reader's character is called {{user}}. Book what happened or was said, not \
guesses, dreams or plans. Write in the language of the story.""",
        fields="[Further fields of this story]",
        names="[Known names]",
        roster="[On the roster already]",
        world="[The ledger as it stands]",
        story="[The messages to account for]",
        go="Write the JSON object now.",
        retry=(
            "Your answer could not be read: {reason}\nWrite it again as one complete JSON object, beginning with { and "
            "ending with }, with no other words."
        ),
        field='- "{name}"{label}: {kind}.{about}',
        text="a text",
        number="a number",
        bar="a number",
        list="a list of texts; write the whole list",
        limits={"both": " from {min} to {max}", "min": " not below {min}", "max": " not above {max}"},
        reasons={
            "empty": "It was empty.",
            "no-object": "It holds no JSON object.",
            "cut-off": "It was cut off before anything in it was complete. Be brief.",
            "malformed": "It makes no sense as JSON near: {near}",
        },
    ),
    "zh": ScribePhrases(
        instruction="""\
你为{{user}}与{{char}}共同写就的故事记账。下面有账本的现状和此后新写的消息。只记这些消息带来的变化，别的一概不记。

只回答一个 JSON 对象，不写其他文字。没有变化的字段不要写；什么都没变就写 {}。

- "time"、"location"：各一段文字，故事此刻的时间与地点。
- "characters"：{"名字": {"affinity": 40, "status": "…", "notes": "…"}}。只写有变化的人，每人只写变了的项。\
"affinity" 是此人对{{user}}的好感，从 -100（憎恨）到 100（倾心）；写新的数值，一次变化很少超过 10。\
"status" 是此人眼下的状态，"notes" 是长久属实的情况。某人彻底离开故事时，把对象换成 null。
- "inventory"：{{user}}随身之物，文字列表。其中有变化就写出完整列表。
- "plot_threads"：悬而未决的疑问、承诺与危险，文字列表。有新增或了结就写出完整列表。
- "flags"：{"名称": true}。日后会用到的事实，值为 true、false、数字或文字；null 表示删去。
- "relationships"：[{"a": "名字", "b": "名字", "relation": "…", "affinity": 0, "note": "…"}]，\
{{user}}以外的人之间的关系。有变化就写出完整列表。
- "roster"：{"characters": {"名字": "…"}, "items": {"名字": "…"}, "events": {"名字": "…"}}。\
首次出现的人、物、转折，或得知了要紧新情况的，各写一行。名册只增不减。
{{fields}}

名字一律照已知名单里的写法。以头衔、绰号或“她”相称的仍是同一个人，仍用原来的名字。读者的角色就叫{{user}}。\
只记发生了的事、说出口的话，不记猜测、梦境和打算。用故事的语言书写。""",
        fields="【本故事另设的字段】",
        names="【已知名单】",
        roster="【已在名册】",
        world="【账本现状】",
        story="【待记的消息】",
        go="现在写出 JSON 对象。",
        retry="你的回答无法读取：{reason}\n请重新写成一个完整的 JSON 对象，以 { 开头、以 } 结尾，不写其他文字。",
        field='- "{name}"{label}：{kind}。{about}',
        text="一段文字",
        number="一个数字",
        bar="一个数字",
        list="文字列表，写出完整列表",
        limits={"both": "，从 {min} 到 {max}", "min": "，不小于 {min}", "max": "，不大于 {max}"},
        reasons={
            "empty": "回答是空的。",
            "no-object": "其中没有 JSON 对象。",
            "cut-off": "回答在写完任何一项之前就断了。请写得简短。",
            "malformed": "此处不是合法的 JSON：{near}",
        },
    ),
}
