"""What the templates of the pages need beyond Django's own tags."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.timesince import timesince
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord_server.kit.scope import PrincipalKind
from frontend.highlight import visible
from frontend.icons import icon

if TYPE_CHECKING:
    from datetime import datetime

    from django.utils.functional import Promise
    from django.utils.safestring import SafeString

# What is said beside a name; of people nothing is.
KINDS: Final[dict[str, str | Promise]] = {
    PrincipalKind.SERVICE: gettext_lazy("(service account)"),
    PrincipalKind.OPERATOR: gettext_lazy("(operator)"),
    PrincipalKind.ANONYMOUS: gettext_lazy("(no token)"),
}
A_MINUTE: Final = timedelta(minutes=1)

register = template.Library()
register.simple_tag(icon)


@register.filter
def shown(text: object) -> SafeString:
    """Print a text of a user: apart from its surroundings, its invisible characters by name."""
    return format_html("<bdi>{}</bdi>", visible(str(text)))


@register.filter
def principal(key: str) -> SafeString:
    """Print who did something: people by their name, accounts and operators with what they are."""
    kind, _sign, name = key.partition(":")
    return format_html("{} {}", shown(name or key), KINDS.get(kind, ""))


@register.filter
def age(moment: datetime) -> str:
    """Say how long ago something was, in one unit."""
    if timezone.now() - moment < A_MINUTE:
        return _("just now")
    return _("%(age)s ago") % {"age": timesince(moment, depth=1)}


@register.filter
def with_code(text: str) -> SafeString:
    """Print a sentence of the rule table, what stands in backticks as code."""
    pieces = text.split("`")
    marked = ("{}" if at % 2 == 0 else "<code>{}</code>" for at in range(len(pieces)))
    return format_html("".join(marked), *pieces)
