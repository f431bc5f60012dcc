"""A picture is kept under an id made from its bytes, and an id leads nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from liyuan.domain.errors import Invalid, NotFound
from liyuan.store.media import load_media, media_path, save_media


def test_a_saved_picture_is_found_by_its_id_with_its_suffix(tmp_path: Path) -> None:
    media_id = save_media(tmp_path, b"pixels", ".png")
    assert media_path(tmp_path, media_id).read_bytes() == b"pixels"
    assert media_path(tmp_path, media_id).suffix == ".png"


def test_the_same_picture_is_kept_once_and_nothing_unfinished_is_left(tmp_path: Path) -> None:
    assert save_media(tmp_path, b"pixels", ".png") == save_media(tmp_path, b"pixels", ".png")
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 1


@pytest.mark.parametrize("media_id", ["", "..", "../secret.key", "a" * 39, "A" * 40, "a" * 40, "a" * 40 + "\n"])
def test_an_id_that_names_no_picture_leads_nowhere(tmp_path: Path, media_id: str) -> None:
    (tmp_path.parent / "secret.key").write_bytes(b"x")
    with pytest.raises(NotFound):
        media_path(tmp_path, media_id)
    assert load_media(tmp_path, media_id) is None


def test_only_known_kinds_of_pictures_are_kept(tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        save_media(tmp_path, b"<script>", ".html")
    assert list(tmp_path.iterdir()) == []
