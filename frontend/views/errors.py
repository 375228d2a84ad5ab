"""How the pages say that something went wrong: one template, the next step always named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accord_server.kit.error_tables import Dialect, ErrorTable, Row
from accord_server.kit.paths import is_machine_path
from frontend.pages.shell import Frame, render_page, shell_of
from tenants.errors import RightMissing, TenantSuspended, TooManyRequests
from tenants.rights import roles_with

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.error_tables import Problem


OUR_FAULT: Final = 500
BUSY: Final = 429
_SUSPENDED: Final = gettext_lazy(
    "Nothing of it can be read or written until whoever runs this installation resumes it. Its data are kept."
)


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """What went wrong and what can be done about it."""

    status: int
    title: str
    text: str
    request_id: str = ""
    right: str = ""
    roles: tuple[str, ...] = ()


def page_problem(request: HttpRequest, problem: Problem) -> HttpResponse:
    """Answer an error on a page's address."""
    page = _page(problem)
    frame = Frame(page.title)
    if problem.status >= OUR_FAULT or problem.status == BUSY:
        # Whatever failed may fail again, and nobody is asked more where too much is: no database.
        context = {"page": page, "shell": shell_of(request, frame)}
        return render(request, "frontend/error.html", context, status=problem.status)
    return render_page(request, "error.html", page=page, frame=frame, status=problem.status)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django names it
    """Answer a form that did not come from our pages, or came too late."""
    text = _("This form was open for too long or your browser sent no cookie. Go back, reload and try again.")
    page = ErrorPage(403, _("The form could not be checked"), text)
    return render_page(request, "error.html", page=page, frame=Frame(page.title), status=403)


PACED: Final = ErrorTable({TooManyRequests: Row(BUSY, "too_many_requests")})
PAGES: Final = Dialect("pages", lambda path: not is_machine_path(path), PACED, page_problem)


def _page(problem: Problem) -> ErrorPage:
    if isinstance(problem.error, RightMissing):
        right = problem.error.right
        return ErrorPage(
            problem.status,
            _("You may not do this"),
            _("You can see this place, but a right is missing. Ask somebody who administers the tenant."),
            right=right,
            roles=roles_with(right),
        )
    if isinstance(problem.error, TenantSuspended):
        return ErrorPage(problem.status, _("This tenant is suspended"), str(_SUSPENDED))
    title, text = _words(problem.status)
    return ErrorPage(problem.status, title, text)


def _words(status: int) -> tuple[str, str]:
    match status:
        case 403:
            return _("You may not do this"), _("Ask somebody who administers the tenant for access.")
        case 404:
            text = _(
                "Nothing is here, or nothing that you may see. Check the address, or start from your tenants."
            )
            return _("Page not found"), text
        case 405:
            return _("Not like this"), _("This address does not answer that kind of request.")
        case 429:
            text = _("The pages of this tenant are asked for too often just now. Wait and try again.")
            return _("Too many at once"), text
        case 503:
            text = _("A part that this page needs does not answer just now. Nothing is lost; try again soon.")
            return _("Back in a moment"), text
        case _ if status >= OUR_FAULT:
            text = _(
                "The fault is on our side and has been recorded. Name the request below when you report it."
            )
            return _("Something broke"), text
        case _:
            return _("That did not work"), _("The request could not be understood. Go back and try again.")
