"""The verbs of the control plane as a table: what each sends where, and what it takes and shows."""

from __future__ import annotations

from typing import Final

from accord.cli.control_rows import DETAILS, Group, Option, Verb
from accord.cli.control_versions import DELETION_RULES, MODULES, SUBJECT_DETAILS, VERSIONS

TEMPLATE: Final = Option(
    "template", "The policy it begins with: queue-safe, drop-in, or '' for none.", is_required=True
)
WORDS: Final = Option("q", "With this in the name.")
PEOPLE: Final = (WORDS, Option("state", "active or suspended."))
RIGHTS: Final = Option("rights", "A right, such as subject.read; may be repeated.", "list")
SUMMARY: Final = Option("summary", "What it is for.")
NAMESPACE: Final = Option("namespace", "In this namespace alone.")
SUBJECTS: Final = Option("subjects", "On these subjects of it alone: a name, a prefix* or topic:NAME.")


def _steps(path: str, *names: str) -> tuple[Verb, ...]:
    return tuple(Verb(name, STEPS[name], "POST", f"{path}/{name}") for name in names)


STEPS: Final = {
    "suspend": "Make it count for nothing until it is resumed.",
    "resume": "Make it count again.",
    "revoke": "End it, and all that descends from it, for good.",
    "approve": "Let it count; it waited for that.",
    "refuse": "End it; it waited for approval.",
    "drop-old-secret": "End the older of its two secrets at once.",
    "drop-new-secret": "Take a roll back whose answer never arrived: the older secret counts on as before.",
}

TENANTS: Final = Group(
    "tenants",
    "Create and see tenants. All but show and update need the token of an operator of the installation.",
    (
        Verb(
            "list",
            "List the tenants.",
            "GET",
            "/tenants",
            (Option("state", "active, suspended or deleted."),),
            ("slug", "state", "name"),
            is_server_wide=True,
        ),
        Verb(
            "create",
            "Create the tenant SLUG with its namespace default.",
            "POST",
            "/tenants",
            (Option("slug", "Its name in addresses.", is_required=True), DETAILS[0], TEMPLATE),
            is_server_wide=True,
        ),
        Verb("show", "Show a tenant with the rules of its tokens.", "GET", ""),
        Verb(
            "update",
            "Change what people call it, or what they need to see it.",
            "PATCH",
            "",
            (
                DETAILS[0],
                Option(
                    "second-factor", "Whether people need an app or a passkey besides a password.", "flag"
                ),
            ),
            needs_version=True,
        ),
        Verb(
            "token-rules",
            "Set what no token of it may exceed; it counts at once.",
            "PATCH",
            "",
            (
                Option("lifetime-days", "The longest life.", "number", member="token_rules.lifetime_days"),
                Option("approval", "Tokens of people wait first.", "flag", member="token_rules.approval"),
                Option("forbidden", "A right no token opens.", "list", member="token_rules.forbidden"),
            ),
            needs_version=True,
        ),
        *_steps("", "suspend", "resume"),
        Verb(
            "delete",
            "Make it look missing to everybody; it can be restored for some time.",
            "POST",
            "/delete",
            (Option("confirm", "Its name once more.", is_required=True),),
        ),
        Verb("restore", "Bring a deleted one back with all that it had.", "POST", "/restore"),
    ),
)

EXPORTS: Final = Group(
    "exports",
    "Export all that a tenant has. They need the token of an operator of the installation.",
    (
        Verb("create", "Ask for an archive of the tenant as it is then.", "POST", "/exports"),
        Verb(
            "list",
            "List its archives, which are kept for some days.",
            "GET",
            "/exports",
            (),
            ("id", "state", "done", "total", "size", "created_at"),
        ),
        Verb("show", "Show how far one is.", "GET", "/exports/{export}"),
        Verb("delete", "Remove one.", "DELETE", "/exports/{export}"),
    ),
)

JOB_FILTERS: Final = (
    Option("kind", "check, dry_run, import or export."),
    Option("state", "queued, running, done, failed or cancelled; open for what is not over."),
)
JOB_COLUMNS: Final = ("kind", "id", "namespace", "state", "progress", "created_at")
JOBS: Final = Group(
    "jobs",
    "See what workers do: checks, dry runs, imports and exports.",
    (
        Verb(
            "list",
            "List the jobs of all namespaces, newest first.",
            "GET",
            "/jobs",
            JOB_FILTERS,
            JOB_COLUMNS,
        ),
        Verb(
            "list-in",
            "List the jobs of one namespace.",
            "GET",
            "/namespaces/{namespace}/jobs",
            JOB_FILTERS,
            JOB_COLUMNS,
        ),
    ),
)

