"""What the columns of the registry have in common.

Names are compared byte by byte (collation C): sorting is the same everywhere, and a search by prefix
can use the index.
"""

from __future__ import annotations

from typing import Any

from django.db import models

from accord.model import Format
from registry.version_states import VersionState

FORMATS = [(one.value, one.value) for one in Format]
STATES = [(one.value, one.value) for one in VersionState]
BYTEWISE = "C"
# A qualified subject has at most this many bytes; an index row ends at 2,704.
LONGEST_NAME = 1024
LONGEST_PRINCIPAL = 255
# Two sides, each down to a version of ten digits.
LONGEST_LEVEL = 64
LONGEST_REASON = 500
LONGEST_POLICY_NAME = 40
LONGEST_STATE = 10
# SHA-256.
DIGEST_BYTES = 32


class OctetLength(models.Func):
    """How many bytes a value has."""

    function = "octet_length"
    output_field = models.IntegerField()


class JsonType(models.Func):
    """What kind of JSON value a column holds."""

    function = "jsonb_typeof"
    output_field = models.TextField()


def name_field(**options: Any) -> models.CharField[str, str]:
    """Return a column for a name, or for a beginning of names."""
    return models.CharField(max_length=LONGEST_NAME, db_collation=BYTEWISE, **options)


def state_field() -> models.CharField[str, str]:
    """Return the column for what a version may be used for."""
    born = VersionState.ENABLED.value
    return models.CharField(max_length=LONGEST_STATE, choices=STATES, default=born, db_default=born)


def state_known(name: str) -> models.CheckConstraint:
    """Return the constraint that such a column holds one of the states."""
    return models.CheckConstraint(
        condition=models.Q(state__in=[one.value for one in VersionState]), name=name
    )


def namespace_field() -> models.ForeignKey[Any, Any]:
    """Return the column for the namespace that a row belongs to."""
    return models.ForeignKey(
        "tenants.Namespace", models.PROTECT, related_name="+", db_constraint=False, db_index=False
    )
