"""The rules for Avro, one module for each kind of node."""

from accord.rules.avro import enum, field, fixed, named, plain, union

__all__ = ["enum", "field", "fixed", "named", "plain", "union"]