NAMESPACES: Final = Group(
    "namespaces",
    "Create, change and delete namespaces.",
    (
        Verb(
            "list",
            "List those that you may see.",
            "GET",
            "/namespaces",
            (WORDS, Option("label", "With this label.")),
            ("slug", "format", "name"),
        ),
        Verb(
            "create",
            "Create the namespace SLUG.",
            "POST",
            "/namespaces",
            (Option("slug", "Its name in addresses.", is_required=True), TEMPLATE, *DETAILS),
        ),
        Verb("show", "Show one.", "GET", "/namespaces/{namespace}"),
        Verb("update", "Change one.", "PATCH", "/namespaces/{namespace}", DETAILS, needs_version=True),
        Verb(
            "delete",
            "Take one away from everybody; it can be restored.",
            "DELETE",
            "/namespaces/{namespace}",
            (Option("confirm", "Its name once more.", is_required=True),),
            needs_version=True,
        ),
        Verb(
            "deleted",
            "List those that were deleted, and until when each can be restored.",
            "GET",
            "/deleted-namespaces",
            (),
            ("slug", "deleted_at", "kept_until", "purge_begun_at"),
        ),
        Verb("restore", "Bring a deleted one back.", "POST", "/deleted-namespaces/{namespace}/restore"),
        Verb(
            "purge",
            "Have a deleted one removed for good at once; nothing brings it back.",
            "POST",
            "/deleted-namespaces/{namespace}/purge",
            (Option("confirm", "Its name once more.", is_required=True),),
        ),
    ),
)

MEMBERS: Final = Group(
    "members",
    "Invite, suspend and remove the people of a tenant.",
    (
        Verb("list", "List them.", "GET", "/members", PEOPLE, ("username", "is_active", "email")),
        Verb("show", "Show one.", "GET", "/members/{username}"),
        Verb(
            "invite",
            "Invite a person; whoever has the token that is printed may accept.",
            "POST",
            "/invitations",
            (
                Option("email", "To an e-mail address."),
                Option("username", "To an account that is there."),
                Option("role", "With this role in the whole tenant.", member="bindings.role"),
                Option("lifetime-days", "How long it is open (7).", "number"),
            ),
        ),
        Verb(
            "invitations",
            "List the invitations.",
            "GET",
            "/invitations",
            (Option("state", "open, for those alone."),),
            ("id", "state", "email", "username"),
        ),
        Verb("revoke-invitation", "End an invitation.", "DELETE", "/invitations/{invitation}"),
        *_steps("/members/{username}", "suspend", "resume"),
        Verb(
            "remove",
            "Let one go: roles and tokens end.",
            "DELETE",
            "/members/{username}",
            needs_version=True,
        ),
    ),
)

ACCOUNTS: Final = Group(
    "accounts",
    "Make, suspend and remove the service accounts of a tenant.",
    (
        Verb("list", "List them.", "GET", "/service-accounts", PEOPLE, ("slug", "is_active", "description")),
        Verb("show", "Show one.", "GET", "/service-accounts/{account}"),
        Verb(
            "create",
            "Make one; it can do nothing until a role is bound to it.",
            "POST",
            "/service-accounts",
            (Option("slug", "Its name.", is_required=True), DETAILS[1]),
        ),
        Verb(
            "update", "Change one.", "PATCH", "/service-accounts/{account}", (DETAILS[1],), needs_version=True
        ),
        *_steps("/service-accounts/{account}", "suspend", "resume"),
        Verb(
            "remove",
            "Let one go: roles and tokens end.",
            "DELETE",
            "/service-accounts/{account}",
            needs_version=True,
        ),
    ),
)

ROLES: Final = Group(
    "roles",
    "See the roles of a tenant, and make some of its own.",
    (
        Verb("list", "List them, built-in ones first.", "GET", "/roles", (), ("name", "summary")),
        Verb("show", "Show one with its rights.", "GET", "/roles/{role}"),
        Verb(
            "create",
            "Make one of the tenant's own.",
            "POST",
            "/roles",
            (Option("name", "Its name.", is_required=True), RIGHTS, SUMMARY),
        ),
        Verb("update", "Change one.", "PATCH", "/roles/{role}", (RIGHTS, SUMMARY), needs_version=True),
        Verb("delete", "Delete one that nobody holds.", "DELETE", "/roles/{role}", needs_version=True),
    ),
)

BINDINGS: Final = Group(
    "bindings",
    "Say who holds which role where.",
    (
        Verb(
            "list",
            "List the bindings, newest first.",
            "GET",
            "/role-bindings",
            (
                Option("principal", "Of person:NAME or service:NAME."),
                Option("role", "Of this role."),
                NAMESPACE,
            ),
            ("id", "principal", "role", "namespace", "subjects"),
        ),
        Verb("show", "Show one.", "GET", "/role-bindings/{binding}"),
        Verb(
            "create",
            "Give a role.",
            "POST",
            "/role-bindings",
            (
                Option("principal", "To person:NAME or service:NAME.", is_required=True),
                Option("role", "Which one.", is_required=True),
                NAMESPACE,
                SUBJECTS,
            ),
        ),
        Verb("delete", "Take a role away.", "DELETE", "/role-bindings/{binding}"),
    ),
)

