"""Options that several verbs share, and how their words are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from accord.cli.deciding import Chosen, read_policy
from accord.errors import InvalidPolicy
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.documents import pinned, preset_named
from accord.policy.documents.model import FORMAT_KEYS
from accord.policy.documents.presets import preset_names
from accord.policy.documents.templates import TEMPLATES, templates
from accord.policy.level_names import read_level

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.model import Format, Level
    from accord.policy.documents import PolicyDocument

    Decorator = Callable[[Callable[..., None]], Callable[..., None]]

FORMATS: Final = FORMAT_KEYS
LEVELS: Final = f"{', '.join(CONFLUENT_LEVELS)}, a bounded one such as BACKWARD_TILL(3), or FROZEN."


def level(text: str) -> Level:
    """Read a level in any of its spellings."""
    try:
        return read_level(text)
    except InvalidPolicy as problem:
        raise click.BadParameter(problem.details) from problem


def preset(text: str) -> str:
    """Read the name of a preset, with or without its version."""
    found = preset_named(text)
    if found is None:
        raise click.BadParameter(f"there is no preset {text!r}; use one of {', '.join(preset_names())}")
    return found


def format_(text: str) -> Format:
    """Read the name of a format."""
    if text.lower() not in FORMATS:
        raise click.BadParameter(f"{text!r} is none of avro, json and protobuf")
    return FORMATS[text.lower()]


def chosen(level: Level | None, preset: str | None, policy: str | None) -> Chosen:
    """What the three options choose; raises what `accord.cli.deciding.read_policy` raises."""
    return Chosen(level, preset, None if policy is None else _policy(policy))


def _policy(name: str) -> PolicyDocument:
    """The document in a file, or the template of that name where there is no such file."""
    if name in TEMPLATES and not Path(name).exists():
        return pinned(templates()[name])
    return read_policy(Path(name))


level_option: Final = click.option(
    "--level", type=level, metavar="LEVEL", help=f"Who must read whom, and how far back: {LEVELS}"
)
preset_option: Final = click.option(
    "--preset",
    type=preset,
    metavar="PRESET",
    help=f"How much each difference weighs: {', '.join(preset_names())}.",
)
policy_option: Final = click.option(
    "--policy",
    metavar="FILE|NAME",
    help="Policy document that decides, or one that ships with Accord"
    f" ({', '.join(TEMPLATES)}); --level and --preset come before it.",
)
format_option: Final = click.option(
    "--format",
    "format_",
    type=format_,
    metavar="[avro|json|protobuf]",
    help="Format of the schemas; by default told by suffix and text.",
)
