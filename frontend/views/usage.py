"""What a tenant uses of its quotas."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _

from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.tabs import tenant_tabs
from frontend.pages.usage import DAYS, read_resource, usage_page
from frontend.views.page import tenant_page
from tenants.queries.quotas import quota_record, usage_between

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope


@tenant_page
def usage(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Show the limits with what is in use, and the history of one of them."""
    today = timezone.now().date()
    record, days = quota_record(scope), usage_between(scope, today - timedelta(days=DAYS), today)
    page = usage_page(tenant_tabs(scope, "usage"), record, days, read_resource(request.GET.get("of", "")))
    frame = Frame(_("Usage"), crumbs_to(scope.tenant.slug, "", Crumb(_("Usage"))))
    return render_page(request, "usage.html", page=page, frame=frame)
