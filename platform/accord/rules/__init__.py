"""The rule table: one small documented function for each kind of difference.

The modules of the rows are imported here by name; there is no other way into the table.
"""

from accord.rules import avro, common, jsonschema, protobuf

__all__ = ["avro", "common", "jsonschema", "protobuf"]
