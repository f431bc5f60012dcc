"""Copies the few browser files our pages load from node_modules to static/vendor, and nothing else.

Runs on a bare Python: only the standard library is imported.
"""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = {
    "htmx.org/dist/htmx.min.js": "htmx.min.js",
    "htmx.org/dist/ext/hx-sse.min.js": "hx-sse.min.js",
    "htmx.org/LICENSE": "htmx.LICENSE.txt",
}


def copy_shipped(packages: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for source, name in SHIPPED.items():
        shutil.copyfile(packages / source, target / name)


if __name__ == "__main__":
    copy_shipped(ROOT / "node_modules", ROOT / "static" / "vendor")
