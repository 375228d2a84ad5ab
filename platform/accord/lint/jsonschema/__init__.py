"""The lint rules of JSON Schema."""

from accord.lint.jsonschema import content, names

__all__ = ["content", "names"]
