"""``python -m accord_server.dev run``: the whole platform from one command.

``python -m accord_server.dev manage COMMAND`` runs a command of `manage.py` with the settings of that run.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import TYPE_CHECKING, Final, NoReturn

from accord_server.dev import environment
from accord_server.dev.errors import Trouble
from accord_server.dev.ports import first_free
from accord_server.dev.processes import AlreadyRunning
from accord_server.dev.progress import Progress
from accord_server.dev.state import PROJECT, State, read_json
from accord_server.dev.supervisor import Supervisor

if TYPE_CHECKING:
    from collections.abc import Sequence

PORT: Final = 8081
LAST_PORT: Final = 65535


class NotRunning(Trouble):
    """A command wants the settings of a run, and nothing runs."""


def main() -> int:
    """Run the command and return the exit code of the process."""
    arguments = parser().parse_args()
    logging.basicConfig(format="%(message)s")
    try:
        if arguments.verb == "manage":
            manage(State.chosen(None), arguments.words)
        run(State.chosen(arguments.state), port=arguments.port, reset=arguments.reset)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except PermissionError as refused:  # a run by another user, most often root, came first
        print(f"{refused.filename} belongs to another user: run as that user", file=sys.stderr)
        return 1
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the command line; each option has a variable, which is what `make run` passes."""
    root = argparse.ArgumentParser(prog="python -m accord_server.dev", description=__doc__)
    verbs = root.add_subparsers(required=True, dest="verb", metavar="run|manage")
    command = verbs.add_parser("manage", help="run a command of manage.py beside the running platform")
    command.add_argument("words", nargs=argparse.REMAINDER, help="the command and its arguments")
    verb = verbs.add_parser("run", help="run the platform")
    verb.add_argument("--state", metavar="FOLDER", help="where data and logs live (ACCORD_STATE; .accord)")
    verb.add_argument(
        "--port", type=port_number, default=os.environ.get("PORT") or PORT, help=f"PORT; {PORT}"
    )
    verb.add_argument(
        "--reset", action="store_true", default=os.environ.get("RESET") == "1", help="start afresh (RESET=1)"
    )
    return root


def port_number(text: str) -> int:
    """Read a port that an ordinary server can have."""
    if not (
        text.isascii() and text.isdigit() and len(text) <= len(str(LAST_PORT)) and 0 < int(text) <= LAST_PORT
    ):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give PORT a number from 1 to {LAST_PORT}")
    return int(text)


def run(state: State, *, port: int, reset: bool) -> None:
    """Run the platform in this state folder until it is told to stop."""
    progress = Progress()
    try:
        lock = state.take()
    except AlreadyRunning as taken:
        raise AlreadyRunning(who_runs(state)) from taken
    with lock:
        if reset:
            state.erase()
            progress.done("the data of earlier runs is erased")
        free = first_free(port)
        if free != port:
            progress.done(f"port {port} is taken, so this is port {free}")
        Supervisor(state, progress, free).run_until_stopped()


def manage(state: State, words: Sequence[str]) -> NoReturn:
    """Become a management command with the settings of the run in this state folder."""
    settings = read_json(state.settings_file)
    if settings is None:
        raise NotRunning(f"nothing runs in {state.folder}: start it with make run")
    command = (sys.executable, str(PROJECT / "manage.py"), *words)
    os.execve(sys.executable, command, environment.for_manage(settings))  # noqa: S606  # our own program


def who_runs(state: State) -> str:
    """Return a sentence about the run that holds the folder."""
    other = read_json(state.run_file)
    if other is None:
        return f"another run is starting or stopping in {state.folder}; try again in a moment"
    return f"already running at {other['url']}, process {other['pids']['supervisor']}; stop that one first"


if __name__ == "__main__":
    sys.exit(main())
