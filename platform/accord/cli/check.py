"""``accord check``: may new schemas follow the old ones?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict, Unpack

import click

from accord.cli.cases import Case
from accord.cli.checking import Run
from accord.cli.config import find_config, read_config
from accord.cli.deciding import decide
from accord.cli.files import expand
from accord.cli.gathering import gather
from accord.cli.git import open_revision
from accord.cli.judging import judged
from accord.cli.options import chosen, format_option, level_option, policy_option, preset_option
from accord.cli.references import file_references, file_source
from accord.cli.reporting import Output, Report, output_option, print_report, reports_option, write_report
from accord.cli.server import open_client, optional_url_option, token_option
from accord.cli.sides import Against, GitSide, RegistrySide, Wishes, against, numbered
from accord.cli.trees import FolderSide

if TYPE_CHECKING:
    from accord.cli.cases import Outcome
    from accord.cli.config import Config
    from accord.cli.sides import Side
    from accord.client import RegistryClient
    from accord.model import Format, Level, Reference

SECONDS: Final = 600.0
TWO_FILES: Final = 2


class Terms(TypedDict):
    """What decides, besides the files."""

    level: Level | None
    preset: str | None
    policy: str | None
    format_: Format | None
    references: tuple[Reference, ...]


class Asked(Terms):
    """Every option of the verb."""

    compared: Against | None
    config: str | None
    output: Output
    reports: tuple[tuple[Output, str], ...]
    as_json: bool
    warnings_as_errors: bool
    levels: bool
    url: str | None
    token: str | None
    timeout: float


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--against",
    "compared",
    type=against,
    metavar="[git:REVISION|registry:SUBJECT]",
    help="Compare each file with itself in a Git revision, or with a subject (SUBJECT@VERSION for one"
    " version; 'registry:' takes the subjects of the config).",
)
@click.option("--config", metavar="FILE", help="Config file; by default the nearest accord.yaml.")
@level_option
@preset_option
@policy_option
@format_option
@file_references
@optional_url_option
@token_option
@click.option("--warnings-as-errors", is_flag=True, help="Let warnings refuse too.")
@click.option(
    "--levels",
    is_flag=True,
    help="Tell what comes of each file under all seven levels, and which version fails; JSON always does.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=1),
    default=SECONDS,
    help="Seconds for all files.",
    show_default=True,
)
@output_option
@reports_option
@click.option("--json", "as_json", is_flag=True, help="Short for --output json.")
@click.pass_context
def check(ctx: click.Context, paths: tuple[str, ...], **asked: Unpack[Asked]) -> None:
    """Check new schema files against old ones.

    With --against or --config, or where one path is given and an accord.yaml says against what, PATHS are new
    schemas: files, and folders whose schema files are meant. Otherwise they are OLD... NEW: the last one is
    new, those before it are the versions it follows, oldest first; a folder stands for the schema files in
    it, ``-`` for the standard input.

    Protobuf files below a folder that is named are compiled together, so that they may import each other; two
    folders OLD and NEW are compared file by file.

    Exit code 0: all may follow. 1: something is refused. 2: something could not be judged.
    """
    config = _config(asked["config"], paths, asked["compared"])
    wishes = Wishes(
        chosen(asked["level"], asked["preset"], asked["policy"]),
        asked["format_"],
        asked["references"],
        config,
    )
    if config is None and asked["compared"] is None:
        outcomes = _folders(paths, wishes, asked) if Path(paths[-1]).is_dir() else [_files(paths, wishes)]
    else:
        outcomes = _many(paths, wishes, asked)
    report = Report(outcomes, is_strict=asked["warnings_as_errors"], has_levels=asked["levels"])
    print_report(report, Output.JSON if asked["as_json"] else asked["output"])
    for output, path in asked["reports"]:
        write_report(report, output, path)
    ctx.exit(report.exit_code)


def _config(named: str | None, paths: tuple[str, ...], compared: Against | None) -> Config | None:
    """The config that counts: none for OLD and NEW, which two or more files are without ``--against``."""
    if named is not None:
        return read_config(Path(named))
    if compared is None and len(paths) >= TWO_FILES:
        return None
    found = find_config(Path.cwd())
    if found is None and compared is None:
        raise click.UsageError("Missing argument: give OLD and NEW, or say --against what.")
    return None if found is None else read_config(found)


def _files(paths: tuple[str, ...], wishes: Wishes) -> Outcome:
    """Two files or more, the last of them new."""
    *old, name = [*expand(paths[:-1]), paths[-1]]
    sources = [file_source(one, wishes.format, wishes.references) for one in (*old, name)]
    decision = decide(wishes.chosen, sources[-1].schema.format)
    return judged(Case(sources[-1], numbered(sources[:-1]), decision))


def _folders(paths: tuple[str, ...], wishes: Wishes, asked: Asked) -> list[Outcome]:
    """Two folders, the second of them new."""
    if len(paths) != TWO_FILES or not Path(paths[0]).is_dir():
        raise click.UsageError("A folder as the last path is compared with one other folder: OLD NEW.")
    run = Run(FolderSide(*paths), paths[1:], wishes, asked["timeout"])
    return list(run.outcomes(gather(paths[1:], None)))


def _many(paths: tuple[str, ...], wishes: Wishes, asked: Asked) -> list[Outcome]:
    """The files that paths stand for, against a revision or a registry."""
    compared = asked["compared"]
    if compared is None:
        said = "" if wishes.config is None else wishes.config.against
        if not said:
            raise click.UsageError("Nothing to compare with: say --against, or 'against' in the config.")
        compared = against(said)
    client = None if asked["url"] is None else open_client(asked["url"], asked["token"])
    if client is None and compared.kind == "registry":
        raise click.UsageError("Give --url (or ACCORD_URL) of a registry.")
    try:
        side = _side(compared, client, asked["timeout"])
        gathered = gather(paths, wishes.config)
        if isinstance(side, GitSide):
            side.fetch(gathered.candidates)
        return list(Run(side, paths, wishes, asked["timeout"]).outcomes(gathered))
    finally:
        if client is not None:
            client.close()


def _side(compared: Against, client: RegistryClient | None, seconds: float) -> Side:
    if compared.kind == "registry" and client is not None:
        return RegistrySide(client, compared.name, compared.version, seconds)
    return GitSide(open_revision(compared.name), client)
