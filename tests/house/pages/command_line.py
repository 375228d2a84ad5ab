"""The command line, printed from what its own help says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from accord.cli import main
from accord.pipeline.jobs import main as spark
from tests.house.pages.markdown import block, page

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 100


def command_line_page() -> str:
    """The help of every command."""
    parts = [
        part for name, group in (("accord", main), ("accord-spark", spark)) for part in sections(group, name)
    ]
    return page("Command line", "`platform/accord/cli`", *parts)


def sections(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[str]:
    """A heading and the help of a command and of those below it, groups first."""
    settings = {**command.context_settings, "terminal_width": WIDTH, "max_content_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    yield f"## {context.command_path}"
    yield block("text", command.get_help(context))
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None, "a group knows what it lists"
            yield from sections(found, inner, context)
