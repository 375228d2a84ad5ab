"""Lint: rules about one schema by itself, each a small documented function in a table.

The modules of the rows are imported here by name; there is no other way into the table.
"""

from accord.lint import avro, jsonschema, protobuf

__all__ = ["avro", "jsonschema", "protobuf"]