GRANT: Final = (
    Option("preset", "What it opens, by name, such as ci-check or producer.", member="grants.preset"),
    Option("right", "What it opens; may be repeated.", "list", member="grants.actions"),
    Option("namespace", "Where; may be repeated (everywhere).", "list", member="grants.namespaces"),
    Option("subjects", "On which subjects; may be repeated (all).", "list", member="grants.subjects"),
)
NETWORKS: Final = (
    Option("network", "It counts from there alone; may be repeated.", "list", member="networks.in"),
    Option("not-network", "It does not count from there; may be repeated.", "list", member="networks.not_in"),
)

TOKENS: Final = Group(
    "tokens",
    "Issue, roll and end tokens.",
    (
        Verb(
            "list",
            "List them, newest first.",
            "GET",
            "/tokens",
            (WORDS, Option("owner", "Of person:NAME or service:NAME."), Option("state", "In this state.")),
            ("key_id", "state", "expires_at", "owner", "name"),
        ),
        Verb("show", "Show one, without its secrets.", "GET", "/tokens/{key_id}"),
        Verb(
            "create",
            "Issue one; its value is printed this once.",
            "POST",
            "/tokens",
            (
                Option("name", "What it is for.", is_required=True),
                Option("owner", "Whose it is: person:NAME or service:NAME (yours)."),
                Option("kind", "person, service or ci."),
                DETAILS[1],
                *GRANT,
                Option("expires-in", "30m, 12h or 90d (90d, in CI 1h)."),
                Option("max-uses", "How often it counts (always).", "number"),
                *NETWORKS,
                Option("clients", "It counts for this class of clients alone; may be repeated.", "list"),
                Option("requests-per-second", "It counts so often in a second.", "number"),
            ),
        ),
        Verb(
            "update",
            "Change what is said of one, or narrow what it opens.",
            "PATCH",
            "/tokens/{key_id}",
            (DETAILS[0], DETAILS[1], *GRANT),
            needs_version=True,
        ),
        Verb("rights", "Tell which of its rights were never used.", "GET", "/tokens/{key_id}/rights"),
        Verb(
            "roll",
            "Give one a new value, printed this once; the old one counts on for a while.",
            "POST",
            "/tokens/{key_id}/roll",
            (Option("grace", "How long: 0m to 7d (24h)."),),
        ),
        *_steps("/tokens/{key_id}", "suspend", "resume", "revoke", "approve", "refuse"),
        *_steps("/tokens/{key_id}", "drop-old-secret", "drop-new-secret"),
    ),
)

ASKED: Final = (
    Option("action", "The right, such as subject.delete.", is_required=True),
    Option("object", "On what: NAMESPACE or NAMESPACE/SUBJECT (the tenant)."),
)
ACCESS: Final = Group(
    "access",
    "Ask who may do what on which, and why.",
    (
        Verb(
            "check",
            "Tell whether somebody may do it, and what decides.",
            "GET",
            "/access",
            (Option("principal", "person:NAME, service:NAME or token:KEY_ID.", is_required=True), *ASKED),
        ),
        Verb("who", "List all who may do it.", "GET", "/access", ASKED, ("principal", "reason")),
    ),
)

LIMITS: Final = (
    "namespaces",
    "subjects",
    "versions",
    "stored-bytes",
    "tokens",
    "schema-bytes",
    "requests-per-second",
    "open-checks",
    "waiting-checks",
)
QUOTAS: Final = Group(
    "quotas",
    "See what a tenant may have and uses, and set it: operators what it may have, its people less.",
    (
        Verb(
            "show",
            "List the limits that count, and what is in use.",
            "GET",
            "/quotas",
            columns=("name", "used", "limit", "percent"),
        ),
        Verb(
            "set",
            "Set limits.",
            "PATCH",
            "/quotas",
            tuple(
                Option(
                    name,
                    "At most so many, none for no limit, '' for what counts without.",
                    "limit",
                    member=f"limits.{name.replace('-', '_')}",
                )
                for name in LIMITS
            ),
            needs_version=True,
        ),
        Verb(
            "usage",
            "List what was in use, day by day.",
            "GET",
            "/usage",
            (Option("from", "The first day, such as 2026-11-01."), Option("to", "The last day.")),
            columns=("day", "used"),
        ),
    ),
)

GROUPS: Final = (
    TENANTS,
    EXPORTS,
    JOBS,
    NAMESPACES,
    MEMBERS,
    ACCOUNTS,
    ROLES,
    BINDINGS,
    TOKENS,
    ACCESS,
    VERSIONS,
    MODULES,
    SUBJECT_DETAILS,
    DELETION_RULES,
    QUOTAS,
)
