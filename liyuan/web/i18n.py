"""The words of the interface in the reader's language. English is the msgid; every `locales/<lang>/*.po` counts.

Catalogues are read and joined at the first page in their language: nothing to compile, nothing to forget.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from liyuan.assets import locales_dir

#: Language → the value of the `lang` attribute, which also chooses the shapes of Chinese characters.
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
DEFAULT = "en"


@cache
def words(lang: str) -> NullTranslations:
    """The translations into one of LANGUAGES; what has none stays English."""
    sources = sorted((locales_dir() / lang).glob("*.po"))
    if not sources:
        return NullTranslations()
    joined = Catalog(locale=lang)
    for source in sources:
        with source.open("rb") as file:
            for message in read_po(file, locale=lang):
                if message.id and message.string and not message.fuzzy:
                    joined.add(message.id, message.string, context=message.context)
    compiled = BytesIO()
    write_mo(compiled, joined)
    compiled.seek(0)
    return GNUTranslations(compiled)


def choose_language(wanted: str | None, accept: str) -> str:
    """One of LANGUAGES: what the reader set, else the first of `Accept-Language` that we have, else English."""
    if wanted in LANGUAGES:
        return wanted
    return next((name for name in _asked(accept) if name in LANGUAGES), DEFAULT)


def _asked(accept: str) -> list[str]:
    """The languages of an Accept-Language header without their regions, best first."""
    weighed: list[tuple[float, int, str]] = []
    for part in accept[:400].split(","):
        name, _, quality = part.partition(";")
        try:
            weight = float(quality.partition("=")[2] or 1)
        except ValueError:
            weight = 0.0
        if name.strip() and weight > 0:
            weighed.append((-weight, len(weighed), name.strip().lower().partition("-")[0]))
    return [name for _, _, name in sorted(weighed)]
