"""A story's text as safe HTML: markdown, spoken words set apart, and of foreign HTML only what cannot do harm.

Nothing here loads anything from elsewhere: a picture that is not our own becomes a link. Written for text that is still
growing, too: an *action or a “line whose end has not come yet looks as it will once the end is there.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import MutableMapping, Sequence
from hashlib import blake2b
from html import escape
from threading import Lock
from typing import Any

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from liyuan.web.emphasis import emphasis, mend

REMEMBERED = 4000
#: Characters beyond which a text is shown without its markdown: the time to read it grows with it, some 20 µs for each.
LONGEST = 40_000
#: What foreign HTML may consist of; any other tag is shown as the text it is.
TAGS = frozenset(
    """
    a abbr b blockquote br center code dd del details div dl dt em figcaption figure font h1 h2 h3 h4 h5 h6 hr i img ins
    kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var
    """.split()  # noqa: SIM905 – one tag a line would hide the list.
)
ATTRIBUTES = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title"},
    "font": {"color"},
    "ol": {"start"},
    "details": {"open"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
    "*": {"lang", "dir"},
}
CLASSES = {"span": {"dialogue"}, "em": {"action"}, "a": {"picture"}}
SCHEMES = {"http", "https", "mailto"}
OUR_PICTURES = "/media/"

_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]{0,30})\b([^<>]{0,2000})>")
_SOURCE = re.compile(r"""\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_COLOUR = re.compile(r"#[0-9A-Fa-f]{3,8}|[A-Za-z]{2,20}")
_ALIGN = re.compile(r"text-align:(left|right|center)")
_UNFINISHED = re.compile(r"\*{1,3}\Z")


def prose(text: str) -> Markup:
    """The whole text. Remembered by its content, so a page of old messages costs one look each."""
    key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    with _lock:
        if known := _remembered.get(key):
            _remembered.move_to_end(key)
            return known
    made = _render(text)
    with _lock:
        _remembered[key] = made
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return made


def growing_prose(text: str) -> Markup:
    """Text that is still being written. A star at its very end is held back until it is known what it is for."""
    return _render(_UNFINISHED.sub("", text))


def forget_prose() -> None:
    """Forgets all remembered text, as a redaction asks."""
    with _lock:
        _remembered.clear()


_remembered: OrderedDict[bytes, Markup] = OrderedDict()
_lock = Lock()


def _render(text: str) -> Markup:
    if len(text) > LONGEST:
        paragraphs = (escape(part).replace("\n", "<br>") for part in text.split("\n\n"))
        return Markup("".join(f"<p>{part}</p>" for part in paragraphs))
    return Markup(_cleaner.clean(_markdown.render(text)))


def _attribute(tag: str, name: str, value: str) -> str | None:
    if (tag, name) == ("img", "src"):
        return value if _is_ours(value) else None
    if (tag, name) == ("a", "href"):
        return value if ":" in value else None
    if (tag, name) == ("font", "color"):
        return value if _COLOUR.fullmatch(value) else None
    return value


def _is_ours(address: str) -> bool:
    return address.startswith(OUR_PICTURES) and ".." not in address


# --- foreign HTML ---------------------------------------------------------------------------------------------------


def _foreign(_renderer: RendererProtocol, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: Any) -> str:
    """Raw HTML as it was written, where it is harmless; a picture from elsewhere as a link, the rest as plain text."""
    content = _without_unseen(tokens[at].content)
    kept, end = [], 0
    for tag in _TAG.finditer(content):
        kept += [escape(content[end : tag.start()], quote=False), _tag(tag)]
        end = tag.end()
    return "".join(kept) + escape(content[end:], quote=False)


def _without_unseen(content: str) -> str:
    """Drops what stands first and is not meant to be seen, when it is whole: a comment, a style, a script."""
    start = content.lstrip()[:7].lower()
    for opening, closing in (("<!--", "-->"), ("<style", "</style>"), ("<script", "</script>")):
        if start.startswith(opening):
            _, closed, rest = content.partition(closing)
            return rest if closed else content
    return content


def _tag(tag: re.Match[str]) -> str:
    name = tag[2].lower()
    if name not in TAGS:
        return escape(tag[0])
    if name == "img" and not tag[1]:
        found = _SOURCE.search(tag[3])
        return _picture("".join(filter(None, found.groups())), "") if found else ""
    return tag[0]


