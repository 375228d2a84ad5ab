"""Policy documents: YAML or JSON to values and back, with every problem named by line and column."""

from accord.policy.documents.model import JudgedAs, PolicyDocument
from accord.policy.documents.presets import pinned, preset_named
from accord.policy.documents.printing import as_data, to_json, to_yaml
from accord.policy.documents.problems import Problem
from accord.policy.documents.reading import ReadDocument, read_document

__all__ = [
    "JudgedAs",
    "PolicyDocument",
    "Problem",
    "ReadDocument",
    "as_data",
    "pinned",
    "preset_named",
    "read_document",
    "to_json",
    "to_yaml",
]
