"""A trouble that was kept is told later as it would have been at once."""

from __future__ import annotations

import pytest

from liyuan.domain.errors import Invalid, LiyuanError, ModelFailed, NotFound
from liyuan.domain.trouble import error_of, kept


@pytest.mark.parametrize(
    "error",
    [
        NotFound(what="story", id="c1"),
        ModelFailed("{server} is overloaded ({code}).", server="127.0.0.1", code=503, kind="server-error"),
        Invalid("没有{what}。", what={"a": 1}),
    ],
)
def test_it_is_told_as_before(error: LiyuanError) -> None:
    assert str(error_of(kept(error))) == str(error)
    assert error_of(kept(error)).template == error.template


@pytest.mark.parametrize("text", ["The scribe gave up.", "{server} gave up", "7", "null", "{}", '{"sentence": 1}'])
def test_what_an_older_version_kept_is_told_as_it_is(text: str) -> None:
    assert str(error_of(text)) == text
