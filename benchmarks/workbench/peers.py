"""Peers that can be installed here, each in a room of its own under `benchmarks/results/peers`, kept for the next time.

Never a dependency of the project. What cannot be installed says so in its row; nothing is made up.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .forest import PHRASES

ROOMS = Path(__file__).resolve().parents[1] / "results" / "peers"
HERE = Path(__file__).resolve().parent
SAID, REPLY = PHRASES[1], " ".join(PHRASES[:5])
# The second is what the first was called; it runs on older Node.
PI = (("@earendil-works/pi-coding-agent", 22), ("@mariozechner/pi-coding-agent", 18))


class Missing(Exception):
    """A peer cannot be had here; the text says why."""


def langgraph(turns: int) -> dict[str, float]:
    """Seconds of a turn at the beginning and after `turns`, seconds to open, bytes on disk. Raises Missing."""
    python = ROOMS / "langgraph" / "bin" / "python"
    if not python.exists():
        _run([sys.executable, "-m", "venv", str(ROOMS / "langgraph")], 120)
        wanted = ["langgraph>=1.2,<1.3", "langgraph-checkpoint-sqlite"]
        _run([str(python), "-m", "pip", "install", "--quiet", *wanted], 600)
    with TemporaryDirectory() as folder:
        return _told([str(python), str(HERE / "peer_langgraph.py"), folder, str(turns), SAID, REPLY], 1800)


def pi(lengths: Sequence[int]) -> dict[str, float]:
    """Seconds to open a session of each length. Raises Missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        raise Missing("Node is not here")
    version = int(subprocess.run([node, "--version"], capture_output=True, text=True).stdout.strip("v\n").split(".")[0])
    name = next((name for name, needs in PI if version >= needs), None)
    if name is None:
        raise Missing(f"Node {version} is too old for it")
    room = ROOMS / "pi"
    if not (room / "node_modules" / name).exists():
        room.mkdir(parents=True, exist_ok=True)
        _run([npm, "install", "--prefix", str(room), "--no-audit", "--no-fund", "--ignore-scripts", name], 600)
    shutil.copy(HERE / "peer_pi.mjs", room)
    with TemporaryDirectory() as folder:
        return _told([node, str(room / "peer_pi.mjs"), name, folder, ",".join(map(str, lengths)), SAID, REPLY], 600)


def _run(command: list[str], seconds: float) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, timeout=seconds).stdout
    except subprocess.CalledProcessError as error:
        raise Missing(f"{Path(command[0]).name} failed: {error.stderr.strip().splitlines()[-1:]}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Missing(str(error)) from error


def _told(command: list[str], seconds: float) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(_run(command, seconds).strip().splitlines()[-1])
    return told
