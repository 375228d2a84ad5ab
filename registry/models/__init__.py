"""Tables of the registry and the constraints that hold whatever the code above them does."""

from registry.models.columns import BYTEWISE, LONGEST_REASON
from registry.models.descriptors import (
    DescriptorSet,
    DescriptorSetEntry,
    Module,
    ModuleVersion,
    ProtoFile,
    ProtoNote,
)
from registry.models.discovery import LONGEST_OWNER, FieldBand, FieldEntry, FieldSource, FieldTerm
from registry.models.exports import ExportPart, ExportState, TenantExport
from registry.models.imports import LONGEST_SOURCE, ImportIssue, ImportRun, ImportState
from registry.models.lives import (
    DeletionRule,
    Detail,
    ModuleStateChange,
    VersionComment,
    VersionStateChange,
)
from registry.models.policies import (
    Policy,
    PolicyBinding,
    PolicyBindingChange,
    PolicySyntax,
    PolicyVersion,
    Waiver,
)
from registry.models.runs import CheckRun, CheckState, DryRun, DryRunChange, DryRunState, LeasedRun
from registry.models.schemas import Content, Contract, Counter, Schema, SchemaReference, Subject, Version
from registry.models.settings import Config, Mode
from registry.models.webhooks import MessageState, Webhook, WebhookAttempt, WebhookMessage

__all__ = [
    "BYTEWISE",
    "LONGEST_OWNER",
    "LONGEST_REASON",
    "LONGEST_SOURCE",
    "CheckRun",
    "CheckState",
    "Config",
    "Content",
    "Contract",
    "Counter",
    "DeletionRule",
    "DescriptorSet",
    "DescriptorSetEntry",
    "Detail",
    "DryRun",
    "DryRunChange",
    "DryRunState",
    "ExportPart",
    "ExportState",
    "FieldBand",
    "FieldEntry",
    "FieldSource",
    "FieldTerm",
    "ImportIssue",
    "ImportRun",
    "ImportState",
    "LeasedRun",
    "MessageState",
    "Mode",
    "Module",
    "ModuleStateChange",
    "ModuleVersion",
    "Policy",
    "PolicyBinding",
    "PolicyBindingChange",
    "PolicySyntax",
    "PolicyVersion",
    "ProtoFile",
    "ProtoNote",
    "Schema",
    "SchemaReference",
    "Subject",
    "TenantExport",
    "Version",
    "VersionComment",
    "VersionStateChange",
    "Waiver",
    "Webhook",
    "WebhookAttempt",
    "WebhookMessage",
]
