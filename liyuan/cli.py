"""The command line. Every command says in a sentence what it did, and exits 0 only when it did it."""

from __future__ import annotations

import argparse
import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import uvicorn
from pydantic import ValidationError
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from liyuan.domain.conversation_file import Fault, Unsound
from liyuan.domain.entry import ConversationId
from liyuan.domain.errors import LiyuanError
from liyuan.jobs.indexing import index_all
from liyuan.log import write_logs
from liyuan.play.exports import export_conversation
from liyuan.play.imports import import_file
from liyuan.resources import open_resources
from liyuan.settings import Settings, complaints
from liyuan.store.conversations import load_conversation
from liyuan.store.database import Database
from liyuan.store.ground import has_lost_its_database, require_writable
from liyuan.store.indexing import order_everything
from liyuan.store.migrate import is_current, migrate
from liyuan.store.secrets import KeySpoiled, Secrets
from liyuan.store.verify import verify

#: The application by its address: the pages are not loaded for the other commands.
APPLICATION = "liyuan.app:from_environment"
#: The MCP server, loaded only for `liyuan mcp`.
CONTEXT_STORE = "liyuan.mcp.serving"
CONTEXT_PORT = 7621
LAST_PORT = 65535
NAMED = ("LIYUAN_HOST", "LIYUAN_PORT")
REFUSED = 2
PIPE = "-"
#: Seconds that open streams are given at the end; a page that loses its stream finds it again.
GRACE = 3


class Outdated(LiyuanError):
    type = "outdated"
    title = "The database is not up to date"
    message = "The database is not up to date, or not there yet. Run `liyuan migrate` first."


class Unreachable(LiyuanError):
    type = "unreachable"
    title = "The stories cannot be opened"
    message = "The stories cannot be opened: {reason}. LIYUAN_DATA_DIR is {folder}. Nothing was changed."


class Taken(LiyuanError):
    type = "port-taken"
    title = "The port is taken"
    message = (
        "Port {port} of {host} is taken by another program, perhaps by a liyuan that is running already. "
        "Set {setting} to a free port, or end the other program. Nothing was started."
    )


class Unlistenable(LiyuanError):
    type = "address-refused"
    title = "The address cannot be listened at"
    message = "{host}, port {port}, cannot be listened at: {reason}. Change {setting}. Nothing was started."


class Server(uvicorn.Server):
    """Says where it is once it can be reached, in words for the person who started it."""

    def __init__(self, config: uvicorn.Config, words: str = "liyuan is at {address}") -> None:
        super().__init__(config)
        self._words = words

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for listening in server.sockets:
                where = self._words.format(address=address(*listening.getsockname()[:2]))
                print(f"{where}  (Ctrl+C ends it)", flush=True)


def address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


def serve(settings: Settings, _chosen: argparse.Namespace) -> int:
    if not settings.is_loopback and settings.password is None:
        return refuse(
            f"LIYUAN_HOST is {settings.host}, so others could reach your stories, and no password is set. "
            "Set LIYUAN_PASSWORD, or leave LIYUAN_HOST at 127.0.0.1. Nothing was started."
        )
    if settings.allowed_hosts and settings.password is None:
        note("others may be able to call this server by LIYUAN_ALLOWED_HOSTS, and no password is set.")
    look_around(settings)
    reach(settings).close()
    return listen(settings, "liyuan is at {address}", APPLICATION, factory=True)


def look_around(settings: Settings) -> None:
    """Tells what is odd about the data folder. Raises Unreachable where it cannot be written to."""
    try:
        require_writable(settings.data_dir)
        is_lost = has_lost_its_database(settings.data_dir, settings.database_url)
    except (OSError, ArgumentError) as error:
        raise Unreachable(reason=error, folder=settings.data_dir) from error
    if is_lost:
        note(
            f"liyuan has been in {settings.data_dir} before, but its database is gone. A new one is begun, without any "
            "stories. If you did not mean that, stop now and put the database back from a backup."
        )
    try:
        Secrets(settings.data_dir).check()
    except KeySpoiled as error:
        note(str(error))


def note(words: str) -> None:
    """For whoever reads the log of a server that starts nevertheless."""
    print(f"Note: {words}", file=sys.stderr, flush=True)


