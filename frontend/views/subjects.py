"""The subjects of a namespace and the tabs of one subject."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from accord.errors import Unavailable
from accord.formats.forms import form_names
from accord.model import Format
from accord.policy.explanation import Texts
from frontend.pages.comparison import (
    ComparedSides,
    comparison_page,
    pretty_sides,
    read_comparison,
    read_number,
)
from frontend.pages.definition import ShownText, definition_page, file_name, shown_text
from frontend.pages.history import history_page
from frontend.pages.lint import lint_page
from frontend.pages.models import models_panel
from frontend.pages.paging import PAGE_SIZE, read_page_number
from frontend.pages.references import references_page
from frontend.pages.shell import Frame, crumbs_to, render_page
from frontend.pages.subject import subject_frame, subject_head
from frontend.pages.subjects import place_of, read_query, subjects_page
from frontend.pages.tabs import namespace_tabs
from frontend.pages.verdicts import ComparedPair, verdict_panel
from frontend.pages.versions import read_versions, unlisted, versions_page
from frontend.pretty import pretty
from frontend.views.page import is_fragment, tenant_page
from registry.errors import CheckUnderWay, NoWorkers, TooBusy, TooManyChecks, VersionNotFound
from registry.queries import level_in_force
from registry.queries.registrations import registrations_page
from registry.queries.settings import mode_in_force
from registry.queries.subjects import search_subjects
from registry.queries.users import users_of
from registry.queries.versions import (
    get_version,
    live_among,
    newest_version,
    version_numbers,
    versions_of,
)
from registry.records import DEFAULT_MODE, LATEST
from registry.services.compatibility import compare_versions
from registry.services.forms import version_spelled
from registry.services.heavy import turn_for
from registry.services.linting import lint_version
from registry.services.reading import content_models_of
from tenants.queries import anonymous_access

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from frontend.pages.models import ModelsPanel
    from frontend.pages.subject import SubjectHead
    from frontend.pages.verdicts import VerdictPanel
    from registry.records import VersionRecord


@tenant_page
def subjects(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the subjects, searched and page by page; htmx swaps the table alone."""
    query = read_query(request.GET)
    found = search_subjects(scope, text=query.text, number=query.number, size=PAGE_SIZE)
    is_part = is_fragment(request)
    address = registry_url(request, scope)
    tabs = namespace_tabs(scope, "subjects")
    page = subjects_page(scope, query, found, registry_url=address, tabs=tabs, is_fragment=is_part)
    if not is_part and scope.may("namespace.read"):
        page = replace(page, opened=anonymous_access(scope))
    frame = Frame(page.namespace, crumbs_to(*place_of(scope)))
    template = "_subjects.html" if is_part else "subjects.html"
    return render_page(request, template, page=page, frame=frame)


