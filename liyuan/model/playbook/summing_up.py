"""Answers a request for a summary: the most telling sentences of the story, in their order. Nothing is added."""

from __future__ import annotations

import re
from typing import Final

from liyuan.model.playbook.library import BOOKS
from liyuan.model.playbook.script import Script
from liyuan.model.playbook.words import thing_in, whole_sentences
from liyuan.model.tongue import Tongue

_FEWEST: Final = 4
_MOST: Final = 12
_LONGEST: Final = 400
_SAID: Final[dict[Tongue, str]] = {"zh": "{name}说：“{text}”", "en": "{name}: “{text}”"}
_DECIDES = re.compile(
    r"\b(?:promis|agree|decid|found|learn|discover|die|kill|arriv|left|leave|return|secret|because|gave|took|name is)"
    r"|答应|决定|发现|知道|死|杀|来到|离开|回来|秘密|因为|原来|交给|拿起|名字|父亲|母亲",
    re.IGNORECASE,
)


def summary_of(script: Script) -> str:
    """A summary in the story's language: first what an earlier summary holds, then the best of the new part."""
    told = [
        (speaker, sentence) for speaker, text in script.lines for sentence in whole_sentences(text) if len(sentence) > 3
    ]
    wanted = max(_FEWEST, min(_MOST, len(told) // 6))
    ranked = sorted(range(len(told)), key=lambda n: (-_weight(script, told, n), n))[:wanted]
    chosen = [_put(script, *told[n]) for n in sorted(ranked)]
    gap = "" if script.tongue == "zh" else " "
    return (
        "\n\n".join(part for part in (script.earlier, gap.join(chosen)) if part)
        or script.text.strip()[:_LONGEST]
        or "…"
    )


def _weight(script: Script, told: list[tuple[str, str]], n: int) -> float:
    """How telling a sentence is: its ends of the story, names, things, decisions; questions and crumbs less."""
    speaker, sentence = told[n]
    kind, _ = thing_in(sentence, BOOKS[script.tongue])
    weight = 3.0 if n in (0, len(told) - 1) else 0.0
    weight += 1.5 * bool(script.char and script.char in sentence) + 1.0 * bool(script.user and script.user in sentence)
    weight += 1.0 * bool(kind) + 1.5 * bool(_DECIDES.search(sentence)) + 0.5 * (speaker == script.user)
    weight -= 1.5 * (sentence.rstrip('”」"')[-1:] in "?？") + 1.0 * (len(sentence) < 8) + 1.0 * (len(sentence) > 160)
    return weight


def _put(script: Script, speaker: str, sentence: str) -> str:
    """What the reader does and says, and what is nothing but speech, keeps its speaker; narration stands as it is."""
    stop = "。" if script.tongue == "zh" else "."
    text = sentence if sentence.rstrip('”」"')[-1:] in ".!?…。！？" else sentence + stop
    speech = re.fullmatch(r"[“「\"]([^”」\"]*)[”」\"]\S?", sentence)
    if speaker and (speech or speaker == script.user):
        return _SAID[script.tongue].format(name=speaker, text=speech[1] if speech else text)
    return text