def listen(settings: Settings, words: str, application: Any, *, named: tuple[str, str] = NAMED, **more: Any) -> int:
    """Serves an application where the settings say, until it is stopped. `named` is how host and port are set."""
    try:
        require_free(settings.host, settings.port, named)
    except LiyuanError as error:
        return refuse(str(error), code=1)
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        **more,
    )
    load(config)
    server = Server(config, words)
    server.run()
    return 0 if server.started else 1


def load(config: uvicorn.Config) -> None:
    """Loads the application. Loading makes many objects that stay and no garbage: looking for some costs a tenth of it,
    and the same again at every later look."""
    gc.disable()
    try:
        config.load()
        gc.freeze()
    finally:
        gc.enable()


def require_free(host: str, port: int, named: tuple[str, str]) -> None:
    """Raises Taken or Unlistenable before anything is loaded, where the server itself would only name an error code."""
    try:
        for family, kind, protocol, _, where in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            with socket.socket(family, kind, protocol) as probe:
                if os.name == "posix":  # As the server does: a port that was left a moment ago is free.
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                probe.bind(where)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise Taken(host=host, port=port, setting=named[1]) from error
        wrong = named[1 if error.errno == errno.EACCES else 0]
        raise Unlistenable(host=host, port=port, reason=error.strerror or error, setting=wrong) from error


def offer(settings: Settings, chosen: argparse.Namespace) -> int:
    """The MCP server: to whoever started this process, or with `--http` to whoever knows the address."""
    settings = settings.model_copy(update={"host": chosen.host, "port": chosen.port})
    if chosen.http and not settings.is_loopback and settings.password is None:
        return refuse(
            f"--host is {settings.host}, so others could reach your stories, and no password is set. "
            "Set LIYUAN_PASSWORD, or leave --host at 127.0.0.1. Nothing was started."
        )
    if chosen.http and settings.allowed_hosts and settings.password is None:
        note("others may be able to call this server by LIYUAN_ALLOWED_HOSTS, and no password is set.")
    look_around(settings)
    with closing(reach(settings)) as database:
        migrate(database)
        if chosen.conversation:
            with database.reading_now() as connection:
                load_conversation(connection, chosen.conversation)
    write_logs(settings.log_level, settings.log_format)
    serving = context_store()
    if chosen.http:
        words = "liyuan keeps contexts at {address}" + serving.PATH
        return listen(settings, words, serving.over_http(settings, chosen.conversation), named=("--host", "--port"))
    if sys.stdin.isatty():
        print("liyuan mcp waits for an MCP client on its standard input. Ctrl+C ends it.", file=sys.stderr)
    # A thread waits in a read that nothing but the end of the input wakes, so Ctrl+C has to end the process itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    asyncio.run(serving.over_stdio(settings, chosen.conversation))
    return 0


def context_store() -> ModuleType:
    return import_module(CONTEXT_STORE)


def bring_up(settings: Settings, _chosen: argparse.Namespace) -> int:
    with closing(reach(settings)) as database:
        changed = migrate(database)
    print("The database was brought up to date." if changed else "The database is up to date.")
    return 0


def prove(settings: Settings, chosen: argparse.Namespace) -> int:
    with opened(settings) as database, database.reading_now() as connection:
        if chosen.conversation:
            load_conversation(connection, chosen.conversation)
        faults = list(verify(connection, chosen.conversation))
    for fault in faults:
        print(f"{fault.conversation_id}  {fault.entry_id or '-'}  {fault.what}")
    print(f"{counted(len(faults), 'fault', 'faults')}." if faults else "Everything is as the parent links say.")
    return 1 if faults else 0


def export(settings: Settings, chosen: argparse.Namespace) -> int:
    with opened(settings) as database:
        text = export_conversation(database, chosen.conversation)
        if chosen.file == PIPE:
            sys.stdout.writelines(text)
            return 0
        with Path(chosen.file).open("w", encoding="utf-8", newline="") as file:
            file.writelines(text)
    print(f"The whole story, all its branches, is in {chosen.file}.")
    return 0


def take_in(settings: Settings, chosen: argparse.Namespace) -> int:
    with opened(settings) as database, ExitStack() as open_files:
        source = sys.stdin.buffer if chosen.file == PIPE else open_files.enter_context(Path(chosen.file).open("rb"))
        try:
            taken = import_file(database, source, chosen.policy)
        except Unsound as error:
            return refuse("\n".join([str(error), *map(left_out, error.faults)]))
    for fault in taken.faults:
        print(left_out(fault))
    entries = counted(taken.imported, "entry", "entries")
    print(f"Taken in: {entries} as the story {taken.conversation.id}. Left out: {len(taken.faults)}.")
    return 0


