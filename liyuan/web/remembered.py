"""HTML that depends on nothing but the values it is made from: made once, kept until something is redacted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from threading import Lock
from typing import TypeAlias

from markupsafe import Markup

from liyuan.web.prose import forget_prose

#: Some 2 KB each: forty pages of fifty messages with the world beside them.
MOST = 4000
#: Some 50 KB each.
WHOLE = 64

Key: TypeAlias = tuple[Hashable, ...]


class Remembered:
    """What a macro of one language has made, by its name and what it was given."""

    def __init__(self, language: str) -> None:
        self.language = language

    def __call__(self, macro: Callable[..., Markup], *values: Hashable) -> Markup:
        """The macro's HTML for these values. The macro must take all that it shows from them."""
        key: Key = (self.language, getattr(macro, "name", macro), *values)
        with _lock:
            if known := _made.get(key):
                _made.move_to_end(key)
                return known
        made = macro(*values)
        with _lock:
            _made[key] = made
            while len(_made) > MOST:
                _made.popitem(last=False)
        return made


@lru_cache(maxsize=WHOLE)
def whole(draw: Callable[..., str], *values: Hashable) -> str:
    """What `draw` makes of these values, made once: for parts of the page that are large and seldom change."""
    return draw(*values)


def forget_drawn() -> None:
    """Forgets everything, the prose that it was made of too, as a redaction asks."""
    forget_prose()
    whole.cache_clear()
    with _lock:
        _made.clear()


_made: OrderedDict[Key, Markup] = OrderedDict()
_lock = Lock()
