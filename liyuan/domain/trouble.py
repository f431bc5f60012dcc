"""A trouble that is kept to be told later: its sentence and its fields apart, so that any language can tell it."""

from __future__ import annotations

import json
from typing import Any

from liyuan.domain.errors import LiyuanError


def kept(error: LiyuanError) -> str:
    """The error as one text, to be stored."""
    fields = {name: value if isinstance(value, int | float) else str(value) for name, value in error.fields.items()}
    return json.dumps({"sentence": error.template, "fields": fields}, ensure_ascii=False)


def error_of(text: str) -> LiyuanError:
    """What was kept. A text that is no such thing, as older versions kept, is taken for the whole sentence."""
    try:
        read: Any = json.loads(text)
        return LiyuanError(str(read["sentence"]), **{str(name): value for name, value in read["fields"].items()})
    except (ValueError, TypeError, KeyError, AttributeError):
        return LiyuanError(text.replace("{", "{{").replace("}", "}}"))
