"""Registering a schema by hand: checked while one types, stored if the rules in force let it in."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accord.errors import AccordError, Conflict, Invalid, NotFound, Unavailable
from accord.naming import parse_subject, validate_new_subject
from frontend.pages.registering import (
    denied,
    known,
    left_to_worker,
    next_form,
    nothing_yet,
    read_form,
    register_page,
    review_of,
    with_similar,
    wrong,
)
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.subjects import WRITE, place_of
from frontend.views.page import is_fragment, tenant_form
from registry.errors import IncompatibleSchema, SchemaNotFound, SubjectNotFound
from registry.queries.aliases import alias_target
from registry.queries.field_sources import newest_of
from registry.queries.settings import mode_in_force
from registry.queries.versions import get_version
from registry.records import LATEST, CheckCandidate, LookUpVersion, RegisterVersion
from registry.services.explaining import LeftToWorker, explain_check
from registry.services.likeness import similar_subjects
from registry.services.lookup import look_up_version
from registry.services.registration import register_version
from registry.services.situation import require_registrable
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

    from accord.model import SchemaText, SubjectName
    from accord_server.kit.scope import Scope
    from frontend.pages.registering import RegisterForm, RegisterPage, RegisterReview
    from registry.discovery_records import Similar

# What the page tells beside the text; whoever lacks a right gets the page that says so.
STATUSES: Final = {NotFound: 404, Conflict: 409, Invalid: 422, Unavailable: 503}


@tenant_form
def register(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Take a schema, say what would become of it, and register it."""
    if request.method != "POST":
        return _shown(request, scope, register_page(scope, _first_form(scope, request.GET), nothing_yet()))
    form = read_form(request.POST)
    if request.POST.get("do") != "register":
        page = register_page(scope, form, _review(scope, form), is_fragment=is_fragment(request))
        return _shown(request, scope, page)
    try:
        subject = _meant(scope, form)
        registered = register_version(scope, RegisterVersion(subject, form.schema, form.normalize))
    except tuple(STATUSES) as error:
        page = register_page(scope, form, _review(scope, form), error=_refusal(error))
        return _shown(request, scope, page, status=_status(error))
    version = registered.version
    where = reverse("frontend:definition", args=[*place_of(scope), version.subject])
    return HttpResponseRedirect(f"{where}?{urlencode({'v': version.number})}")


def _first_form(scope: Scope, values: Mapping[str, str]) -> RegisterForm:
    """Return the form as an address fills it; ``from=latest`` begins with the latest version."""
    form = read_form(values)
    if values.get("from") == LATEST:
        with suppress(AccordError):
            return next_form(get_version(scope, parse_subject(form.subject), LATEST))
    return form


def _review(scope: Scope, form: RegisterForm) -> RegisterReview:
    """Return what a registration would say; nothing is stored."""
    if not form.text.strip() or not form.subject:
        return nothing_yet()
    try:
        subject, schema = _meant(scope, form), form.schema
        validate_new_subject(subject)
        try:
            found = look_up_version(scope, LookUpVersion(subject, schema, form.normalize))
            if found.subject == subject:
                return known(subject, found.number)
        except (SchemaNotFound, SubjectNotFound):
            pass
        # Whoever may not write is told what the schema is worth, whatever the mode.
        if scope.may(WRITE, subject):
            require_registrable(subject, mode_in_force(scope, subject).name, has_id=False)
        review = review_of(explain_check(scope, CheckCandidate(subject, schema, normalize=form.normalize)))
        return with_similar(scope, review, _similar(scope, subject, schema))
    except LeftToWorker:
        return left_to_worker()
    except RightMissing as error:
        return denied(error.message)
    except AccordError as error:
        return wrong(error.message)


def _similar(scope: Scope, subject: SubjectName, schema: SchemaText) -> tuple[Similar, ...]:
    """Return the subjects that are very like a schema; whoever adds a version knows what it is like."""
    if newest_of(scope, subject) is not None:
        return ()
    return similar_subjects(scope, subject, schema)


def _meant(scope: Scope, form: RegisterForm) -> SubjectName:
    """Return the subject that a name leads to: what were registered under an alias, no client would find."""
    subject = parse_subject(form.subject)
    return alias_target(scope, subject) or subject


def _refusal(error: AccordError) -> str:
    if isinstance(error, IncompatibleSchema):
        return _("Nothing was registered: the schema breaks rules that are named beside the text.")
    return _("Nothing was registered: %(message)s") % {"message": error.message}


def _status(error: AccordError) -> int:
    return next(status for kind, status in STATUSES.items() if error.kind is kind.kind)


def _shown(request: HttpRequest, scope: Scope, page: RegisterPage, *, status: int = 200) -> HttpResponse:
    if page.is_fragment:
        return render_page(request, "_register_review.html", page=page, frame=Frame(""))
    frame = Frame(_("Register a schema"), crumbs_to(*place_of(scope), Crumb(_("Register a schema"))), "wide")
    return render_page(request, "register.html", page=page, frame=frame, status=status)
