"""The life of one version of a module: its state, and the way back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from frontend.pages.life import shown_state
from frontend.pages.modules import module_head, module_url, offer_module_versions
from registry.queries.modules import WRITE, module_name
from registry.services import module_states
from registry.version_states import TRANSITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.life import ShownState
    from frontend.pages.modules import ModuleHead
    from registry.module_records import ModuleLife, ModuleVersionRow


@dataclass(frozen=True, slots=True)
class ModuleLifePage:
    """The whole page."""

    head: ModuleHead
    version: ModuleVersionRow
    choice: VersionChoice
    life: ModuleLife
    state: ShownState
    ways: tuple[ShownState, ...]
    can_promote: bool
    can_go_back: bool
    url: str
    error: str


def module_life_page(
    scope: Scope,
    rows: Sequence[ModuleVersionRow],
    version: ModuleVersionRow,
    life: ModuleLife,
    *,
    error: str,
) -> ModuleLifePage:
    """Make the page of one version, one of the rows."""
    subject, head = module_name(version.module), module_head(scope, rows, tab="module-life")
    is_behind = version.number != head.latest and not version.is_disabled
    return ModuleLifePage(
        head=head,
        version=version,
        choice=offer_module_versions(scope, rows, version.number),
        life=life,
        state=shown_state(life.life.state),
        ways=tuple(map(shown_state, TRANSITIONS[life.life.state])),
        can_promote=scope.may(module_states.RIGHT, subject),
        can_go_back=is_behind and scope.may(WRITE, subject),
        url=module_url(scope, version.module, "module-life", v=version.number),
        error=error,
    )
