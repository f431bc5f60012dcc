"""Commands typed into the composer: `/name words`. What begins otherwise is said as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from liyuan.domain.errors import Invalid

NAMES = frozenset(
    {
        *("continue", "regenerate", "impersonate", "rewind", "branch", "title", "export", "help"),
        *("save", "back", "line", "tag", "log", "checkout", "undo", "redo"),
    }
)
#: Those that can do nothing with words behind them.
WORDLESS = frozenset({"continue", "regenerate", "impersonate", "undo", "redo", "log", "export", "help"})
#: The same commands as Chinese readers would type them.
ALIASES = {
    "继续": "continue",
    "重说": "regenerate",
    "代写": "impersonate",
    "回退": "rewind",
    "分支": "branch",
    "标题": "title",
    "导出": "export",
    "存档": "save",
    "读档": "back",
    "世界线": "line",
    "标签": "tag",
    "来路": "log",
    "切换": "checkout",
    "撤销": "undo",
    "重做": "redo",
    "帮助": "help",
}
_COMMAND = re.compile(r"/(\w+)(?:\s+(.*))?", re.DOTALL)
NO_COMMAND = "There is no command /{name}. To say it as it is, put a space before it."
NO_WORDS = "/{name} takes no words, so nothing was done with yours. To say them, put a space before the stroke."
NO_NUMBER = "How many turns back? Write /rewind and a number, such as /rewind 3."


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    words: str

    @property
    def number(self) -> int:
        """The number in the words, 1 where there are none. Raises Invalid."""
        if not self.words:
            return 1
        if not self.words.isdecimal():
            raise Invalid(NO_NUMBER)
        return int(self.words[:6])


def parse_command(text: str) -> Command | None:
    """The command in a text, None where it is none. Raises Invalid for one that does not exist or takes no words."""
    found = _COMMAND.fullmatch(text.rstrip())
    if not found:
        return None
    name = ALIASES.get(found[1], found[1].lower())
    if name not in NAMES:
        raise Invalid(NO_COMMAND, name=found[1])
    words = (found[2] or "").strip()
    if words and name in WORDLESS:
        raise Invalid(NO_WORDS, name=found[1])
    return Command(name, words)
