"""The life of a version of a module: shown, and changed by what its forms send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from frontend.pages.module_life import module_life_page
from frontend.pages.modules import module_frame, module_url
from frontend.pages.shell import render_page
from frontend.views.lives import STATUSES, state_change, status_of
from frontend.views.modules import asked_for
from frontend.views.page import tenant_form
from registry.queries.module_lives import module_life
from registry.queries.modules import readable_versions
from registry.services.module_states import change_module_state, roll_back_module

if TYPE_CHECKING:
    from django.http import HttpRequest

    from accord_server.kit.scope import Scope


@tenant_form
def life(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Show the life of a version of a module; do what a form asks for, and show what came of it."""
    number = asked_for(request, readable_versions(scope, module)).number
    if request.method != "POST":
        return _shown(request, scope, module)
    asked = request.POST.get("do", "")
    try:
        if asked == "state":
            change_module_state(scope, module, state_change(number, request.POST))
        elif asked == "rollback":
            number = roll_back_module(scope, module, number).version.number
        else:
            return _shown(request, scope, module, status=400)
    except tuple(STATUSES) as error:
        return _shown(request, scope, module, error=error.message, status=status_of(error))
    return HttpResponseRedirect(module_url(scope, module, "module-life", v=number))


def _shown(
    request: HttpRequest, scope: Scope, module: str, *, error: str = "", status: int = 200
) -> HttpResponse:
    rows = readable_versions(scope, module)
    version = asked_for(request, rows)
    page = module_life_page(scope, rows, version, module_life(scope, module, version.number), error=error)
    frame = module_frame(scope, module, _("Life of %(module)s") % {"module": module})
    return render_page(request, "module_life.html", page=page, frame=frame, status=status)
