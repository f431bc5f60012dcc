"""What a jump leaves behind, as the API takes it: "none", "auto", or words, given in `text` or as `summary` itself."""

from __future__ import annotations

from liyuan.play.leaving import Farewell


def farewell_of(summary: str, text: str | None) -> tuple[Farewell, str]:
    """The wish and its words. `{"summary": "text", "text": "…"}` and `{"summary": "…"}` say the same."""
    if summary in ("", "none"):
        return "none", ""
    if summary == "auto":
        return "auto", ""
    return "text", (text or "") if summary == "text" else summary
