"""What a token may do, in plain words: the one place for them, from the form to the list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.scope import SelectorKind
from tenants.grants import first_missing, spread
from tenants.rights import NEVER_PRESET, RIGHTS, Reach

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime
    from uuid import UUID

    from accord_server.kit.networks import Networks
    from accord_server.kit.scope import Grant, SubjectSelector

# Longer lists are cut in a sentence; the form and the page of the token show them whole.
NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class Bounds:
    """What holds a token back beside its grants: its owner, its tenant, time, place and number.

    ``held`` is None where whoever reads the sentence may not know what the owner holds.
    """

    owner: str
    held: tuple[Grant, ...] | None
    forbidden: frozenset[str]
    until: datetime
    networks: Networks | None = None
    max_uses: int | None = None
    clients: frozenset[str] = frozenset()
    requests_per_second: int | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a token may do where, when and whence, and what to be careful about."""

    opens: tuple[str, ...]
    limits: str
    cautions: tuple[str, ...]


def sentence_of(grants: Iterable[Grant], slugs: Mapping[UUID, str], bounds: Bounds) -> Sentence:
    """Say what a token with these grants may do; what its tenant lets no token do is left out."""
    kept = tuple(replace(one, rights=one.rights - bounds.forbidden) for one in grants)
    opens = (_opened(part, slugs) for one in kept for part in spread([one]))
    return Sentence(tuple(dict.fromkeys(opens)), _limits(bounds), tuple(_cautions(kept, grants, bounds)))


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does."""
    return get_text_list(list(words), _("and"))


def subjects_words(selector: SubjectSelector) -> str:
    """Say which subjects a selector means."""
    text = _named_subjects(selector)
    if selector.context in {None, DEFAULT_CONTEXT}:
        return text
    return _("%(subjects)s of the context “%(context)s”") % {"subjects": text, "context": selector.context}


def _named_subjects(selector: SubjectSelector) -> str:
    match selector.kind:
        case SelectorKind.ALL:
            return _("every subject")
        case SelectorKind.LITERAL:
            return _("the subject “%(name)s”") % {"name": selector.value}
        case SelectorKind.PREFIX:
            return _("subjects that begin with “%(name)s”") % {"name": selector.value}
        case SelectorKind.TOPIC:
            return _("the key and the value of the topic “%(name)s”") % {"name": selector.value}


def _opened(part: Grant, slugs: Mapping[UUID, str]) -> str:
    """Say what a part opens whose rights all have the same reach."""
    rights = [right for name, right in RIGHTS.items() if name in part.rights]
    where = _place(part, slugs) if rights[0].reach < Reach.TENANT else _("In the whole tenant")
    if rights[0].reach is Reach.SUBJECT:
        shown = [*map(subjects_words, part.subjects[:NAMED])]
        if len(part.subjects) > NAMED:
            shown.append(_("%(number)s more") % {"number": len(part.subjects) - NAMED})
        where = _("%(place)s, on %(subjects)s,") % {"place": where, "subjects": listed(shown)}
    things = "; ".join(right.meaning[0].lower() + right.meaning[1:] for right in rights)
    return _("%(where)s it may: %(things)s.") % {"where": where, "things": things}


def _place(part: Grant, slugs: Mapping[UUID, str]) -> str:
    if part.namespaces is None:
        return _("In every namespace")
    names = sorted(slugs.get(one, str(one)) for one in part.namespaces)
    words = ngettext("In the namespace %(names)s", "In the namespaces %(names)s", len(names))
    return words % {"names": listed(names)}


def _limits(bounds: Bounds) -> str:
    """Say until when, from where and how often."""
    until = date_format(bounds.until, "j F Y, H:i e")
    said = [_("It counts until %(until)s") % {"until": until}]
    if bounds.networks is not None and bounds.networks.within:
        said.append(_("only from %(places)s") % {"places": listed(map(str, bounds.networks.within))})
    if bounds.networks is not None and bounds.networks.outside:
        said.append(_("never from %(places)s") % {"places": listed(map(str, bounds.networks.outside))})
    if bounds.max_uses is not None:
        words = ngettext("for %(count)s request", "for %(count)s requests", bounds.max_uses)
        said.append(words % {"count": bounds.max_uses})
    if bounds.clients:
        said.append(
            _("only for clients that call themselves %(classes)s")
            % {"classes": listed(sorted(bounds.clients))}
        )
    if bounds.requests_per_second is not None:
        said.append(_("at most %(count)s requests a second") % {"count": bounds.requests_per_second})
    return ", ".join(said) + "."


def _cautions(kept: tuple[Grant, ...], grants: Iterable[Grant], bounds: Bounds) -> Iterable[str]:
    wanted = frozenset(name for one in grants for name in one.rights)
    opened = frozenset(name for part in spread(kept) for name in part.rights)
    if forbidden := sorted(wanted & bounds.forbidden):
        yield _("This tenant lets no token do %(rights)s.") % {"rights": listed(forbidden)}
    if lost := sorted(wanted - bounds.forbidden - opened):
        yield _(
            "%(rights)s cannot be given on a part: it needs every subject, and rights about the tenant every"
            " namespace."
        ) % {"rights": listed(lost)}
    if bounds.held is None:
        yield _(
            "What %(owner)s does not hold there, the token has no use of; you may not see what that is."
        ) % {"owner": bounds.owner}
    elif missing := first_missing(kept, bounds.held):
        yield _("%(owner)s does not hold %(right)s there, so the token has no use of it.") % {
            "owner": bounds.owner,
            "right": missing,
        }
    if grave := sorted(opened & NEVER_PRESET):
        yield _("Take care who gets it: %(rights)s can do lasting harm.") % {"rights": listed(grave)}
