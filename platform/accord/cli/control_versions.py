"""The verbs of the control plane about subjects and the life of their versions, as a table."""

from __future__ import annotations

from typing import Final

from accord.cli.control_rows import DETAILS, Group, Option, Verb

SUBJECT: Final = "/namespaces/{namespace}/subjects/{subject}"
VERSION: Final = f"{SUBJECT}/versions/{{version}}"
SAID: Final = DETAILS[1:4]
MODULE: Final = "/namespaces/{namespace}/modules/{module}"
MODULE_STATE: Final = f"{MODULE}/versions/{{version}}/state"
STATE_OPTIONS: Final = (
    Option("state", "enabled, deprecated or disabled.", is_required=True),
    Option("reason", "Why; it is kept with the change.", is_required=True),
)
MODULES: Final = Group(
    "modules",
    "Lead the life of versions of modules of descriptors; the verbs of descriptors read and write them.",
    (
        Verb("state", "Show the state of a version, and how it came to it.", "GET", MODULE_STATE),
        Verb(
            "set-state",
            "Deprecate, disable or enable a version.",
            "PUT",
            MODULE_STATE,
            STATE_OPTIONS,
            needs_version=True,
        ),
        Verb(
            "rollback",
            "Store the set of an older version as the next one.",
            "POST",
            f"{MODULE}/rollback",
            (Option("version", "The version that comes back.", "number", is_required=True),),
        ),
    ),
)
VERSIONS: Final = Group(
    "versions",
    "Lead the life of versions: states, comments, what is said of them, and the way back to an old one.",
    (
        Verb("state", "Show the state of a version, and how it came to it.", "GET", f"{VERSION}/state"),
        Verb(
            "set-state",
            "Deprecate, disable or enable a version.",
            "PUT",
            f"{VERSION}/state",
            STATE_OPTIONS,
            needs_version=True,
        ),
        Verb(
            "rollback",
            "Register the schema of an older version as the next one.",
            "POST",
            f"{SUBJECT}/rollback",
            (
                Option("version", "The version that comes back.", "number", is_required=True),
                Option("skip-check", "Without a verdict; takes the right check.skip.", "flag"),
            ),
        ),
        Verb("details", "Show what is said of a version.", "GET", f"{VERSION}/details"),
        Verb("describe", "Say what a version is.", "PATCH", f"{VERSION}/details", SAID, needs_version=True),
        Verb(
            "comments",
            "List the comments on a version, newest first.",
            "GET",
            f"{VERSION}/comments",
            columns=("id", "created_at", "author", "text"),
        ),
        Verb(
            "comment",
            "Comment on a version.",
            "POST",
            f"{VERSION}/comments",
            (Option("text", "What to say, in plain text.", is_required=True),),
        ),
        Verb(
            "edit-comment",
            "Change what you said.",
            "PUT",
            f"{VERSION}/comments/{{comment}}",
            (Option("text", "What to say instead.", is_required=True),),
            needs_version=True,
        ),
        Verb(
            "delete-comment",
            "Take a comment away.",
            "DELETE",
            f"{VERSION}/comments/{{comment}}",
            needs_version=True,
        ),
    ),
)

SUBJECT_DETAILS: Final = Group(
    "subject",
    "See and say what subjects are.",
    (
        Verb("details", "Show what is said of a subject.", "GET", f"{SUBJECT}/details"),
        Verb("describe", "Say what a subject is.", "PATCH", f"{SUBJECT}/details", SAID, needs_version=True),
    ),
)

FORBIDDEN: Final = (
    Option("forbids-soft", "Whether nothing may be deleted softly.", "flag", is_required=True),
    Option("forbids-permanent", "Whether nothing may be deleted for good.", "flag", is_required=True),
)
DELETION_RULES: Final = Group(
    "deletion-rules",
    "Switch kinds of deletion off and on, in a namespace or in all of a tenant.",
    (
        Verb("show", "Show those of a namespace.", "GET", "/namespaces/{namespace}/deletion-rules"),
        Verb(
            "set",
            "Set those of a namespace.",
            "PUT",
            "/namespaces/{namespace}/deletion-rules",
            FORBIDDEN,
            needs_version=True,
        ),
        Verb("show-tenant", "Show those of the tenant.", "GET", "/deletion-rules"),
        Verb(
            "set-tenant", "Set those of the tenant.", "PUT", "/deletion-rules", FORBIDDEN, needs_version=True
        ),
    ),
)
