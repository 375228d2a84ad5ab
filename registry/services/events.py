"""What happens in the registry, as topics of the outbox; whoever delivers it elsewhere listens here.

What happens to the tokens of the tenant stands beside it: `tenants.services.events`.
"""

from __future__ import annotations

from typing import Final

VERSION_REGISTERED: Final = "version.registered"
VERSION_DELETED: Final = "version.deleted"
VERSION_PURGED: Final = "version.purged"
VERSION_RESTORED: Final = "version.restored"
VERSION_STATE_CHANGED: Final = "version.state_changed"
VERSION_COMMENTED: Final = "version.commented"
DETAILS_CHANGED: Final = "details.changed"
DELETION_RULES_CHANGED: Final = "deletion_rules.changed"
CONTEXT_DROPPED: Final = "context.dropped"
SETTINGS_CHANGED: Final = "settings.changed"
POLICY_CHANGED: Final = "policy.changed"
POLICY_BOUND: Final = "policy.bound"
MODULE_UPLOADED: Final = "module.uploaded"
MODULE_DELETED: Final = "module.deleted"
MODULE_STATE_CHANGED: Final = "module.state_changed"
DRY_RUN_REQUESTED: Final = "dry_run.requested"
# To one webhook alone, when somebody wants to see whether it arrives.
WEBHOOK_TRIED: Final = "webhook.tried"

# What happens to the versions of one subject so that another may be its latest.
SUBJECT_TOPICS: Final = (
    VERSION_REGISTERED,
    VERSION_DELETED,
    VERSION_PURGED,
    VERSION_RESTORED,
    VERSION_STATE_CHANGED,
)
# What may bring another level into force.
LEVEL_TOPICS: Final = (SETTINGS_CHANGED, POLICY_CHANGED, POLICY_BOUND)
TOPICS: Final = (
    *SUBJECT_TOPICS,
    *LEVEL_TOPICS,
    VERSION_COMMENTED,
    DETAILS_CHANGED,
    DELETION_RULES_CHANGED,
    CONTEXT_DROPPED,
    MODULE_UPLOADED,
    MODULE_DELETED,
    MODULE_STATE_CHANGED,
)
