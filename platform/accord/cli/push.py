"""``accord push``: a tree of Protobuf files becomes versions of modules, in one step."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypedDict, Unpack

import click

from accord.cli.buf_workspace import module_called, read_workspace
from accord.cli.options import chosen, policy_option
from accord.cli.output import coloured_as, one_line, say, say_json
from accord.cli.pinning import depend, depends, pinned
from accord.cli.server import open_client, property_option, token_option, url_option
from accord.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from accord.cli.buf_workspace import Root, Workspace
    from accord.cli.pinning import Depend
    from accord.cli.pushing import Pushed

REFUSED: Final = 1
UNREADABLE: Final = 2
MODULE_OPTION: Final = "--module"


class Asked(TypedDict):
    """Every option of the verb."""

    names: tuple[str, ...]
    needs: tuple[Depend, ...]
    policy: str | None
    is_dry: bool
    is_strict: bool
    expected: int | None
    properties: tuple[tuple[str, str], ...]
    output: str
    as_json: bool
    url: str
    token: str | None


@click.command()
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--module",
    "names",
    multiple=True,
    metavar="[PATH=]NAME",
    help="What the module is called; of several, that below PATH. By default what buf.yaml says.",
)
@click.option(
    "--depends",
    "needs",
    type=depend,
    multiple=True,
    metavar="[DEP=]MODULE[@VERSION]",
    help="A module that has what the files import, by default its latest version; DEP is the entry of deps"
    " in buf.yaml that it stands for. May be repeated.",
)
@policy_option
@click.option("--dry-run", "is_dry", is_flag=True, help="Tell what would come of it, and store nothing.")
@click.option(
    "--expect",
    "expected",
    type=click.IntRange(min=0),
    metavar="VERSION",
    help="Store only if this is still the latest version, 0 for none; of one module alone.",
)
@property_option
@click.option("--warnings-as-errors", "is_strict", is_flag=True, help="Let warnings refuse too.")
@url_option
@token_option
@click.option("--output", type=click.Choice(("text", "json")), default="text", help="How it is told.")
@click.option("--json", "as_json", is_flag=True, help="Short for --output json.")
@click.pass_context
def push(ctx: click.Context, folder: str, **asked: Unpack[Asked]) -> None:
    """Compile, lint, check and store the .proto files of DIR as the next version of a module.

    Imports begin in DIR, or where a buf.yaml or buf.work.yaml in it says; what that names as modules is
    stored as such, and what it names under deps is taken from the same namespace. Files are linted by the
    rules of buf.yaml, or of --policy, and then by what the policy in force in the registry asks. The same
    files as in the latest version are found, not stored.

    Exit code 0: stored, or would be. 1: refused. 2: something could not be read or compiled.
    """
    # What it needs is an extra; other verbs do without.
    from accord.cli.module_trees import tree_modules  # noqa: PLC0415  # see above
    from accord.cli.pushing import Pushing  # noqa: PLC0415  # see above

    workspace = read_workspace(Path(folder))
    modules = tree_modules(_named(workspace, asked["names"]), Path(folder))
    if asked["expected"] is not None and len(modules) > 1:
        raise click.UsageError("--expect is about one module: push each with a folder of its own.")
    wanted = depends(workspace.needs, asked["needs"])
    document = chosen(None, None, asked["policy"]).document
    with open_client(asked["url"], asked["token"]) as client:
        pins = pinned(client, wanted)
        done = Pushing(
            client,
            modules,
            pins,
            document,
            is_dry=asked["is_dry"],
            is_strict=asked["is_strict"],
            expected=asked["expected"],
            properties=dict(asked["properties"]),
        ).run()
    if asked["as_json"] or asked["output"] == "json":
        say_json(_data(done))
    else:
        for line in _lines(done):
            say(line)
    ctx.exit(REFUSED if done.is_compiled and done.is_refused else 0 if done.is_compiled else UNREADABLE)


def _named(workspace: Workspace, given: Sequence[str]) -> dict[str, Root]:
    """Return the modules by name; raises `click.UsageError` where that is not clear."""
    said = dict(one.rpartition("=")[::2] for one in given)
    found: dict[str, Root] = {}
    for root in workspace.roots:
        path = root.path or "."
        name = said.pop(path, "") or (said.pop("", "") if len(workspace.roots) == 1 else "")
        name = name or module_called(root.name)
        if not name:
            raise click.UsageError(
                f"Nothing says what the module in {path!r} is called: say {MODULE_OPTION}."
            )
        if name in found:
            raise click.UsageError(
                f"Two modules are called {name!r}: rename one with {MODULE_OPTION} PATH=NAME."
            )
        found[name] = root
    if said:
        path = next(iter(said))
        raise click.UsageError(
            f"There is no module at {path!r}."
            if path
            else f"There are several modules: say {MODULE_OPTION} PATH=NAME."
        )
    return found


def _data(done: Pushed) -> dict[str, Any]:
    return {
        "is_allowed": done.is_compiled and not done.is_refused,
        "modules": done.modules,
        "remarks": [one.data for one in done.remarks],
        "notes": done.notes,
    }


def _lines(done: Pushed) -> Iterator[str]:
    for one in done.remarks:
        if one.severity == Severity.INFO:
            continue
        severity = coloured_as(Severity(one.severity), one.severity)
        yield f"{one_line(str(one.site))}: {severity} {one_line(one.rule)}: {one_line(one.message)}"
    yield from map(one_line, done.notes)
    for made in done.modules:
        yield one_line(_words(made))


def _words(made: dict[str, Any]) -> str:
    needs = f", with {', '.join(made['depends'])}" if made["depends"] else ""
    if "version" in made:
        was = "" if made["is_new"] else ", as it was"
        return f"{made['module']} version {made['version']}{was}{needs}, digest {made['digest']}"
    words = "would be stored" if made["is_allowed"] else "would be refused"
    return f"{made['module']} {words}{needs}, by level {made['level']} and preset {made['preset']}"
