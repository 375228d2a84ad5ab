"""Texts with the options of protovalidate, and what lint is to say of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import yaml

from accord.lint.protobuf.validation import FILE

HERE = Path(__file__).parent
OPTIONS = HERE.joinpath("validate.proto").read_text()
WELL_KNOWN = ("any", "duration", "field_mask", "timestamp", "wrappers")
HEAD = [
    'syntax = "proto3";',
    "package acme.shop.v1;",
    f'import "{FILE}";',
    *(f'import "google/protobuf/{name}.proto";' for name in WELL_KNOWN),
    "message Order { enum Kind { KIND_UNSPECIFIED = 0; }",
]


class ValidationCase(NamedTuple):
    """One declaration in a message, and what is told of it: lines and members."""

    text: str
    told: frozenset[tuple[int, str]]

    @property
    def files(self) -> dict[str, str]:
        """The text as a file, with what it imports."""
        return {"acme/shop/v1/order.proto": in_file(self.text), FILE: OPTIONS}


def in_file(declarations: str) -> str:
    """Put declarations into a message of a file."""
    return "\n".join([*HEAD, f"{declarations}}}", ""])


def cases() -> list[ValidationCase]:
    """Return every case, in the order of the file."""
    rows = yaml.safe_load(HERE.joinpath("validation_cases.yaml").read_text())
    return [ValidationCase(row["text"], frozenset(map(_told, row["told"]))) for row in rows]


def _told(words: str) -> tuple[int, str]:
    line, member = words.split()
    return int(line), member
