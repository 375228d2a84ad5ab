"""The program: its verbs, and what becomes of errors."""

from __future__ import annotations

import os
from typing import Any, Final

import click

from accord.cli.check import check
from accord.cli.output import plain
from accord.cli.rules import rules
from accord.cli.server import get, register, subjects
from accord.client import RegistryRefusal
from accord.errors import AccordError

REFUSED: Final = 1
UNUSABLE: Final = 2


class _Program(click.Group):
    """Prints the library's errors as one line on stderr, and ends with the code of their kind."""

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the verb; see `click.Group.invoke`."""
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        try:
            return super().invoke(ctx)
        except AccordError as problem:
            click.echo(f"{click.style('error:', fg='red', bold=True)} {plain(problem.message)}", err=True)
            ctx.exit(REFUSED if isinstance(problem, RegistryRefusal) else UNUSABLE)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="accord")
def main() -> None:
    """Judge and manage schemas.

    Exit codes: 0 ok, 1 incompatible or refused, 2 wrong usage or input.
    """


for verb in (check, rules, register, get, subjects):
    main.add_command(verb)
