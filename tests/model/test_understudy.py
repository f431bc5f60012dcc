"""The understudy: the same question gets the same reply, every swipe another one, in the story's language and style."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liyuan.model.chat import Delta, Purpose, Request, Role, Said, Sampling
from liyuan.model.understudy import Understudy
from tests.model.conftest import Reply, hear

CARDS = {
    "zh": """
【青梧】
青梧，渡口客栈的掌柜。她话少，天字三号房从不租人。

【情境】
秋末，连雨第三夜。

【旅人】
过路人。
""",
    "en": """
[About Mara]
Mara is the keeper of a lighthouse. She keeps a red ledger of ships.

[Scene]
A night of rain.
""",
}
GREETING = {"zh": "*雨声很密。* “来了？”", "en": "*The lamp turns.* “You came,” *she says.*"}
NAMES = {"zh": ("青梧", "旅人"), "en": ("Mara", "Jonas")}
WORDS = {
    "zh": ["你好", "你是谁？", "我走了一夜，很累。", "*我把怀表放在桌上*", "为什么？", "我拔剑指着你", "……", "再见"],
    "en": [
        "Hello",
        "Who are you?",
        "I walked all night and I'm tired.",
        "*I put the key on the table*",
        "Why?",
        "I draw my sword",
        "...",
        "Goodbye",
    ],
}


def story(tongue: str, *said: str, purpose: Purpose = "story", take: int = 0, greeting: str | None = None) -> Request:
    """Said in turns, the reader first, after the card and its greeting."""
    char, user = NAMES[tongue]
    turns = [GREETING[tongue] if greeting is None else greeting, *said]
    roles: tuple[Role, Role] = ("assistant", "user")
    messages = (
        Said(role="system", text=CARDS[tongue], stable=True),
        *(Said(role=roles[n % 2], text=text) for n, text in enumerate(turns)),
    )
    return Request(messages=messages, char=char, user=user, purpose=purpose, take=take)


async def played(request: Request) -> str:
    reply = await hear(Understudy(pause=0), request)
    assert reply.finish.model == "understudy"
    return reply.text


@pytest.mark.parametrize("tongue", ["zh", "en"])
@pytest.mark.parametrize("purpose", ["story", "continue", "impersonate", "scribe", "summary", "test"])
async def test_the_same_request_gets_the_same_reply(tongue: str, purpose: Purpose) -> None:
    request = story(tongue, WORDS[tongue][0], purpose=purpose)
    assert await played(request) == await played(request)


@pytest.mark.parametrize("tongue", ["zh", "en"])
@pytest.mark.parametrize("n", range(8))
async def test_ten_swipes_are_ten_replies(tongue: str, n: int) -> None:
    said = WORDS[tongue][n]
    replies = {await played(story(tongue, said, take=take)) for take in range(10)}
    assert len(replies) == 10


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_neighbouring_swipes_open_differently(tongue: str) -> None:
    openings = [(await played(story(tongue, WORDS[tongue][1], take=take)))[:24] for take in range(6)]
    assert all(one != other for one, other in pairwise(openings))


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_a_story_of_thirty_turns_does_not_repeat_itself(tongue: str) -> None:
    said: list[str] = []
    replies: list[str] = []
    for n in range(30):
        said.append(f"{WORDS[tongue][n % 7]} {n}")
        replies.append(await played(story(tongue, *said)))
        said.append(replies[-1])
    assert len(set(replies)) == 30
    assert all(len(set(reply.split("\n\n"))) == len(reply.split("\n\n")) for reply in replies)


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_it_plays_in_the_storys_language(tongue: str) -> None:
    for said in WORDS[tongue]:
        text = await played(story(tongue, said))
        han, latin = len(re.findall(r"[\u4e00-\u9fff]", text)), len(re.findall(r"[A-Za-z]", text))
        assert (han > 20 and latin == 0) if tongue == "zh" else (latin > 40 and han == 0), text


async def test_it_follows_the_reader_into_another_language() -> None:
    english = await played(story("zh", "Good evening, is there a room left for the night?"))
    assert len(re.findall(r"[a-z]", english)) > 40
    chinese = await played(story("en", "请问还有房间吗？"))
    assert len(re.findall(r"[\u4e00-\u9fff]", chinese)) > 20


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_it_never_speaks_or_acts_for_the_reader(tongue: str) -> None:
    user = NAMES[tongue][1]
    for said in WORDS[tongue]:
        for take in range(6):
            narration = re.sub(r"“[^”]*”", "", await played(story(tongue, said, take=take)))
            assert f"{user}:" not in narration
            assert not re.search(r"\b[Yy]ou (?:say|said|nod|nodded|walk|walked|feel|felt|smile|smiled)\b", narration)
            assert not re.search(r"你(说道|点点头|点了点头|微笑|走到|心想|感到)", narration), narration


async def test_it_says_who_the_character_is_when_asked() -> None:
    for take in range(5):
        assert "青梧" in await played(story("zh", "你叫什么名字？", take=take))
        assert "Mara" in await played(story("en", "What is your name?", take=take))


async def test_it_takes_up_what_was_named() -> None:
    taken_up = [await played(story("zh", "这把铜锁是谁的？", take=take)) for take in range(6)]
    assert any("铜锁" in text for text in taken_up)
    taken_up = [await played(story("en", "I found a silver compass in the sand.", take=take)) for take in range(6)]
    assert any("compass" in text for text in taken_up)


async def test_it_turns_the_readers_words_round() -> None:
    texts = [await played(story("en", "I have walked all night.", take=take)) for take in range(8)]
    assert any("You have walked all night" in text for text in texts)
    texts = [await played(story("zh", "我走了一夜。", take=take)) for take in range(8)]
    assert any("你走了一夜" in text for text in texts)


@pytest.mark.parametrize(
    ("tongue", "asked"), [("zh", "你是AI吗？"), ("en", "Are you an AI?"), ("en", "What model are you?")]
)
async def test_it_never_pretends_to_be_a_language_model(tongue: str, asked: str) -> None:
    text = await played(story(tongue, asked))
    assert {"zh": "不是语言模型", "en": "not a language model"}[tongue] in text


async def test_it_tells_a_story_when_asked_for_one() -> None:
    tales = {await played(story("en", "Tell me a story.", take=take)) for take in range(5)}
    assert len(tales) == 5
    assert all(len(tale) > 200 for tale in tales)


async def test_it_knows_what_the_card_says() -> None:
    texts = [await played(story("zh", "天字三号房里住着谁？", take=take)) for take in range(6)]
    assert any("天字三号房从不租人" in text for text in texts)
    texts = [await played(story("en", "What is in the ledger?", take=take)) for take in range(6)]
    assert any("red ledger of ships" in text for text in texts)


async def test_it_keeps_the_style_of_the_story() -> None:
    corners = await played(story("zh", "你好", greeting="*雨声很密。*「来了？」"))
    assert "「" in corners
    assert "“" not in corners
    plain = await played(story("en", "Why?", greeting='The lamp turned. "You came," she said.'))
    assert "*" not in plain
    assert "“" not in plain


async def test_it_keeps_the_tense_of_the_story() -> None:
    now = [
        await played(story("en", said, greeting="*The lamp turns. She looks up and smiles.*")) for said in WORDS["en"]
    ]
    then = [
        await played(story("en", said, greeting="*The lamp turned. She looked up and smiled.*")) for said in WORDS["en"]
    ]
    assert not any(re.search(r"\bMara (?:looked|turned|put|let|came|went|took)\b", text) for text in now)
    assert not any(re.search(r"\bMara (?:looks|turns|puts|lets|comes|goes|takes)\b", text) for text in then)


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_a_thread_runs_through_the_story_and_a_swipe_does_not_lose_it(tongue: str) -> None:
    said: list[str] = []
    for n in range(14):
        said.append(f"{WORDS[tongue][n % 7]} {n}")
        said.append(await played(story(tongue, *said)))
    told = " ".join(said)
    marks = {"zh": ("铃", "信", "那点光|光", "曲子"), "en": ("bell", "letter", "light", "tune")}[tongue]
    assert any(len(re.findall(mark, told)) >= 3 for mark in marks)


async def test_a_reader_is_played_in_the_first_person() -> None:
    for take in range(6):
        chinese = await played(story("zh", "你好", "“你从哪里来？”", purpose="impersonate", take=take))
        assert "我" in chinese or "你" in chinese
        english = await played(story("en", "Hello", "“Where are you from?”", purpose="impersonate", take=take))
        assert re.search(r"\b(?:I|me|my)\b", english)
        assert "Jonas" not in english


async def test_a_reply_that_broke_off_is_carried_on_in_the_same_sentence() -> None:
    rest = await played(story("en", "Hello", "*She looks at the door, and", purpose="continue"))
    assert rest[0] in "—…"
    assert f"*She looks at the door, and{rest}".count("*") % 2 == 0
    rest = await played(story("zh", "你好", "*她看了看门口，又", purpose="continue"))
    assert rest[0] in "—…"


async def test_a_reply_that_was_whole_is_carried_on_in_a_new_paragraph() -> None:
    rest = await played(story("en", "Hello", "*She looks at the door.*", purpose="continue"))
    assert rest.startswith("\n\n")


async def test_it_heeds_stop_strings_and_the_token_limit() -> None:
    request = story("en", "Hello")
    whole = await played(request)
    stopped = await played(replace(request, sampling=Sampling(stop=("\n\n",))))
    assert stopped == whole.split("\n\n")[0]
    short: Reply = await hear(Understudy(pause=0), replace(request, sampling=Sampling(max_tokens=5)))
    assert short.finish.reason == "length"
    assert whole.startswith(short.text)


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_it_streams_in_small_pieces(tongue: str) -> None:
    reply = await hear(Understudy(pause=0), story(tongue, WORDS[tongue][0]))
    pieces = [piece.text for piece in reply.pieces if isinstance(piece, Delta)]
    assert len(pieces) > 10
    assert all(pieces)
    assert max(map(len, pieces)) < 50


said = st.builds(
    Said,
    role=st.sampled_from(["system", "user", "assistant"]),
    text=st.text(max_size=60)
    | st.sampled_from(["*", "“", "{char}", "{", "{0}", "<think>", "青梧：", '[x]\n{"a": 1}', "%s"]),
)
purposes = st.sampled_from(["story", "continue", "impersonate", "scribe", "summary", "test"])


@settings(max_examples=150, deadline=None)
@given(
    st.lists(said, max_size=6),
    purposes,
    st.integers(min_value=0, max_value=40),
    st.text(max_size=8),
    st.text(max_size=8),
)
async def test_it_always_has_something_whole_to_say(
    messages: list[Said], purpose: Purpose, take: int, char: str, user: str
) -> None:
    request = Request(messages=tuple(messages), purpose=purpose, take=take, char=char, user=user)
    reply = await hear(Understudy(pause=0), request)
    assert reply.finish.reason == "stop"
    assert reply.text.strip()
    reply.text.encode()


SCRIBE = {
    "zh": """