@tenant_page
def definition(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show the text of one version, the latest unless the address says another."""
    numbers = version_numbers(scope, subject)
    version = asked_for(request, scope, subject)
    shown, refusal = _shown_text(request, scope, version)
    page = definition_page(
        scope,
        head_of(scope, subject, total=len(numbers), tab="definition"),
        version,
        numbers=numbers,
        shown=shown,
        registry_url=registry_url(request, scope),
    )
    frame = subject_frame(scope, subject, subject.qualified)
    users = users_of(scope, version.subject, version.number, size=1).total
    page = replace(page, models=_models(scope, version), users=users, refusal=refusal)
    return render_page(request, "definition.html", page=page, frame=frame)


def _shown_text(request: HttpRequest, scope: Scope, version: VersionRecord) -> tuple[ShownText, str]:
    """Return the text in the form that is asked for; else the readable one, and why."""
    is_whole, form = request.GET.get("lines") == "all", request.GET.get("form", "")
    if form in form_names(version.schema.format):
        try:
            return shown_text(version_spelled(scope, version, form), form, is_whole=is_whole), ""
        except VersionNotFound:
            refusal = _("The schema refers to one that you may not read, so it is shown as it stands.")
        except Unavailable as error:
            refusal = error.message
        return shown_text(version, "", is_whole=is_whole), refusal
    return shown_text(version, "", is_whole=is_whole), ""


def _models(scope: Scope, version: VersionRecord) -> ModelsPanel | None:
    """Return the panel of a JSON Schema; none while the server is too busy to look."""
    schema = version.schema
    if schema.format is not Format.JSON:
        return None
    with suppress(TooBusy):
        document = content_models_of(scope, version.subject, version.number)
        return models_panel(document, pretty(schema.text, schema.format))
    return None


@tenant_page
def lint(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show what lint says of one version, the latest unless the address says another."""
    numbers = version_numbers(scope, subject)
    version = asked_for(request, scope, subject)
    found = None
    with suppress(TooBusy):
        text = pretty(version.schema.text, version.schema.format)
        found = lint_version(scope, subject, version.number, text=text)
    head = head_of(scope, subject, total=len(numbers), tab="lint")
    page = lint_page(scope, head, version, numbers=numbers, found=found)
    frame = subject_frame(scope, subject, _("Lint of %(subject)s") % {"subject": subject})
    return render_page(request, "lint.html", page=page, frame=frame)


@tenant_page
def references(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show what one version refers to and what refers to it, page by page."""
    numbers = version_numbers(scope, subject)
    version = asked_for(request, scope, subject)
    number = read_page_number(request.GET.get("page", ""))
    users = users_of(scope, version.subject, version.number, number=number, size=PAGE_SIZE)
    head = head_of(scope, subject, total=len(numbers), tab="references")
    page = references_page(scope, head, version, users, numbers=numbers)
    frame = subject_frame(scope, subject, _("References of %(subject)s") % {"subject": subject})
    return render_page(request, "references.html", page=page, frame=frame)


@tenant_page
def raw(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Hand out the stored text of one version as a file."""
    version = asked_for(request, scope, subject)
    answer = HttpResponse(version.schema.text, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{file_name(version)}"'
    return answer


@tenant_page
def versions(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """List the versions page by page, and let any two of them be picked."""
    query = read_versions(request.GET)
    found = versions_of(scope, subject, number=query.number, size=PAGE_SIZE)
    elsewhere = live_among(scope, subject, unlisted(query, found))
    head = head_of(scope, subject, total=found.total, tab="versions")
    page = versions_page(scope, head, query, found, elsewhere=elsewhere)
    frame = subject_frame(scope, subject, _("Versions of %(subject)s") % {"subject": subject})
    return render_page(request, "versions.html", page=page, frame=frame)


@tenant_page
def comparison(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show two versions side by side, and whether the one can replace the other."""
    numbers = version_numbers(scope, subject)
    query = read_comparison(request.GET, numbers)
    if query is None:
        raise VersionNotFound(0)
    head = head_of(scope, subject, total=len(numbers), tab="comparison")
    sides = get_version(scope, subject, query.old), get_version(scope, subject, query.new)
    texts = pretty_sides(sides)
    verdict, awaited = _verdict_if_any(scope, head, sides, texts)
    page = comparison_page(scope, ComparedSides(head, sides, texts, verdict, awaited), query, tuple(numbers))
    title = _("Versions %(old)s and %(new)s of %(subject)s")
    frame = subject_frame(
        scope, subject, title % {"old": query.old, "new": query.new, "subject": subject}, width="wide"
    )
    return render_page(request, "comparison.html", page=page, frame=frame)


@tenant_page
def history(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """List every registration with what was in force then and what the verdict was."""
    number = read_page_number(request.GET.get("page", ""))
    found = registrations_page(scope, subject, number=number, size=PAGE_SIZE)
    head = head_of(scope, subject, total=len(version_numbers(scope, subject)), tab="history")
    page = history_page(scope, head, found)
    frame = subject_frame(scope, subject, _("History of %(subject)s") % {"subject": subject})
    return render_page(request, "history.html", page=page, frame=frame)


def head_of(scope: Scope, subject: SubjectName, *, total: int, tab: str) -> SubjectHead:
    """Return the head of a subject's pages; ``total`` counts its live versions."""
    latest = newest_version(scope, subject)
    level = level_in_force(scope, subject, latest.schema.format)
    head = subject_head(scope, latest, level, versions=total, tab=tab)
    return replace(head, mode=_unusual_mode(scope, latest.subject))


def _unusual_mode(scope: Scope, subject: SubjectName) -> str:
    if not scope.may("mode.read", subject):
        return ""
    mode = mode_in_force(scope, subject).name
    return "" if mode == DEFAULT_MODE else mode


def asked_for(request: HttpRequest, scope: Scope, subject: SubjectName) -> VersionRecord:
    """Return the version that the address asks for: the latest by default."""
    text = request.GET.get("v", "")
    if text in {"", LATEST}:
        return newest_version(scope, subject)
    return get_version(scope, subject, read_number(text))


def _verdict_if_any(
    scope: Scope, head: SubjectHead, sides: tuple[VersionRecord, VersionRecord], texts: tuple[str, str]
) -> tuple[VerdictPanel | None, str]:
    """Judge a pair, or say how far the worker is that does."""
    try:
        return _verdict(scope, head, sides, texts), ""
    except CheckUnderWay as awaited:
        text = _(
            "These versions are so large that a worker compares them: %(done)s of %(total)s versions done."
        )
        return None, text % {"done": awaited.done, "total": awaited.total}
    except (NoWorkers, TooManyChecks) as refused:
        return None, refused.message


def _verdict(
    scope: Scope, head: SubjectHead, sides: tuple[VersionRecord, VersionRecord], texts: tuple[str, str]
) -> VerdictPanel | None:
    """Judge a pair; nothing is said of a version beside itself, or when others have work enough just now."""
    old, new = sides
    if old.number == new.number:
        return None
    format_, is_same = new.schema.format, new.schema.format is old.schema.format
    level = head.level if format_ is head.format else level_in_force(scope, new.subject, format_).name
    address = reverse("frontend:definition", args=[*place_of(scope), head.subject])
    known = Texts(format_, texts[1], {old.number: texts[0]} if is_same else {})
    pair = ComparedPair(old.number, new.number, known, address)
    with suppress(TooBusy), turn_for(sum(map(len, texts))):
        found = compare_versions(scope, new.subject, old.number, new.number)
        return verdict_panel(found.levels, pair, level=level, stance=found.stance)
    return None


def registry_url(request: HttpRequest, scope: Scope) -> str:
    """Return the address under which clients reach this namespace."""
    return request.build_absolute_uri("/sr/" + "/".join(place_of(scope)))
