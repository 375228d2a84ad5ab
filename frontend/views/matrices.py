"""The matrix of a change between two versions of a subject."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.errors import SchemaTooLarge
from accord.policy.explanation import Texts
from frontend.pages.comparison import pretty_sides, read_comparison
from frontend.pages.matrix import Judged, matrix_page, read_level_choice, read_preset_choice
from frontend.pages.shell import render_page
from frontend.pages.subject import subject_frame
from frontend.pages.subjects import place_of
from frontend.pages.verdicts import ComparedPair
from frontend.views.page import tenant_page
from frontend.views.subjects import head_of
from registry.errors import TooBusy, VersionNotFound
from registry.queries.versions import get_version, version_numbers
from registry.services.preset_matrix import version_matrix

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope


@tenant_page
def matrix(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show who would accept the newer of two versions in place of the older, and who would refuse it."""
    numbers = version_numbers(scope, subject)
    query = read_comparison(request.GET, numbers)
    if query is None:
        raise VersionNotFound(0)
    head = head_of(scope, subject, total=len(numbers), tab="comparison")
    old, new = get_version(scope, subject, query.old), get_version(scope, subject, query.new)
    texts = pretty_sides((old, new))
    is_same = old.schema.format is new.schema.format
    known = Texts(new.schema.format, texts[1], {query.old: texts[0]} if is_same else {})
    address = reverse("frontend:definition", args=[*place_of(scope), subject])
    pair = ComparedPair(query.old, query.new, known, address)
    level = read_level_choice(request.GET.get("level"), head.level)
    preset = read_preset_choice(request.GET.get("preset"), new.schema.format)
    judged = replace(_judged(scope, subject, pair, level=level, preset=preset), preset=preset)
    page = matrix_page(scope, head, pair, numbers, judged, level=level)
    title = _("Versions %(old)s and %(new)s of %(subject)s by every preset")
    named = title % {"old": query.old, "new": query.new, "subject": subject}
    return render_page(request, "matrix.html", page=page, frame=subject_frame(scope, subject, named))


def _judged(scope: Scope, subject: SubjectName, pair: ComparedPair, *, level: str, preset: str) -> Judged:
    """Judge a pair; nothing is said of a version beside itself, or when others have work enough just now."""
    if pair.old == pair.new:
        return Judged()
    try:
        sides, presets = (pair.old, pair.new), [preset] if preset else []
        return Judged(
            version_matrix(scope, subject, sides, level=level, texts=pair.texts, presets=presets)[2]
        )
    except TooBusy:
        return Judged()
    except SchemaTooLarge as refused:
        return Judged(refusal=refused.message)
