"""What the tables of verbs of the control plane are made of: groups, verbs and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a verb, which becomes a member of the body, or of the query where there is none.

    ``kind`` says how its text is read: text, number, limit (a number, or none), flag, list (may be repeated)
    or pairs of ``KEY=VALUE``. An empty text stands for null.
    """

    name: str
    help: str
    kind: str = "text"
    is_required: bool = False
    member: str = ""


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: ``path`` names its arguments in braces; ``columns`` are shown of each item of a list."""

    name: str
    help: str
    method: str
    path: str
    options: tuple[Option, ...] = ()
    columns: tuple[str, ...] = ()
    needs_version: bool = False
    is_server_wide: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Verbs about things of one kind."""

    name: str
    help: str
    verbs: tuple[Verb, ...]


DETAILS: Final = (
    Option("name", "What people call it."),
    Option("description", "What it is for."),
    Option("labels", "A label; may be repeated.", "list"),
    Option("properties", "KEY=VALUE; may be repeated.", "pairs"),
    Option("format", "The only format that is registered there: AVRO, JSON, PROTOBUF, or '' for all."),
)