def _image(renderer: RendererProtocol, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    token = tokens[at]
    alt = renderer.renderInlineAsText(token.children, options, env) if token.children else ""  # type: ignore[attr-defined]
    return _picture(str(token.attrs.get("src", "")), alt)


def _picture(source: str, alt: str) -> str:
    if _is_ours(source):
        return f'<img src="{escape(source)}" alt="{escape(alt)}">'
    return f'<a class="picture" href="{escape(source)}">{escape(alt or source)}</a>'


# --- spoken words ---------------------------------------------------------------------------------------------------

CLOSERS = {"“": "”", "„": "“”", "«": "»", "「": "」", "『": "』", '"': '"', "＂": "＂"}
_QUOTES = re.compile('["＂“”„«»「」『』]')
_WORD_BEFORE = re.compile(r"[A-Za-z0-9]\Z")


class _Speech:
    """Reads one paragraph's tokens from left to right and writes them again with spoken words and actions marked."""

    def __init__(self) -> None:
        self.out: list[Token] = []
        self.level = 0
        self.closers = ""
        self.opener = ""
        self.nested = 0
        self.opened_at = 0
        self.before = ""

    @property
    def is_open(self) -> bool:
        return bool(self.closers)

    def take(self, token: Token) -> None:
        if token.nesting < 0:
            if self.is_open and self.level == self.opened_at:
                self._close()
            self.level -= 1
        if token.type == "em_open" and token.markup == "*" and not self.is_open:
            token.attrSet("class", "action")
        if token.type == "text":
            self._text(token.content)
        else:
            self.out.append(token)
            self.before = "" if token.type.endswith("break") else self.before
        self.level += token.nesting > 0

    def end(self) -> list[Token]:
        if self.is_open:
            self._close()
        return self.out

    def _text(self, text: str) -> None:
        start = 0
        for mark in _QUOTES.finditer(text):
            at, quote = mark.start(), mark[0]
            before = text[at - 1] if at else self.before
            if not self.is_open and self._opens(quote, before, text[at + 1 : at + 2]):
                self._say(text[start:at])
                self._open(quote)
                start = at
            elif self.is_open and self._is_end(quote):
                self._say(text[start : at + 1])
                self._close()
                start = at + 1
        self._say(text[start:])
        self.before = text[-1:] or self.before

    @staticmethod
    def _opens(quote: str, before: str, after: str) -> bool:
        if quote not in CLOSERS:
            return False
        return quote not in '"＂' or not (after.isspace() or not after or _WORD_BEFORE.match(before))

    def _is_end(self, quote: str) -> bool:
        """Whether the speech ends here; quotes of its own kind may stand within."""
        if quote in self.closers and self.level == self.opened_at:
            self.nested -= 1
        elif quote == self.opener:
            self.nested += 1
        return self.nested == 0

    def _say(self, text: str) -> None:
        if text:
            self.out.append(Token("text", "", 0, content=text))

    def _open(self, quote: str) -> None:
        self.opener, self.closers, self.nested, self.opened_at = quote, CLOSERS[quote], 1, self.level
        self.out.append(Token("dialogue_open", "span", 1, attrs={"class": "dialogue"}))

    def _close(self) -> None:
        self.closers = ""
        self.out.append(Token("dialogue_close", "span", -1))


def _mark_speech(state: StateCore) -> None:
    for block in state.tokens:
        if block.type == "inline" and block.children:
            speech = _Speech()
            for token in block.children:
                speech.take(token)
            block.children = speech.end()


def _align_cells(state: StateCore) -> None:
    """Tables say their alignment by an attribute, because a style would be stopped by our policy."""
    for token in state.tokens:
        if token.type in ("td_open", "th_open") and (style := token.attrs.pop("style", None)):
            aligned = _ALIGN.fullmatch(str(style))
            token.attrs["align"] = aligned[1] if aligned else "left"


def _reader() -> MarkdownIt:
    """CommonMark without what prose does not mean: indented code, underlined headings, definitions of links."""
    options: MutableMapping[str, Any] = {"breaks": True, "html": True}
    made = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    made.disable(["code", "lheading", "reference"])
    made.inline.ruler.at("emphasis", emphasis)
    made.inline.ruler2.after("balance_pairs", "mend", mend)
    made.core.ruler.push("speech", _mark_speech)
    made.core.ruler.push("cells", _align_cells)
    made.add_render_rule("html_inline", _foreign)
    made.add_render_rule("html_block", _foreign)
    made.add_render_rule("image", _image)
    return made


_markdown = _reader()
_cleaner = nh3.Cleaner(
    tags=set(TAGS),
    clean_content_tags={"script", "style"},
    attributes=ATTRIBUTES,
    attribute_filter=_attribute,
    allowed_classes=CLASSES,
    url_schemes=SCHEMES,
    link_rel="noopener noreferrer nofollow",
    set_tag_attribute_values={"a": {"target": "_blank"}},
)
