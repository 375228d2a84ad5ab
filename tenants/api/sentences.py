"""What several bodies say of members that they share."""

from __future__ import annotations

from typing import Final

SLUG: Final = "The name in addresses: 2 to 40 small letters and digits, words joined by single hyphens."
TEMPLATE: Final = (
    "The policy that the registry begins with: `queue-safe`, `drop-in` (as Confluent's does), `api`;"
    " null for none."
)
PRINCIPAL: Final = "Who it is: `service:NAME` or `person:NAME`."
