"""The life of a version: shown, and changed by what its forms send."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from accord.errors import AccordError, Conflict, Denied, Invalid, NotFound, Unavailable
from accord_server.kit.paging import LARGEST_BATCH
from frontend.pages.comparison import read_number
from frontend.pages.editing import typed
from frontend.pages.life import life_page, life_url, read_labels, read_properties
from frontend.pages.registering import denied, left_to_worker, review_of, wrong
from frontend.pages.shell import render_page
from frontend.pages.subject import subject_frame
from frontend.views.page import tenant_form
from frontend.views.subjects import asked_for, head_of
from registry.life_errors import CommentNotFound, ReasonMissing
from registry.life_records import ChangeState, Describe, RollBack
from registry.queries.lives import comments_on, described, version_life
from registry.queries.versions import version_numbers
from registry.records import CheckCandidate
from registry.services.comments import add_comment, delete_comment
from registry.services.describing import describe
from registry.services.explaining import LeftToWorker, explain_check
from registry.services.rolling_back import roll_back, rollback_of
from registry.services.version_states import change_state
from registry.version_states import VersionState
from tenants.errors import RightMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpRequest

    from accord.model import SubjectName
    from accord_server.kit.scope import Scope
    from frontend.pages.registering import RegisterReview
    from registry.records import VersionRecord

    Step = Callable[[Scope, VersionRecord, Mapping[str, str]], VersionRecord]

STATUSES: Final = {NotFound: 404, Conflict: 409, Invalid: 422, Denied: 403, Unavailable: 503}


@tenant_form
def life(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show the life of a version; do what a form asks for, and show what came of it."""
    version = asked_for(request, scope, subject)
    if request.method != "POST":
        return _shown(request, scope, version)
    step = STEPS.get(request.POST.get("do", ""))
    if step is None:
        return _shown(request, scope, version, status=400)
    try:
        reached = step(scope, version, request.POST)
    except tuple(STATUSES) as error:
        return _shown(request, scope, version, error=error.message, status=status_of(error))
    return HttpResponseRedirect(life_url(scope, reached))


def _change_state(scope: Scope, version: VersionRecord, given: Mapping[str, str]) -> VersionRecord:
    change_state(scope, version.subject, state_change(version.number, given))
    return version


def _describe(scope: Scope, version: VersionRecord, given: Mapping[str, str]) -> VersionRecord:
    command = Describe(
        typed(given.get("description", "")),
        read_labels(given.get("labels", "")),
        read_properties(typed(given.get("properties", ""))),
        _revision(given),
    )
    describe(scope, version.subject, command, version.number)
    return version


def _comment(scope: Scope, version: VersionRecord, given: Mapping[str, str]) -> VersionRecord:
    add_comment(scope, version.subject, version.number, typed(given.get("text", "")))
    return version


def _delete_comment(scope: Scope, version: VersionRecord, given: Mapping[str, str]) -> VersionRecord:
    try:
        comment = UUID(given.get("comment", ""))
    except ValueError:
        raise CommentNotFound("?") from None
    delete_comment(scope, version.subject, version.number, comment, expected=None)
    return version


def _roll_back(scope: Scope, version: VersionRecord, given: Mapping[str, str]) -> VersionRecord:
    command = RollBack(version.number, skips_check=given.get("skip") == "on")
    return roll_back(scope, version.subject, command).version


STEPS: Final[dict[str, Step]] = {
    "state": _change_state,
    "details": _describe,
    "comment": _comment,
    "delete-comment": _delete_comment,
    "rollback": _roll_back,
}


def state_change(number: int, given: Mapping[str, str]) -> ChangeState:
    """Return the change of state that a form asks for.

    Raises:
        ReasonMissing: It names none.
    """
    state, reason = given.get("state", ""), typed(given.get("reason", ""))
    if state not in set(VersionState):
        raise ReasonMissing(0)
    return ChangeState(number, VersionState(state), reason, _revision(given))


def status_of(error: AccordError) -> int:
    """Return the status of a page that tells of a refusal."""
    return next(status for kind, status in STATUSES.items() if error.kind is kind.kind)


def _revision(given: Mapping[str, str]) -> int:
    """Return the revision that a form was made for."""
    return read_number(given.get("seen", ""))


def _shown(
    request: HttpRequest, scope: Scope, version: VersionRecord, *, error: str = "", status: int = 200
) -> HttpResponse:
    subject, number = version.subject, version.number
    numbers = version_numbers(scope, subject)
    said = described(scope, subject, number), comments_on(scope, subject, number, limit=LARGEST_BATCH)
    head = head_of(scope, subject, total=len(numbers), tab="life")
    page = life_page(scope, head, version, version_life(scope, subject, number), said, numbers=numbers)
    review = _review(scope, version) if request.GET.get("try") == "rollback" else None
    frame = subject_frame(scope, subject, _("Life of %(subject)s") % {"subject": subject})
    page = replace(page, error=error, review=review)
    return render_page(request, "life.html", page=page, frame=frame, status=status)


def _review(scope: Scope, version: VersionRecord) -> RegisterReview:
    """Return what going back to a version would be told; nothing is stored."""
    command = rollback_of(version)
    try:
        asked = CheckCandidate(version.subject, command.schema, contract=command.contract)
        return review_of(explain_check(scope, asked))
    except LeftToWorker:
        return left_to_worker()
    except RightMissing as error:
        return denied(error.message)
    except AccordError as error:
        return wrong(error.message)
