"""Whatever order the messages come in, strict servers get turns they take, and no word is lost."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from liyuan.model.chat import Purpose, Request, Role, Said
from liyuan.model.roles import BEGIN, CARRY_ON, GO_ON, OPENING, as_given, in_turns

said = st.builds(
    Said,
    role=st.sampled_from(["system", "user", "assistant"]),
    text=st.text(alphabet="ab青 ", max_size=6),
    stable=st.booleans(),
)
purposes = st.sampled_from(["story", "continue", "impersonate", "scribe"])


@given(st.lists(said, max_size=8), purposes, st.booleans())
def test_turns_alternate_begin_with_the_user_and_lose_nothing(
    messages: list[Said], purpose: Purpose, prefill: bool
) -> None:
    arranged = in_turns(Request(messages=tuple(messages), purpose=purpose), prefill=prefill)
    roles = [turn.role for turn in arranged.turns]
    assert roles[0] == "user"
    assert all(one != other for one, other in pairwise(roles))
    everything = "".join(part.text for turn in arranged.turns for part in turn.parts) + "".join(
        part.text for part in arranged.system
    )
    assert all(message.text.strip() in everything for message in messages)


@given(st.lists(said, max_size=8), st.sampled_from(["story", "impersonate", "scribe"]))
def test_the_last_turn_is_the_users_unless_a_reply_is_carried_on(messages: list[Said], purpose: Purpose) -> None:
    request = Request(messages=tuple(messages), purpose=purpose)
    assert in_turns(request, prefill=True).turns[-1].role == "user"


def story(*said: tuple[Role, str], purpose: Purpose = "story") -> Request:
    return Request(messages=tuple(Said(role=role, text=text) for role, text in said), purpose=purpose)


def test_a_greeting_gets_an_opening_in_the_storys_language() -> None:
    english = in_turns(story(("system", "card"), ("assistant", "Welcome."), ("user", "Hello")), prefill=False)
    assert english.turns[0].text == OPENING["en"]
    chinese = in_turns(story(("system", "card"), ("assistant", "来了。"), ("user", "你好")), prefill=False)
    assert chinese.turns[0].text == OPENING["zh"]


def test_a_request_of_system_texts_alone_gets_a_user_to_answer() -> None:
    assert in_turns(story(("system", "Sum up.")), prefill=False).turns[0].text == BEGIN["en"]


def test_a_reply_after_a_reply_is_asked_for() -> None:
    assert as_given(story(("user", "Hm."), ("assistant", "Yes.")), prefill=False)[-1].text == GO_ON["en"]


def test_a_continuation_asks_in_the_storys_language() -> None:
    request = story(("user", "你好"), ("assistant", "请坐，"), purpose="continue")
    assert as_given(request, prefill=False)[-1].text == CARRY_ON["zh"]


def test_a_prefill_does_not_end_in_white_space() -> None:
    request = story(("user", "Hm."), ("assistant", "Sit down \n"), purpose="continue")
    assert as_given(request, prefill=True)[-1] == Said(role="assistant", text="Sit down")


def test_a_cache_mark_stays_with_its_text() -> None:
    request = Request(messages=(Said(role="user", text="a", stable=True), Said(role="system", text="b")))
    turn = in_turns(request, prefill=False).turns[0]
    assert [part.stable for part in turn.parts] == [True, False]
