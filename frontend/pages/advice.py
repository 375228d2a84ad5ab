"""What a policy means, in words: what it allows, warns about and refuses, who upgrades first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from accord.policy.advice import Advice
    from frontend.pages.shell import Label


@dataclass(frozen=True, slots=True)
class ChangeList:
    """Changes that a policy treats alike; ``kind`` is a class of the style sheet."""

    label: Label
    kind: str
    icon: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AdvicePanel:
    """Advice as pages show it."""

    advice: Advice
    lists: tuple[ChangeList, ...]


ALLOWED: Final = _("You may")
WARNED: Final = _("You may, with a warning,")
REFUSED: Final = _("You cannot")


def advice_panel(advice: Advice) -> AdvicePanel:
    """Group the changes; groups without any are left out."""
    lists = (
        ChangeList(ALLOWED, "pass", "check", advice.allows),
        ChangeList(WARNED, "warn", "alert", advice.warns),
        ChangeList(REFUSED, "fail", "cross", advice.forbids),
    )
    return AdvicePanel(advice, tuple(one for one in lists if one.changes))
