"""The rules that hold for every format."""

from accord.rules.common import content, schema

__all__ = ["content", "schema"]
