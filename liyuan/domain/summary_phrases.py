"""What the model is told when a long story is summarised. The instructions are defaults that a person may rewrite.

Placeholders: {{char}}, {{user}}, {{summary}} (the summary in force), {{story}} (the messages it is to cover as well).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from liyuan.domain.card import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryPhrases:
    """`instruction` asks for the summary of a stretch, `branch` for that of a way left behind."""

    instruction: str
    branch: str
    summary: str
    story: str
    go: str


SUMMARY_PHRASES: Final[Mapping[Language, SummaryPhrases]] = {
    "en": SummaryPhrases(
        instruction="""\
You summarise a long story that {{user}} and {{char}} tell together, so that it can go on without its older messages. \
You are given the summary so far, if there is one, and the messages that followed. Write one new summary of both.

Keep what later scenes may hang on: what happened and why, in order; who met whom and how they stand to each other; \
promises, secrets, debts and wounds; what was gained, lost or learnt; where and when it is now; words that mattered, \
quoted. Keep every name as it is written. Leave out what has no consequence, and of the older part keep only what \
still matters. Add nothing, guess nothing, do not carry the story on.

Write prose in the past tense, in the language of the story, at most 500 words. Write the summary only.""",
        branch="""\
{{user}} and {{char}} have told a story down one way, and {{user}} now goes back to an earlier point to take another. \
Write down in a few sentences what happened on the way that is left behind: what was tried, how it ended, what was \
learnt there. It is a reminder for the tellers; on the new way none of it has happened.

Write in the past tense, in the language of the story, at most 120 words. Write the reminder only.""",
        summary="[The summary so far]",
        story="[The messages that followed]",
        go="Write it now.",
    ),
    "zh": SummaryPhrases(
        instruction="""\
你为{{user}}与{{char}}共同写就的长篇故事写前情提要，使故事不必带着旧消息也能继续。下面是已有的提要（若有）和其后的消息。\
把两者合写成一份新的提要。

留住日后情节会用到的一切：发生了什么、为何发生，依先后写；谁结识了谁、彼此关系如何；承诺、秘密、亏欠与伤痛；\
得到、失去、得知了什么；此刻是何时何地；要紧的原话照引。人名一律照原样写。没有后果的事不写，早先的部分只留仍然要紧的。\
不添一事，不作猜测，不续写故事。

用故事的语言，以叙述过去的口吻写成连贯的文字，不超过八百字。只写提要本身。""",
        branch="""\
{{user}}与{{char}}沿一条路写过一段故事，现在{{user}}回到较早的地方，要走另一条路。\
用几句话记下被留在身后的那条路上发生了什么：试过什么，结局如何，得知了什么。\
这是给讲述者的备忘；在新的路上，这些都没有发生过。

用故事的语言，以叙述过去的口吻书写，不超过二百字。只写备忘本身。""",
        summary="【已有的提要】",
        story="【其后的消息】",
        go="现在写出来。",
    ),
}
