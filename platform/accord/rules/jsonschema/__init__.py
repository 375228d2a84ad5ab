"""The rules for JSON Schema, by Confluent's names, one module for each part of a schema."""

from accord.rules.jsonschema import (
    annotations,
    arrays,
    bounds,
    combined,
    items,
    objects,
    properties,
    required,
    types,
    unevaluated,
    whole,
)

__all__ = [
    "annotations",
    "arrays",
    "bounds",
    "combined",
    "items",
    "objects",
    "properties",
    "required",
    "types",
    "unevaluated",
    "whole",
]
