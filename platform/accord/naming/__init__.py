"""Subject names: how they are read, checked, quoted in a path and derived from topics and records."""

from accord.naming.references import parse_reference
from accord.naming.strategies import MissingRecordName, Part, Strategy, subject_for
from accord.naming.subjects import (
    API_TAIL,
    GLOBAL_CONTEXT,
    MAX_SUBJECT_BYTES,
    WILDCARD_CONTEXT,
    is_top_level,
    may_hold_subjects,
    parse_subject,
    quote_subject,
    spell_subject,
    split_subject,
    validate_new_subject,
    validate_subject,
)

__all__ = [
    "API_TAIL",
    "GLOBAL_CONTEXT",
    "MAX_SUBJECT_BYTES",
    "WILDCARD_CONTEXT",
    "MissingRecordName",
    "Part",
    "Strategy",
    "is_top_level",
    "may_hold_subjects",
    "parse_reference",
    "parse_subject",
    "quote_subject",
    "spell_subject",
    "split_subject",
    "subject_for",
    "validate_new_subject",
    "validate_subject",
]
