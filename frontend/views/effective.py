"""The policy in force for a namespace and for a subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accord.model import Format, SubjectName
from frontend.pages.effective import effective_panel, read_format
from frontend.pages.shell import Frame, crumbs_to, render_page
from frontend.pages.subject import subject_frame
from frontend.pages.subjects import place_of
from frontend.pages.tabs import namespace_tabs
from frontend.views.page import tenant_page
from frontend.views.subjects import head_of
from registry.queries.versions import version_numbers
from registry.services.advising import policy_in_force

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from accord_server.kit.scope import Scope
    from frontend.pages.effective import EffectivePanel
    from frontend.pages.subject import SubjectHead, TabLink


@dataclass(frozen=True, slots=True)
class NamespacePolicyPage:
    """What is in force where no subject or prefix says otherwise."""

    namespace: str
    tabs: tuple[TabLink, ...]
    panel: EffectivePanel


@dataclass(frozen=True, slots=True)
class SubjectPolicyPage:
    """What is in force for one subject."""

    head: SubjectHead
    panel: EffectivePanel


@tenant_page
def of_namespace(request: HttpRequest, scope: Scope) -> HttpResponse:
    """Show what is in force in a namespace."""
    format_ = read_format(request.GET.get("format", ""), Format.AVRO)
    found = policy_in_force(scope, SubjectName(""), format_)
    tenant, namespace = place_of(scope)
    page = NamespacePolicyPage(
        namespace, namespace_tabs(scope, "namespace-policy"), effective_panel(scope, found)
    )
    frame = Frame(_("Policy of %(namespace)s") % {"namespace": namespace}, crumbs_to(tenant, namespace))
    return render_page(request, "namespace_policy.html", page=page, frame=frame)


@tenant_page
def of_subject(request: HttpRequest, scope: Scope, subject: SubjectName) -> HttpResponse:
    """Show what is in force for a subject."""
    total = len(version_numbers(scope, subject))
    head = head_of(scope, subject, total=total, tab="subject-policy")
    found = policy_in_force(scope, head.subject, read_format(request.GET.get("format", ""), head.format))
    page = SubjectPolicyPage(head, effective_panel(scope, found))
    frame = subject_frame(scope, subject, _("Policy of %(subject)s") % {"subject": subject})
    return render_page(request, "subject_policy.html", page=page, frame=frame)
