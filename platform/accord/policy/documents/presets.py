"""Preset names in documents: pinned to a version, or an alias that is pinned when saved."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from accord.rules.presets import PRESETS

if TYPE_CHECKING:
    from accord.policy.documents.model import PolicyDocument, Section, Setting

NUMBERED = re.compile(r"[0-9]+(?:[.-][0-9]+)*")
NO_PRESET = "none"
PRESET_MEMBERS = frozenset(("preset", "also_warns"))


def preset_named(name: str) -> str | None:
    """Return the preset that a name stands for, or None.

    A name without version is an alias of its newest numbered version: ``confluent`` may be
    ``confluent:8.1``. Presets whose version is a word have no alias.
    """
    if name in PRESETS:
        return name
    versions = {known: known.removeprefix(f"{name}:") for known in PRESETS if known.startswith(f"{name}:")}
    numbered = {known: _order(text) for known, text in versions.items() if NUMBERED.fullmatch(text)}
    return max(numbered, key=lambda known: numbered[known]) if numbered else None


def preset_names() -> list[str]:
    """Return every name that a document may use: presets and aliases."""
    aliases = {known.rpartition(":")[0] for known in PRESETS}
    return sorted({*PRESETS, *(alias for alias in aliases if preset_named(alias))})


def pinned(document: PolicyDocument) -> PolicyDocument:
    """Return the document with every alias of a preset replaced by the version it stands for.

    This is what is stored: a new version of a preset then changes no verdict of a policy that exists.
    """
    return replace(
        document,
        default=_pinned(document.default),
        formats={format_: _pinned(section) for format_, section in document.formats.items()},
    )


def _pinned(section: Section) -> dict[str, Setting]:
    return {name: _named(name, value) for name, value in section.items()}


def _named(name: str, value: Setting) -> Setting:
    if name in PRESET_MEMBERS and isinstance(value, str):
        return preset_named(value) or value
    return value


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.split("[.-]", version))
