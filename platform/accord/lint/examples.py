"""Examples of the lint rules, as packaged data: one text that a rule accepts, one that it reports.

They are written in ``platform/accord/lint/examples``, a file for each format; the tests run each of them.
A Protobuf example may have several files, by path; one alone is ``acme/shop/v1/shop.proto``.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

FILES: Final = ("avro", "jsonschema", "protobuf")
OWN_FILE: Final = ""


class LintExample(NamedTuple):
    """One example: the texts by path, with the empty path for one alone; accepted, or reported."""

    is_accepted: bool
    texts: Mapping[str, str]


def examples_of(rule_id: str) -> tuple[LintExample, ...]:
    """Return the examples of a rule, the accepted one first."""
    held = _by_rule().get(rule_id, {})
    sides = (("accepted", True), ("reported", False))
    return tuple(LintExample(is_accepted, _texts(held[key])) for key, is_accepted in sides if key in held)


def _texts(written: str | dict[str, str]) -> dict[str, str]:
    return {OWN_FILE: written} if isinstance(written, str) else written


@cache
def _by_rule() -> dict[str, Any]:
    found: dict[str, Any] = {}
    folder = files("accord.lint").joinpath("examples")
    for name in FILES:
        found |= yaml.safe_load(folder.joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
    return found
