"""Chooses exact versions for `requirements.lock` (running) and `requirements-dev.lock` (tests), with hashes.

The files name packages, versions and hashes only, never where they were found. Words after the command go to
`uv pip compile`, for example `make lock ARGS=--upgrade`.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Made by `make lock` from pyproject.toml; not for editing by hand.\n"
COMPILE = [
    "uv", "pip", "compile", "pyproject.toml", "--quiet", "--universal", "--python-version", "3.11",
    "--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-annotate",
    "--no-header",
]  # fmt: skip


def lock(target: str, *more: str) -> None:
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, *COMPILE[1:], "--output-file", target, *more], cwd=ROOT, check=True)
    made = ROOT / target
    made.write_text(HEADER + made.read_text(encoding="utf-8"), encoding="utf-8")


def main() -> None:
    words = sys.argv[1:]
    lock("requirements.lock", "--group", "build", *words)
    lock("requirements-dev.lock", "--group", "dev", "--constraint", "requirements.lock", *words)


if __name__ == "__main__":
    main()
