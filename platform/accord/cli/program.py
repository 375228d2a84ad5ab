"""The program: its verbs, and what becomes of errors."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any, Final

import click

from accord.cli.anonymous import anonymous
from accord.cli.audit import audit
from accord.cli.can_read import can_read
from accord.cli.canonical import canonical
from accord.cli.check import check
from accord.cli.content_models import content_models
from accord.cli.control import control_groups
from accord.cli.decode import decode
from accord.cli.descriptors import descriptors
from accord.cli.diff import diff
from accord.cli.exporting import export
from accord.cli.field_names import fields
from accord.cli.history import history
from accord.cli.importing import import_
from accord.cli.lint import lint
from accord.cli.look_ups import find, search, uses
from accord.cli.matrix import matrix
from accord.cli.output import say_json
from accord.cli.policies import policy
from accord.cli.push import push
from accord.cli.refusals import as_json, lines
from accord.cli.rules import rules
from accord.cli.server import get, register, subjects
from accord.cli.similar import similar
from accord.cli.tenant_export import export as export_tenant
from accord.cli.waivers import waiver
from accord.cli.webhooks import webhook
from accord.client import RegistryRefusal, RegistryUnavailable
from accord.errors import AccordError
from accord.formats.protobuf import service

REFUSED: Final = 1
UNUSABLE: Final = 2
_WANTS_JSON: Final = "accord.json"


class _Program(click.Group):
    """Prints errors on stderr, with ``--json`` as a document on stdout; ends with the code of their kind."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note whether programs read the answer, before anything can go wrong; see `click.Group`."""
        ctx.meta[_WANTS_JSON] = "--json" in args or "--output=json" in args or _asks(args, "--output", "json")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's own signature
        """Run the verb; see `click.Group.invoke`."""
        if os.environ.get("NO_COLOR"):
            ctx.color = False
        service.use_own()
        try:
            return super().invoke(ctx)
        except click.ClickException as problem:
            if not ctx.meta[_WANTS_JSON]:
                raise
            say_json({"code": "usage", "message": problem.format_message()})
            ctx.exit(problem.exit_code)
        except AccordError as problem:
            if ctx.meta[_WANTS_JSON]:
                say_json(as_json(problem))
            else:
                first, *others = lines(problem)
                click.echo(f"{click.style('error:', fg='red', bold=True)} {first}", err=True)
                for line in others:
                    click.echo(line, err=True)
            is_word = isinstance(problem, RegistryRefusal) and not isinstance(problem, RegistryUnavailable)
            ctx.exit(REFUSED if is_word else UNUSABLE)


def _asks(args: list[str], option: str, value: str) -> bool:
    return (option, value) in pairwise(args)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="accord")
def main() -> None:
    """Judge and manage schemas.

    Exit codes: 0 ok, 1 incompatible or refused, 2 wrong usage or input, or a registry that cannot say.
    """


for verb in (
    check,
    lint,
    can_read,
    diff,
    matrix,
    content_models,
    canonical,
    policy,
    rules,
    decode,
    register,
    get,
    find,
    search,
    fields,
    similar,
    uses,
    history,
    export,
    import_,
    waiver,
    webhook,
    anonymous,
    subjects,
    descriptors,
    push,
    *control_groups,
    audit,
):
    main.add_command(verb)
{group.name: group for group in control_groups}["tenants"].add_command(export_tenant)
