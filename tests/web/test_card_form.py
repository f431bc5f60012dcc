"""An editor that was opened and saved changes nothing; what was changed in it is all that changes."""

from __future__ import annotations

import pytest
from starlette.datastructures import FormData

from liyuan.domain.card import parse_card, revise
from liyuan.web.card_form import CardForm, changes, form_of_card, form_of_fields, rearranged, separate
from tests.tale import card

ASH = parse_card(
    card(
        "Ash",
        greetings=("Good\r\nevening.", "\n\nAgain?", "Gone."),
        tags=["rain, night", "inn"],
        personality="\nslow",
        extensions={"other/app": 1},
    )
)[0]


def sent(form: CardForm) -> CardForm:
    """The form as a browser sends it: every line end as CR LF."""
    fields = [(name, getattr(form, name)) for name in form.__dataclass_fields__ if name != "alternate_greetings"]
    fields += [("alternate_greetings", greeting) for greeting in form.alternate_greetings]
    return form_of_fields(FormData([(name, value.replace("\n", "\r\n")) for name, value in fields]))


def test_saving_without_a_change_changes_nothing() -> None:
    assert changes(ASH, sent(form_of_card(ASH))) == {}
    assert revise(ASH, **changes(ASH, sent(form_of_card(ASH)))).raw == ASH.raw


def test_only_what_was_changed_is_changed() -> None:
    form = form_of_card(ASH)
    changed = changes(ASH, sent(CardForm(**{**as_dict(form), "scenario": "An inn.\nRain."})))
    assert changed == {"scenario": "An inn.\nRain."}


def test_blank_greetings_fall_away_and_order_is_kept() -> None:
    form = CardForm(**{**as_dict(form_of_card(ASH)), "alternate_greetings": ("Gone.", " \n", "\n\nAgain?")})
    assert changes(ASH, sent(form)) == {"alternate_greetings": ("Gone.", "\n\nAgain?")}


def test_tags_are_split_at_commas_of_any_script_each_once() -> None:
    assert separate("rain, night，客栈、 rain；;inn") == ("rain", "night", "客栈", "inn")


@pytest.mark.parametrize(
    ("act", "greetings"),
    [
        ("add", ("a", "b", "c", "")),
        ("remove-1", ("a", "c")),
        ("up-2", ("a", "c", "b")),
        ("up-0", ("a", "b", "c")),
        ("down-0", ("b", "a", "c")),
        ("down-2", ("a", "b", "c")),
        ("remove-7", ("a", "b", "c")),
    ],
)
def test_the_buttons_of_the_greetings_rearrange_them(act: str, greetings: tuple[str, ...]) -> None:
    form = rearranged(CardForm(name="Ash", alternate_greetings=("a", "b", "c")), act)
    assert form == CardForm(name="Ash", alternate_greetings=greetings)


@pytest.mark.parametrize("act", ["", "keep", "remove-x", "up-9999", "drop table"])
def test_other_buttons_are_not_those_of_the_greetings(act: str) -> None:
    assert rearranged(CardForm(), act) is None


def as_dict(form: CardForm) -> dict[str, object]:
    return {name: getattr(form, name) for name in form.__dataclass_fields__}
