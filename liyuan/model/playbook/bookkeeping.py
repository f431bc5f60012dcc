"""Answers a scribe's request: a patch of the world from what plainly stands in the text. Never a guess, often `{}`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from liyuan.model.playbook.book import Book, Lines, words
from liyuan.model.playbook.library import BOOKS
from liyuan.model.playbook.script import Script
from liyuan.model.playbook.words import sentences, thing_in
from liyuan.model.tongue import Tongue

_MOST_THREADS: Final = 6
_CARRIED: Final = ("letter", "weapon", "key", "money", "map", "machine", "light", "clothes", "umbrella", "flower")
_NOTED: Final = ("letter", "weapon", "key", "money", "map", "music", "machine")


@dataclass(frozen=True, kw_only=True)
class Signs:
    """What to look for in one language. `moods` is (words that show it, what to book)."""

    times: Lines
    arrives: re.Pattern[str]
    warm: re.Pattern[str]
    cold: re.Pattern[str]
    given: re.Pattern[str]
    taken: re.Pattern[str]
    handed_over: re.Pattern[str]
    moods: tuple[tuple[str, str], ...]
    article: str = ""


_PLACE_END = r"(?=[，。！？；、…\s]|[时后的里外前往向看去坐站]|$)"
SIGNS: Final[dict[Tongue, Signs]] = {
    "zh": Signs(
        times=words("黎明 清晨 早晨 上午 正午 中午 午后 下午 傍晚 黄昏 入夜 夜里 夜晚 今夜 深夜 半夜 午夜 三更 天亮"),
        arrives=re.compile(rf"(?:来到|走进|走到|回到|进了|抵达|踏进|赶到)(?:了)?([\u4e00-\u9fff]{{2,8}}?){_PLACE_END}"),
        warm=re.compile(r"谢谢|多谢|感激|微笑|笑了|抱住|拥抱|握住|喜欢|相信你|答应|放心|帮你|对不起|温柔|陪你"),
        cold=re.compile(r"讨厌|滚开|骗子|闭嘴|威胁|拔剑|拔刀|拒绝|不信你|冷笑|推开你|背叛|恨你|杀了你"),
        given=re.compile(r"递给你|交给你|塞给你|放进你手里|递过来|送给你|拿着吧|给你的"),
        taken=re.compile(r"我?(?:拿起|接过|收下|捡起|取走|揣进|收好)"),
        handed_over=re.compile(r"我?[^。！？]{0,8}(?:递给|交给|送给|还给|放在|搁在)(?!我)"),
        moods=(
            ("红起来|脸红|低下头|垂下眼", "有些难为情"),
            ("笑", "神色和缓"),
            ("皱眉|蹙|绷紧|警觉|戒备", "有所戒备"),
            ("叹|湿|泪", "心绪起伏"),
            ("沉默|没有说话|不作声", "沉默"),
        ),
    ),
    "en": Signs(
        times=words("dawn daybreak morning noon midday afternoon evening dusk sunset nightfall tonight midnight night"),
        arrives=re.compile(
            r"\b(?:arrive[sd]? at|enter(?:s|ed)?|step(?:s|ped)? into|reach(?:es|ed)?|walk(?:s|ed)? into|"
            r"came? (?:back )?to|go(?:es)? (?:back )?to|went (?:back )?to) ((?:the|a|an) (?:[a-z'-]+ ){0,2}[a-z'-]+)"
            r"(?=[,.;!?\n]| (?:and|where|with|to)\b|$)",
            re.IGNORECASE,
        ),
        warm=re.compile(
            r"\b(?:thank|grateful|smil|laugh|hug|embrac|kiss|trust you|promise|kind|gentle|sorry|glad|warm|help you|"
            r"stay with you|like you|love you)",
            re.IGNORECASE,
        ),
        cold=re.compile(
            r"\b(?:hate|liar|shut up|threat|draw my|refuse|don't trust|sneer|betray|go away|leave me alone|kill you|"
            r"glare|snap(?:s|ped) at)",
            re.IGNORECASE,
        ),
        given=re.compile(
            r"\b(?:hand(?:s|ed)? you|give(?:s)? you|gave you|press(?:es|ed)? .{1,30} into your|offer(?:s|ed)? you|"
            r"in your hand)\b",
            re.IGNORECASE,
        ),
        taken=re.compile(
            r"\bI (?:\w+ly )?(?:take|took|pick(?:ed)? up|accept(?:ed)?|pocket(?:ed)?|keep|kept)\b", re.IGNORECASE
        ),
        handed_over=re.compile(
            r"\bI (?:\w+ly )?(?:give|gave|hand(?:ed)?|offer(?:ed)?|put|place[d]?|lay|laid|leave|left)\b", re.IGNORECASE
        ),
        moods=(
            ("blush|colour came up|looked down|looks down", "a little shy"),
            ("smil|laugh|eyes soften", "at ease"),
            ("frown|tighten|wary|on guard", "on guard"),
            ("sigh|tear|wet", "moved"),
            ("silence|said nothing|says nothing", "silent"),
        ),
        article="the ",
    ),
}


def patch_of(script: Script) -> str:
    """The patch as JSON, only with what has changed."""
    signs = SIGNS[script.tongue]
    found: dict[str, Any] = {
        "time": _time(script, signs),
        "location": _location(script, signs),
        "characters": _characters(script, signs),
        "inventory": _inventory(script, signs),
        "plot_threads": _threads(script),
        "roster": _roster(script),
    }
    patch = {name: value for name, value in found.items() if value not in (None, "", {})}
    return json.dumps(patch, ensure_ascii=False, indent=1)


def _time(script: Script, signs: Signs) -> str:
    story = _story(script).lower()
    last = max(signs.times, key=lambda word: (story.rfind(word) + len(word) if word in story else -1, len(word)))
    known = str(script.ledger.get("time", ""))
    return last if last in story and last not in known.lower() else ""


def _location(script: Script, signs: Signs) -> str:
    found = signs.arrives.findall(_story(script))
    place = re.sub(r"^(?:an?|the)\s+", "", found[-1], flags=re.IGNORECASE).strip() if found else ""
    return place if place and place.lower() not in str(script.ledger.get("location", "")).lower() else ""


def _characters(script: Script, signs: Signs) -> dict[str, Any]:
    if not script.char:
        return {}
    told = " ".join(text for _, text in script.lines)
    by_char = " ".join(text for speaker, text in script.lines if speaker != script.user)
    step = max(-10, min(10, 3 * len(signs.warm.findall(told)) - 4 * len(signs.cold.findall(told))))
    known = _known(script.ledger.get("characters"), script.char)
    before = known.get("affinity", 0)
    before = before if isinstance(before, int) else 0
    change: dict[str, Any] = {}
    if step and max(-100, min(100, before + step)) != before:
        change["affinity"] = max(-100, min(100, before + step))
    mood = next((status for pattern, status in signs.moods if re.search(pattern, by_char, re.IGNORECASE)), "")
    if mood and mood != known.get("status"):
        change["status"] = mood
    return {script.char: change} if change else {}


def _inventory(script: Script, signs: Signs) -> list[str] | None:
    before = [item for item in script.ledger.get("inventory", []) if isinstance(item, str)]
    now = list(before)
    for speaker, sentence in _sentences(script):
        thing = _thing(sentence, script, _CARRIED)
        if not thing:
            continue
        by_user = speaker == script.user
        if (by_user and signs.taken.search(sentence)) or (not by_user and signs.given.search(sentence)):
            now += [] if _has(now, thing) else [thing]
        elif by_user and signs.handed_over.search(sentence):
            now = [item for item in now if thing not in item]
    return now if now != before else None


def _threads(script: Script) -> list[str] | None:
    before = [thread for thread in script.ledger.get("plot_threads", []) if isinstance(thread, str)]
    asked = [
        text for speaker, text in _sentences(script) if text.rstrip('”」"*')[-1:] in "？?" and 6 <= len(text) <= 90
    ]
    telling = [
        text for text in asked if re.search(r"\b(?:who|why|what|where)\b|谁|为什么|什么|哪", text, re.IGNORECASE)
    ]
    new = [text.strip('“”"「」 ') for text in telling[-1:]]
    new = [text for text in new if text not in before]
    return [*before, *new][-_MOST_THREADS:] if new else None


def _roster(script: Script) -> dict[str, Any]:
    known = script.text.lower() if not script.told else ""
    for _, sentence in _sentences(script):
        thing = _thing(sentence, script, _NOTED)
        listed = re.search(rf"^items:.*{re.escape(thing)}", known, re.MULTILINE) if thing else None
        if thing and not listed and len(sentence) <= 120:
            return {"items": {thing: sentence.strip('“”"「」* ')}}
    return {}


def _thing(sentence: str, script: Script, kinds: tuple[str, ...]) -> str:
    _, thing = thing_in(sentence, _book(script.tongue, kinds))
    return thing.removeprefix(SIGNS[script.tongue].article) if thing in _named(script.tongue, kinds) else ""


@cache
def _book(tongue: Tongue, kinds: tuple[str, ...]) -> Book:
    book = BOOKS[tongue]
    return replace(book, kinds=tuple(kind for kind in book.kinds if kind.name in kinds))


@cache
def _named(tongue: Tongue, kinds: tuple[str, ...]) -> frozenset[str]:
    article = SIGNS[tongue].article
    return frozenset(article + word for kind in _book(tongue, kinds).kinds for word in kind.words)


def _has(items: Iterable[str], thing: str) -> bool:
    return any(thing in item for item in items)


def _known(characters: object, name: str) -> dict[str, Any]:
    people = characters if isinstance(characters, dict) else {}
    found = people.get(name)
    return found if isinstance(found, dict) else {}


def _story(script: Script) -> str:
    return "\n".join(text for _, text in script.lines)


def _sentences(script: Script) -> list[tuple[str, str]]:
    return [(speaker, sentence) for speaker, text in script.lines for sentence in sentences(text)]
