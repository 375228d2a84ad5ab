"""Frozen values shared by every format: names, texts, references, contracts, levels, findings, verdicts."""

from accord.model.contracts import (
    NO_CONTRACT,
    Contract,
    ContractRule,
    EntityType,
    Metadata,
    RuleKind,
    RuleMode,
    RulesEnabledAt,
    RuleSet,
    SchemaEntity,
    SchemaTags,
)
from accord.model.levels import Bound, Direction, Level
from accord.model.schemas import Format, Reference, ReferenceResolver, SchemaText
from accord.model.subjects import DEFAULT_CONTEXT, SubjectName
from accord.model.verdicts import Comparison, Finding, Severity, Verdict

__all__ = [
    "DEFAULT_CONTEXT",
    "NO_CONTRACT",
    "Bound",
    "Comparison",
    "Contract",
    "ContractRule",
    "Direction",
    "EntityType",
    "Finding",
    "Format",
    "Level",
    "Metadata",
    "Reference",
    "ReferenceResolver",
    "RuleKind",
    "RuleMode",
    "RuleSet",
    "RulesEnabledAt",
    "SchemaEntity",
    "SchemaTags",
    "SchemaText",
    "Severity",
    "SubjectName",
    "Verdict",
]
