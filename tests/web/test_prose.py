"""A story's text becomes HTML that reads well and cannot do harm, whatever stands in it, finished or not."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup, Tag
from hypothesis import given
from hypothesis import strategies as st

from liyuan.web.prose import ATTRIBUTES, CLASSES, LONGEST, TAGS, growing_prose, prose

PIECES = st.sampled_from(
    [
        "*", "**", "***", "_", "`", "```\n", "~~", '"', "“", "”", "「", "」", "『", "』", "«", "»", "<", ">", "</",
        "<script>", "</script>", "<style>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
        "<iframe src=//evil>", "<b", "<b onclick=alert(1)>", "<p style='x'>", "<font color=", "<!--", "-->",
        "<![CDATA[", "<?", "\x00", "[x](javascript:alert(1))", "[x](  data:text/html,x)", "![](http://evil/p.png)",
        "![x](/media/../x)", "[", "](", ")", "/>", "\n", "\n\n", "    ", "> ", "- ", "1. ", "# ", "|", "|-|\n", "href=",
        "onload=", "\\", "&", "&#x6a;", "她说", "hello", " ", "javascript:", "x" * 40,
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join)


def html(text: str) -> str:
    return str(prose(text)).strip().replace("\n", "")


def read(text: str) -> BeautifulSoup:
    return BeautifulSoup(prose(text), "html.parser")


# --- harm -----------------------------------------------------------------------------------------------------------


def is_harmless(tag: Tag) -> bool:
    allowed = ATTRIBUTES.get(tag.name, set()) | ATTRIBUTES["*"] | {"class", "rel", "target"}
    links_out = tag.name == "a" and "href" in tag.attrs
    return (
        tag.name in TAGS
        and set(tag.attrs) <= allowed
        and set(tag.get("class", [])) <= CLASSES.get(tag.name, set())
        and (not links_out or tag["href"].lower().startswith(("http://", "https://", "mailto:")))
        and (tag.name != "img" or "src" not in tag.attrs or tag["src"].startswith("/media/"))
    )


@given(TEXTS)
def test_whatever_comes_nothing_in_it_can_act_or_load(text: str) -> None:
    for made in (prose(text), growing_prose(text)):
        assert [str(tag) for tag in BeautifulSoup(made, "html.parser").find_all(True) if not is_harmless(tag)] == []


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        "<a href='jav&#x09;ascript:alert(1)'>x</a>",
        "[x](javascript:alert(1))",
        "<b onclick='alert(1)'>x</b>",
        '<p style="background:url(//evil)">x</p>',
        "<style>body{display:none}</style>",
        "<svg><script>alert(1)</script></svg>",
        "<math><mi xlink:href='javascript:alert(1)'>",
        "<iframe src='//evil'></iframe>",
        "<form action='//evil'><input name=password></form>",
        "<meta http-equiv=refresh content='0;//evil'>",
    ],
)
def test_known_ways_to_do_harm_do_none(text: str) -> None:
    assert [tag for tag in read(text).find_all(True) if not is_harmless(tag)] == []


def test_a_picture_from_elsewhere_is_a_link_so_that_a_card_cannot_call_home() -> None:
    for text in ("![a cat](http://evil.example/cat.png)", '<img src="http://evil.example/cat.png">'):
        shown = read(text)
        assert shown.find("img") is None
        assert shown.find("a")["href"] == "http://evil.example/cat.png"


def test_a_picture_of_ours_is_shown() -> None:
    assert read("![a cat](/media/0123abcd)").find("img").attrs == {"src": "/media/0123abcd", "alt": "a cat"}


def test_a_link_opens_elsewhere_and_tells_nothing() -> None:
    link = read("[the inn](https://inn.example)").find("a")
    assert (link["href"], link["target"]) == ("https://inn.example", "_blank")
    assert {"noopener", "noreferrer"} <= set(link["rel"])


# --- what is kept ---------------------------------------------------------------------------------------------------


@given(st.text(alphabet="abc她说 。,.!?“”\"「」*'<>&", max_size=60))
def test_no_letter_is_lost(text: str) -> None:
    assert [letter for letter in read(text).get_text() if letter.isalnum()] == [x for x in text if x.isalnum()]


@pytest.mark.parametrize("tag", ["<sigh>", "<User>", "<scene 3>", "<script>", "</nobody>"])
def test_a_tag_nobody_knows_is_text(tag: str) -> None:
    assert read(f"He said {tag} twice").get_text().strip() == f"He said {tag} twice"


def test_harmless_foreign_html_is_kept() -> None:
    assert (
        html("<b>bold</b> and <font color='#a8321f'>red</font>")
        == '<p><b>bold</b> and <font color="#a8321f">red</font></p>'
    )


def test_a_folded_box_holds_what_is_written_in_it() -> None:
    assert html("<details><summary>Status</summary>\n\n**Rain**\n\n</details>") == (
        "<details><summary>Status</summary><p><strong>Rain</strong></p></details>"
    )


@pytest.mark.parametrize(
    "text", ["<!-- a note --> Rain.", "<style>\np {}\n</style>\nRain.", "<script>\nx\n</script>\nRain."]
)
def test_what_is_not_meant_to_be_seen_is_not(text: str) -> None:
    assert read(text).get_text().strip() == "Rain."


# --- how it reads ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoken", ['"Good evening,"', "“Good evening,”", "「今晚好」", "『今晚好』", "«Bonsoir»", "„Guten Abend“"]
)
def test_spoken_words_are_set_apart(spoken: str) -> None:
    assert read(f"She looks up. {spoken} she says.").find(class_="dialogue").text == spoken


def test_words_within_spoken_words_belong_to_them() -> None:
    assert read("“He said “no” to me,” she says.").find(class_="dialogue").text == "“He said “no” to me,”"
    assert read("「他说『不』。」她笑。").find(class_="dialogue").text == "「他说『不』。」"


def test_straight_quotes_open_beside_chinese_and_not_after_a_number() -> None:
    assert read('他说"你好"。').find(class_="dialogue").text == '"你好"'
    assert read('A 6" pipe and nothing more.').find(class_="dialogue") is None


def test_an_action_is_told_from_a_stress_within_speech() -> None:
    shown = read("*She turns.* “I *mean* it.”")
    assert [(em.text, em.get("class")) for em in shown.find_all("em")] == [("She turns.", ["action"]), ("mean", None)]


def test_speech_within_an_action_is_both() -> None:
    assert html('*"Hi," she waves*') == '<p><em class="action"><span class="dialogue">"Hi,"</span> she waves</em></p>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("*她笑了笑。*她说", '<em class="action">她笑了笑。</em>她说'),
        ("**注意：**小心", "<strong>注意：</strong>小心"),
        ("她*轻轻地*说", '她<em class="action">轻轻地</em>说'),
        ("（*低声*）", '（<em class="action">低声</em>）'),
    ],
)
def test_marks_work_beside_chinese_without_spaces(text: str, shown: str) -> None:
    assert html(text) == f"<p>{shown}</p>"


def test_a_line_break_stays_and_a_rule_under_a_line_is_a_rule() -> None:
    assert html("one\ntwo\n---\nthree") == "<p>one<br>two</p><hr><p>three</p>"


def test_what_looks_like_a_definition_or_code_is_text() -> None:
    assert html("[Status]: happy") == "<p>[Status]: happy</p>"
    assert html("    four spaces") == "<p>four spaces</p>"


def test_a_table_is_a_table() -> None:
    assert [cell.text for cell in read("|a|b|\n|-|:-:|\n|1|2|").find_all("td")] == ["1", "2"]


def test_stray_stars_stay_stars() -> None:
    assert html("5 * 3 * 2") == "<p>5 * 3 * 2</p>"
    assert html("snake_case_name") == "<p>snake_case_name</p>"


# --- while it is being written --------------------------------------------------------------------------------------

WHOLE = [
    "*She looks up from the ledger.* “Good evening,” she says, *quietly*, “and **mind** the step.”",
    "*青梧抬起头。*“客官，这东西*不该*在你手里。”她把怀表推过柜台。",
    'He laughs. "You *really* think so?" **Then** he stops.',
]


def looks(made: str) -> list[tuple[str, frozenset[str]]]:
    """Every letter with what it is set in."""
    found = []
    for part in BeautifulSoup(made, "html.parser").find_all(string=True):
        around = frozenset(
            f"{tag.name}.{''.join(tag.get('class', []))}" for tag in part.parents if tag.name != "[document]"
        )
        found += [(letter, around) for letter in part if letter.isalnum()]
    return found


@pytest.mark.parametrize("text", WHOLE)
def test_a_growing_text_looks_as_it_will_in_the_end(text: str) -> None:
    end = looks(prose(text))
    for length in range(len(text)):
        now = looks(growing_prose(text[:length]))
        assert now == end[: len(now)], text[:length]


@pytest.mark.parametrize("text", WHOLE)
def test_a_growing_text_never_shows_a_bare_star(text: str) -> None:
    assert [text[:length] for length in range(len(text)) if "*" in growing_prose(text[:length])] == []


# --- cost -----------------------------------------------------------------------------------------------------------


def test_a_text_beyond_all_measure_is_shown_plain() -> None:
    made = prose("*x* <b>\n\n" + "[" * LONGEST)
    assert made.startswith("<p>*x* &lt;b&gt;</p><p>[[[")


def test_the_same_text_is_made_once() -> None:
    assert prose("*Once* upon a time") is prose("*Once* upon a " + "time")
