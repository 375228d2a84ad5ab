"""Where a value of a policy in force comes from, with the address of what set it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.policy.origins import OriginKind

if TYPE_CHECKING:
    from accord.policy.origins import Origin
    from accord_server.kit.scope import Scope


@dataclass(frozen=True, slots=True)
class OriginLink:
    """In words; ``url`` leads to the version of the policy named ``label``, where it was one."""

    words: str
    label: str = ""
    url: str = ""

    @property
    def is_default(self) -> bool:
        """True when nobody set the value."""
        return not self.words


def origin_link(scope: Scope, origin: Origin) -> OriginLink:
    """Return an origin as pages show it."""
    match origin.kind:
        case OriginKind.POLICY:
            label = _("%(policy)s v%(version)s") % {"policy": origin.policy, "version": origin.version}
            words = _("in %(section)s, bound to %(place)s") % {
                "section": origin.section,
                "place": origin.place,
            }
            return OriginLink(words, label, policy_url(scope, origin.policy, origin.version))
        case OriginKind.CONFIG:
            return OriginLink(_("Confluent record of the %(place)s") % {"place": origin.scope})
        case OriginKind.INSTALLATION:
            return OriginLink("")


def policy_url(scope: Scope, policy: str, version: int | None = None) -> str:
    """Return the address of a policy, or of one of its versions."""
    url = reverse("frontend:policy", args=[scope.tenant.slug, policy])
    return url if version is None else f"{url}?v={version}"
