"""The rules that hold for every format."""

from accord.rules.common import schema

__all__ = ["schema"]