【账本现状】
{"characters": {"青梧": {"affinity": 5}}, "inventory": ["怀表", "伞"], "plot_threads": ["谁敲的门？"]}

【待记的消息】
旅人：谢谢你。*我把怀表交给青梧，走进后院。*

青梧：*她笑了笑。* “深夜了，这封信是给你的，拿着吧。你为什么来这里？”

现在写出 JSON 对象。
""",
    "en": """
[The ledger as it stands]
{"characters": {"Mara": {"affinity": 5}}, "inventory": ["compass", "umbrella"]}

[The messages to account for]
Jonas: Thank you. I give the compass to Mara and walk into the old cellar.

Mara: *She smiled and handed you a letter.* “It is past midnight. Why did you come?”

Write the JSON object now.
""",
}


async def booked(tongue: str) -> dict[str, object]:
    char, user = NAMES[tongue]
    messages = (Said(role="system", text="You keep the ledger."), Said(role="user", text=SCRIBE[tongue]))
    answer = json.loads(await played(Request(messages=messages, purpose="scribe", char=char, user=user)))
    assert isinstance(answer, dict)
    return answer


async def test_the_scribes_request_is_answered_with_what_changed() -> None:
    patch = await booked("zh")
    assert patch["time"] == "深夜"
    assert patch["location"] == "后院"
    assert patch["characters"]["青梧"]["affinity"] > 5  # type: ignore[index]
    assert patch["inventory"] == ["伞", "信"]
    assert patch["plot_threads"] == ["谁敲的门？", "你为什么来这里？"]
    patch = await booked("en")
    assert patch["time"] == "midnight"
    assert patch["location"] == "old cellar"
    assert patch["characters"]["Mara"]["affinity"] > 5  # type: ignore[index]
    assert patch["inventory"] == ["umbrella", "letter"]
    assert patch["plot_threads"] == ["Why did you come?"]


async def test_the_scribe_books_nothing_where_nothing_changed() -> None:
    ask = '[The ledger as it stands]\n{"time": "night"}\n\n[The messages to account for]\nJonas: Hm.\n\nMara: Hm.'
    request = Request(messages=(Said(role="user", text=ask),), purpose="scribe", char="Mara", user="Jonas")
    assert json.loads(await played(request)) == {}


@pytest.mark.parametrize("tongue", ["zh", "en"])
async def test_a_summary_is_made_of_the_storys_own_sentences(tongue: str) -> None:
    char, user = NAMES[tongue]
    told = [GREETING[tongue]]
    for said in WORDS[tongue]:
        told += [said, await played(story(tongue, *told[1:], said))]
    names = (char, user)
    text = "\n\n".join(f"{names[n % 2]}: {line}" for n, line in enumerate(told))
    request = Request(
        messages=(
            Said(role="system", text="…"),
            Said(role="user", text=f"[The story so far]\nBefore.\n\n[New]\n{text}"),
        ),
        purpose="summary",
        char=char,
        user=user,
    )
    summary = await played(request)
    assert summary.startswith("Before.\n\n")
    assert len(summary) < len(text) / 2
    bare = re.sub(r"[*\s“”：:]", "", text)
    for sentence in re.split(r"[。！？.!?]", summary.removeprefix("Before.")):
        said_plainly = re.sub(rf"^\W*(?:{user}|{char})(?:说|:)", "", sentence)
        core = re.sub(r"[*\s“”：:]", "", said_plainly)
        assert core in bare or not core
