"""Events about tokens, for whoever wants to be told: in the outbox, with the change they are about."""

from __future__ import annotations

from typing import Final

PENDING: Final = "token.pending"
EXPIRING: Final = "token.expiring"
EXPIRED: Final = "token.expired"
UNUSED: Final = "token.suspended_unused"
COMPROMISED: Final = "token.compromised"
# Most of a quota is in use, and was not before.
QUOTA_WARNED: Final = "quota.warned"
TOPICS: Final = (PENDING, EXPIRING, EXPIRED, UNUSED, COMPROMISED, QUOTA_WARNED)
