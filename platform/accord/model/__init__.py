"""Frozen values shared by every format: names, texts, references, levels, findings, verdicts."""

from accord.model.levels import Bound, Direction, Level
from accord.model.schemas import Format, Reference, ReferenceResolver, SchemaText
from accord.model.subjects import DEFAULT_CONTEXT, SubjectName
from accord.model.verdicts import Comparison, Finding, Severity, Verdict

__all__ = [
    "DEFAULT_CONTEXT",
    "Bound",
    "Comparison",
    "Direction",
    "Finding",
    "Format",
    "Level",
    "Reference",
    "ReferenceResolver",
    "SchemaText",
    "Severity",
    "SubjectName",
    "Verdict",
]