def reindex(settings: Settings, chosen: argparse.Namespace) -> int:
    with opened(settings) as database, database.writing_now() as connection:
        shelves = counted(order_everything(connection), "shelf of memory", "shelves of memory")
    if not chosen.here:
        print(f"To be indexed anew: {shelves}, now if the server runs, else when it starts.")
        return 0
    done = asyncio.run(index_here(settings))
    print(f"Indexed anew: {shelves}." if done else "Not everything could be indexed; see above.")
    return 0 if done else 1


async def index_here(settings: Settings) -> bool:
    async with open_resources(settings) as resources:
        return not await index_all(resources)


def counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def left_out(fault: Fault) -> str:
    return f"line {fault.line}: {fault.reason}"


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database, as it is. Raises Unreachable, or Outdated where `migrate` has something to do."""
    with closing(reach(settings)) as database:
        if not is_current(database):
            raise Outdated
        yield database


def reach(settings: Settings) -> Database:
    """The database, once it has answered. Raises Unreachable with what the database or the disk says."""
    try:
        database = Database(settings.database_url)
        is_current(database)
    except (OSError, SQLAlchemyError, ImportError) as error:
        raise Unreachable(reason=getattr(error, "orig", None) or error, folder=settings.data_dir) from error
    return database


def arguments() -> argparse.ArgumentParser:
    """The commands and what they take; each one's `run` is set to the function that does it."""
    parser = argparse.ArgumentParser(prog="liyuan", description="A server for long interactive stories.")
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, run: Callable[[Settings, argparse.Namespace], int], words: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=words, description=words)
        made.set_defaults(run=run)
        return made

    command("serve", serve, "Serve the pages and the API until it is stopped.")
    offering = command("mcp", offer, "Be a context store for other agents, over MCP: on the standard streams or HTTP.")
    offering.add_argument(
        "--conversation", type=ConversationId, metavar="ID", help="the conversation meant where a call names none"
    )
    offering.add_argument("--http", action="store_true", help="listen for streamable HTTP instead, at /mcp")
    offering.add_argument("--host", default="127.0.0.1", help="where to listen; beyond loopback a password is needed")
    offering.add_argument(
        "--port", type=port_number, default=CONTEXT_PORT, help=f"{CONTEXT_PORT} unless you say otherwise"
    )
    command("migrate", bring_up, "Bring the database up to date. `serve` does so by itself.")
    proving = command("verify", prove, "Derive the trees anew and compare; exit 1 with a list when something is off.")
    proving.add_argument("conversation", nargs="?", type=ConversationId, help="one conversation instead of all")
    exporting = command("export", export, "Write a story with all its branches into a conversation file.")
    exporting.add_argument("conversation", type=ConversationId, help="the story’s id, the last part of its address")
    exporting.add_argument("file", nargs="?", default=PIPE, help="where to; “-”, the default, is the standard output")
    importing = command("import", take_in, "Take a conversation file in as a new story.")
    importing.add_argument("file", help="the file; “-” is the standard input")
    importing.add_argument(
        "--policy",
        choices=("quarantine", "reject"),
        default="quarantine",
        help="for a file with faults: take its sound part and list the rest (the default), or take nothing",
    )
    reindexing = command("reindex", reindex, "Make the search index of all memories anew. Stories are not touched.")
    reindexing.add_argument("--here", action="store_true", help="do it now, in this process; only while no server runs")
    return parser


def port_number(said: str) -> int:
    """A port as it was typed; 0 lets the system choose one."""
    if not said.isdecimal() or int(said[:6]) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"{said} is no port; ports go from 0 to {LAST_PORT}")
    return int(said)


def refuse(words: str, *, code: int = REFUSED) -> int:
    print(f"liyuan: {words}", file=sys.stderr)
    return code


def main(argv: Sequence[str] | None = None) -> int:
    chosen = arguments().parse_args(argv)
    try:
        settings = Settings()
    except ValidationError as error:
        return refuse(f"A setting cannot be used. {'; '.join(complaints(error))}. Nothing was started.")
    try:
        return int(chosen.run(settings, chosen))
    except (LiyuanError, OSError) as error:
        return refuse(str(error))


if __name__ == "__main__":
    sys.exit(main())
