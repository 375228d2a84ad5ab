"""The one table of rights, the six roles and the token presets.

A dialect's route table names rights from here. A test holds both against this module.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from tenants.errors import UnknownRight


class Reach(IntEnum):
    """What a right is about; it cannot be given on anything smaller."""

    SUBJECT = 1
    NAMESPACE = 2
    TENANT = 3


@dataclass(frozen=True, slots=True)
class Right:
    """One thing a principal may do. ``name`` is never reused."""

    name: str
    reach: Reach
    meaning: str


@dataclass(frozen=True, slots=True)
class Role:
    """A named set of rights for people and service accounts."""

    name: str
    summary: str
    rights: frozenset[str]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of rights to start a token from."""

    name: str
    summary: str
    rights: frozenset[str]


S, N, T = Reach.SUBJECT, Reach.NAMESPACE, Reach.TENANT

ROWS: Final = (
    Right("subject.list", S, "See that a subject exists in lists"),
    Right("subject.read", S, "Read a subject, its versions and their schemas"),
    Right("subject.write", S, "Register versions of a subject, and restore deleted ones"),
    Right("subject.delete", S, "Delete versions and subjects so that they can be restored"),
    Right("subject.purge", S, "Delete versions and subjects for good"),
    Right("schema.read", S, "Read a schema by id, GUID or digest"),
    Right("compat.check", S, "Test a schema against a subject without registering it"),
    Right("config.read", S, "Read compatibility level and settings"),
    Right("config.write", S, "Change compatibility level and settings"),
    Right("mode.read", S, "Read the mode"),
    Right("mode.write", S, "Change the mode"),
    Right("check.skip", S, "Register without a compatibility check; always audited"),
    Right("reference.use", S, "Refer to a subject from another schema"),
    Right("version.promote", S, "Change the state of a version"),
    Right("desc.read", S, "Read descriptor sets"),
    Right("desc.write", S, "Upload descriptor sets"),
    Right("policy.read", S, "Read policies and what they decide"),
    Right("policy.write", S, "Change policies and their bindings"),
    Right("proposal.read", S, "Read change proposals"),
    Right("proposal.write", S, "Open change proposals"),
    Right("proposal.review", S, "Approve or refuse change proposals"),
    Right("waiver.read", S, "Read waivers"),
    Right("waiver.write", S, "Give and end waivers"),
    Right("export", N, "Export the content of a namespace"),
    Right("import", N, "Import content with its ids and versions"),
    Right("job.read", N, "See jobs and their results"),
    Right("job.manage", N, "Start, cancel and repeat jobs"),
    Right("webhook.read", N, "See webhooks and their deliveries"),
    Right("webhook.manage", N, "Create, change and delete webhooks"),
    Right("namespace.read", N, "See a namespace and its settings"),
    Right("namespace.manage", N, "Create, change and delete namespaces"),
    Right("token.read", N, "See tokens, never their secrets"),
    Right("token.manage", N, "Issue, suspend and revoke tokens"),
    Right("audit.read", N, "Read the audit log"),
    Right("member.read", T, "See members and service accounts"),
    Right("member.manage", T, "Invite, suspend and remove members and service accounts"),
    Right("role.read", T, "See roles and who holds them"),
    Right("role.manage", T, "Bind and unbind roles, make custom roles"),
    Right("quota.read", T, "See limits and usage"),
    Right("quota.manage", T, "Change limits within those of the installation"),
    Right("tenant.read", T, "See the tenant and its settings"),
    Right("tenant.manage", T, "Change the tenant and its token rules"),
)

RIGHTS: Final = {right.name: right for right in ROWS}

# Whoever may do something in one part of a namespace must find the way to it.
SEEN_FROM_BELOW: Final = frozenset({"namespace.read", "tenant.read"})

_AUDITOR: Final = frozenset(
    {
        "tenant.read", "namespace.read", "subject.list", "config.read", "mode.read", "policy.read",
        "waiver.read", "member.read", "role.read", "quota.read", "token.read", "job.read",
        "webhook.read", "audit.read",
    }
)  # fmt: skip
_VIEWER: Final = frozenset(
    {
        "tenant.read", "namespace.read", "subject.list", "subject.read", "schema.read", "config.read",
        "mode.read", "policy.read", "proposal.read", "waiver.read", "desc.read",
    }
)  # fmt: skip
_DEVELOPER: Final = _VIEWER | {
    "subject.write",
    "compat.check",
    "reference.use",
    "desc.write",
    "proposal.write",
    "job.read",
}
_STEWARD: Final = _DEVELOPER | {
    "config.write",
    "mode.write",
    "policy.write",
    "proposal.review",
    "waiver.write",
    "version.promote",
    "webhook.read",
}
_EDITOR: Final = _STEWARD | {"subject.delete", "subject.purge", "export", "job.manage"}

ROLES: Final = {
    role.name: role
    for role in (
        Role("auditor", "Names and settings, no schema text, and the audit log", _AUDITOR),
        Role("viewer", "Subjects and schemas, comparing versions", _VIEWER),
        Role("developer", "Also registers and checks", _DEVELOPER),
        Role("steward", "Also settings, policies, states and approvals", _STEWARD),
        Role("editor", "Also deletes", _EDITOR),
        Role("admin", "Everything: namespaces, people, tokens", frozenset(RIGHTS)),
    )
}

# A token gets these only when somebody asks for each by name.
NEVER_PRESET: Final = frozenset({"check.skip", "subject.purge", "import", "mode.write", "token.manage"})

_CONSUMER: Final = frozenset({"schema.read", "subject.read"})


def _preset(rights: frozenset[str]) -> frozenset[str]:
    """What of a role goes into a preset: nothing dangerous, nothing beyond a namespace."""
    return frozenset(name for name in rights - NEVER_PRESET if RIGHTS[name].reach < Reach.TENANT)


PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset("consumer", "Reads schemas by id and by subject", _CONSUMER),
        Preset("producer", "Also registers and checks", _CONSUMER | {"subject.write", "compat.check"}),
        Preset(
            "ci-check",
            "Checks candidates by the level in force, registers nothing",
            frozenset({"subject.read", "compat.check", "config.read"}),
        ),
        Preset("steward", "A steward's rights in a namespace", _preset(_STEWARD)),
        Preset("namespace-admin", "An admin's rights in a namespace", _preset(frozenset(RIGHTS))),
    )
}

_ANYBODY_READS: Final = frozenset({"subject.list", "subject.read", "schema.read", "config.read", "mode.read"})

# What a namespace may open to callers without a token: never settings, deletion or people.
ANONYMOUS: Final = {
    preset.name: preset
    for preset in (
        Preset("read", "Reads subjects, schemas and settings", _ANYBODY_READS),
        Preset(
            "write",
            "Also registers and checks",
            _ANYBODY_READS | {"subject.write", "compat.check", "reference.use"},
        ),
    )
}


def rights_in(role: str, custom: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return the rights of a role: of ours by its name, of a custom one those it is said to have.

    What this release does not know, be it a role or a right, opens nothing.
    """
    return ROLES[role].rights if role in ROLES else custom & RIGHTS.keys()


def known(names: frozenset[str]) -> frozenset[str]:
    """Return the names if each is a right.

    Raises:
        UnknownRight: The first name, in order of the alphabet, that is none.
    """
    for name in sorted(names - RIGHTS.keys()):
        raise UnknownRight(name)
    return names


def roles_with(right: str) -> tuple[str, ...]:
    """Return the roles that hold the right: what a refusal tells the caller to ask for."""
    return tuple(role.name for role in ROLES.values() if right in role.rights)
