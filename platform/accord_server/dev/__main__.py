"""``python -m accord_server.dev run``: the whole platform from one command."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import Final

from accord_server.dev.errors import Trouble
from accord_server.dev.ports import first_free
from accord_server.dev.processes import AlreadyRunning
from accord_server.dev.progress import Progress
from accord_server.dev.state import State, read_json
from accord_server.dev.supervisor import Supervisor

PORT: Final = 8081
LAST_PORT: Final = 65535


def main() -> int:
    """Run the command and return the exit code of the process."""
    arguments = parser().parse_args()
    logging.basicConfig(format="%(message)s")
    try:
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
    verb = root.add_subparsers(required=True, metavar="run").add_parser("run", help="run the platform")
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


def who_runs(state: State) -> str:
    """Return a sentence about the run that holds the folder."""
    other = read_json(state.run_file)
    if other is None:
        return f"another run is starting or stopping in {state.folder}; try again in a moment"
    return f"already running at {other['url']}, process {other['pids']['supervisor']}; stop that one first"


if __name__ == "__main__":
    sys.exit(main())
