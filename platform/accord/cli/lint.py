"""``accord lint``: what will be regretted about schemas, each by itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.config import find_config, read_config
from accord.cli.gathering import gather
from accord.cli.lint_report import LINT_OUTPUTS, LintReport
from accord.cli.linting import Wanted, linted
from accord.cli.options import chosen, format_option, policy_option
from accord.cli.output import say
from accord.cli.references import file_references
from accord.cli.reporting import Output, output_option, reports_option, write_report
from accord.lint.table import known_names

if TYPE_CHECKING:
    from accord.model import Format, Reference

HERE: Final = "."


class Asked(TypedDict):
    """Every option of the verb."""

    root: str | None
    use: tuple[str, ...]
    without: tuple[str, ...]
    policy: str | None
    config: str | None
    format_: Format | None
    references: tuple[Reference, ...]
    only_blocking: bool
    output: Output
    reports: tuple[tuple[Output, str], ...]
    as_json: bool


def rule_name(text: str) -> str:
    """Read the id of a lint rule, or a category."""
    if text.upper() not in known_names():
        raise click.BadParameter(f"there is no lint rule {text!r}; `accord rules lint` names them all")
    return text.upper()


@click.command()
@click.argument("paths", nargs=-1)
@click.option(
    "--root",
    metavar="FOLDER",
    help="Folder that imports of Protobuf files begin in; by default a PATH that is a folder, or this one.",
)
@click.option(
    "--use", type=rule_name, multiple=True, metavar="RULE", help="Rule or category that counts; repeatable."
)
@click.option(
    "--except",
    "without",
    type=rule_name,
    multiple=True,
    metavar="RULE",
    help="Rule or category that does not; repeatable.",
)
@policy_option
@click.option("--config", metavar="FILE", help="Config file; by default the nearest accord.yaml.")
@format_option
@file_references
@click.option("--only-blocking", is_flag=True, help="Let warnings pass.")
@output_option
@reports_option
@click.option("--json", "as_json", is_flag=True, help="Short for --output json.")
@click.pass_context
def lint(ctx: click.Context, paths: tuple[str, ...], **asked: Unpack[Asked]) -> None:
    """Lint schema files, and the schema files of folders; without PATHS those of this folder.

    The rules are those of --use, else what the policy (of --policy or of the config) says under `lint`, else
    the category STANDARD.

    Exit code 0: all is well. 1: something warns or blocks. 2: something could not be read.
    """
    found = Path(asked["config"]) if asked["config"] else find_config(Path.cwd())
    config = None if found is None else read_config(found)
    wanted = Wanted(
        chosen(None, None, asked["policy"]).document,
        asked["use"],
        asked["without"],
        asked["root"],
        asked["format_"],
        asked["references"],
    )
    gathered = gather(paths or (HERE,), config)
    report = LintReport(linted(gathered, paths or (HERE,), wanted), is_strict=not asked["only_blocking"])
    for line in LINT_OUTPUTS[Output.JSON if asked["as_json"] else asked["output"]](report):
        say(line)
    for output, path in asked["reports"]:
        write_report(report, output, path, LINT_OUTPUTS)
    ctx.exit(report.exit_code)
