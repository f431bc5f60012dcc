"""Sees to it that what is packed can show its pages: missing vendor files are fetched with npm."""

from __future__ import annotations

import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NO_NPM = (
    "static/vendor is missing and npm was not found, so the pages could not load htmx. "
    "Install npm (Node.js) and try again, or run `make setup` first."
)


class VendorFiles(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable" or self._complete():
            return
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError(NO_NPM)
        subprocess.run([npm, "ci", "--omit=dev", "--no-audit", "--no-fund"], cwd=self.root, check=True)
        subprocess.run([sys.executable, "scripts/vendor.py"], cwd=self.root, check=True)

    def _complete(self) -> bool:
        root = Path(self.root)
        shipped = runpy.run_path(str(root / "scripts" / "vendor.py"))["SHIPPED"]
        return all((root / "static" / "vendor" / name).is_file() for name in shipped.values())
