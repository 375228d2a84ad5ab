"""``accord policy import``: Buf's configuration as a policy document."""

from __future__ import annotations

from typing import Final

import click

from accord.cli.deciding import LARGEST_POLICY
from accord.cli.files import read_text
from accord.cli.output import plain, say
from accord.policy.buf_config import import_buf
from accord.policy.documents import to_yaml

WRONG: Final = 1


@click.command("import")
@click.argument("file")
@click.option("--name", default="buf", show_default=True, help="What the policy is called.")
@click.option(
    "--module", default="", metavar="PATH", help="The module whose sections count, where several have some."
)
@click.pass_context
def import_(ctx: click.Context, file: str, *, name: str, module: str) -> None:
    """Print the policy that says what the buf.yaml in FILE says, for Protobuf.

    What no policy can say is a problem: exit code 1, with line and column on standard error.
    """
    made = import_buf(read_text(file, LARGEST_POLICY), name, module=module)
    for one in made.problems:
        click.echo(plain(f"{file}:{one.line}:{one.column}: {one.message}"), err=True)
    if made.document is None:
        ctx.exit(WRONG)
    else:
        say(to_yaml(made.document).rstrip("\n"))
