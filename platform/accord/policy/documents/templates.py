"""The policies that a new namespace may begin with, shipped as documents."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from accord.policy.documents.reading import read_document

if TYPE_CHECKING:
    from accord.policy.documents.model import PolicyDocument

# The recommended one first.
TEMPLATES = ("queue-safe", "drop-in", "api")


def template_text(name: str) -> str:
    """Return the YAML of a template."""
    return files("accord.policy.documents").joinpath("texts", f"{name}.yaml").read_text(encoding="utf-8")


def templates() -> dict[str, PolicyDocument]:
    """Return the templates that can be used, by name: those whose presets this installation has."""
    read = {name: read_document(template_text(name)).document for name in TEMPLATES}
    return {name: document for name, document in read.items() if document is not None}
