"""The sentences that liyuan itself adds to a prompt, in the story's language. People read them on the prompt panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from liyuan.domain.history import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """`instruction` stands first unless the card brings its own; titles stand above their parts. Macros work."""

    instruction: str
    character: str
    personality: str
    scenario: str
    persona: str
    examples: str
    summary: str
    branch: str
    filed: str
    impersonate: str
    reader: str


PHRASES: Final[Mapping[Literal["zh", "en"], Phrases]] = {
    "en": Phrases(
        instruction=(
            "You are {{char}} in a long story told together with {{user}}. Write {{char}}'s next reply in the language "
            "of the story. Set actions between *asterisks* and speech in quotation marks. Show rather than explain, "
            "keep to what has happened, let something move in every reply. Never speak, decide or act for {{user}}."
        ),
        character="[About {{char}}]",
        personality="[Character of {{char}}]",
        scenario="[Scene]",
        persona="[About {{user}}]",
        examples="[How {{char}} speaks]",
        summary="[The story so far]",
        branch="[A note on another branch that was left. On this one none of it has happened.]",
        filed="[Filed away: this has been played and holds. Of the way there only these words are left.]",
        impersonate=(
            "Now write {{user}}'s next message instead, in the first person and in {{user}}'s own manner: what "
            "{{user}} says or does next. Do not write for {{char}}."
        ),
        reader="Traveller",
    ),
    "zh": Phrases(
        instruction=(
            "你在一部与{{user}}共同写就的长篇故事里扮演{{char}}。用故事的语言写{{char}}的下一段回应："
            "动作写在 *星号* 之间，对白用引号。多呈现，少解释；不违背已发生的事；每一段都让故事向前走一点。"
            "绝不替{{user}}说话、做决定或行动。"
        ),
        character="【{{char}}】",
        personality="【{{char}}的性情】",
        scenario="【情境】",
        persona="【{{user}}】",
        examples="【{{char}}的口吻】",
        summary="【前情】",
        branch="【离开另一条分支时留下的记录。在这条分支上，其中的事都没有发生。】",
        filed="【已归档：以下确已发生，仍然作数；那一段的经过只留下这些话。】",
        impersonate=(
            "现在改为以{{user}}的身份、第一人称，写出{{user}}接下来的话语或举动，符合其一贯的口吻。不要替{{char}}写。"
        ),
        reader="旅人",
    ),
}


def as_told(line: Line, language: Literal["zh", "en"]) -> str:
    """The words of a line, as any model reads them: what was left on another branch says so above itself."""
    if line.role != "system":
        return line.text
    words = PHRASES[language]
    return f"{words.filed if line.is_filed else words.branch}\n{line.text}"
