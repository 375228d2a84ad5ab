"""Rights and roles, printed from the table of the room `tenants`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tenants.rights import ANONYMOUS, PRESETS, RIGHTS, ROLES
from tests.house.pages.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "yes"


class RightsHolder(Protocol):
    """A role or a preset."""

    @property
    def rights(self) -> frozenset[str]:
        """What it gives."""
        ...


def rights_page() -> str:
    """Every right with its meaning, and who holds it by role and by preset."""
    return page(
        "Rights, roles and token presets",
        "`tenants/rights.py`",
        "A right is given on subjects, on a namespace or on the tenant; its *reach* is the smallest of"
        " these. A refusal names the right that is missing.",
        table(
            ("right", "reach", "meaning"),
            ((code(one.name), one.reach.name.lower(), one.meaning) for one in RIGHTS.values()),
        ),
        "## Roles",
        table(("role", "for"), ((code(one.name), one.summary) for one in ROLES.values())),
        holders(ROLES),
        "## Token presets",
        table(("preset", "for"), ((code(one.name), one.summary) for one in PRESETS.values())),
        holders(PRESETS),
        "## Callers without a token",
        "What a namespace may [open](../how-to/tokens.md#callers-without-a-token) to callers that send no"
        " credentials, on all of its subjects or on some.",
        table(("access", "for"), ((code(one.name), one.summary) for one in ANONYMOUS.values())),
        holders(ANONYMOUS),
    )


def holders(sets: Mapping[str, RightsHolder]) -> str:
    """A matrix of rights and the sets that hold them."""
    rows = (
        (code(right), *(MARK if right in one.rights else "" for one in sets.values())) for right in RIGHTS
    )
    return table(("right", *sets), rows)
