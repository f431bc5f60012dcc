"""What the rules of the house look at: the files of this repository, as git knows them, new ones included."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "liyuan"


def files(*patterns: str) -> list[Path]:
    """Files git tracks or would track, narrowed by git path patterns such as `liyuan/*.py`."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted({ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()})


def texts(*patterns: str) -> Iterator[tuple[str, str]]:
    """The path, from the root, and the text of each file that is text."""
    for path in files(*patterns):
        try:
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def module_name(path: Path) -> str:
    """`liyuan/store/tree.py` is `liyuan.store.tree`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_all(*patterns: str) -> None:
    """Loads every module that the patterns name, so that its classes are known to their bases."""
    for path in files(*patterns):
        importlib.import_module(module_name(path))
