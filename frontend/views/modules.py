"""The pages of modules: the list, what a version holds, its files, its neighbours, and how to fetch it."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from frontend.pages.comparison import read_number
from frontend.pages.module import file_page, module_page, read_contents
from frontend.pages.module_diff import module_diff_page, read_diff
from frontend.pages.module_versions import module_versions_page
from frontend.pages.modules import module_frame, module_head, modules_page, shown_latest
from frontend.pages.paging import PAGE_SIZE, read_page_number
from frontend.pages.shell import Crumb, Frame, crumbs_to, render_page
from frontend.pages.subjects import place_of, read_query
from frontend.pages.tabs import namespace_tabs
from frontend.views.page import tenant_page
from frontend.views.subjects import registry_url
from registry.errors import TooBusy
from registry.module_errors import ModuleVersionNotFound, NotInSet
from registry.queries.modules import readable_versions, search_modules, served
from registry.services import module_reading as reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from accord_server.kit.scope import Scope
    from registry.module_records import ModuleVersionRow


@tenant_page
def modules(request: HttpRequest, scope: Scope) -> HttpResponse:
    """List the modules, searched and page by page."""
    query = read_query(request.GET.dict())
    found = search_modules(scope, text=query.text, number=query.number, size=PAGE_SIZE)
    tabs = namespace_tabs(scope, "modules")
    page = modules_page(scope, query, found, tabs=tabs, registry_url=registry_url(request, scope))
    frame = Frame(_("Modules"), crumbs_to(*place_of(scope), Crumb(_("Modules"))))
    return render_page(request, "modules.html", page=page, frame=frame)


@tenant_page
def module(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Show what is in one version, the latest unless the address says another."""
    rows = readable_versions(scope, module)
    version = asked_for(request, rows)
    page = module_page(
        scope,
        rows,
        version,
        query=read_contents(request.GET.dict()),
        files=reading.files_of(scope, version),
        registry_url=registry_url(request, scope),
    )
    return render_page(request, "module.html", page=page, frame=module_frame(scope, module, module))


@tenant_page
def file(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Show one file of a version as text."""
    rows = readable_versions(scope, module)
    version, path = served(asked_for(request, rows)), request.GET.get("path", "")
    text = reading.text_of(scope, version, path)
    head = module_head(scope, rows, tab="module")
    page = file_page(scope, head, version, path, text, is_whole=request.GET.get("lines") == "all")
    return render_page(request, "module_file.html", page=page, frame=module_frame(scope, module, path))


@tenant_page
def versions(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """List the versions of a module, newest first, page by page."""
    rows = readable_versions(scope, module)
    head = module_head(scope, rows, tab="module-versions")
    page = module_versions_page(scope, head, rows, number=read_page_number(request.GET.get("page", "")))
    frame = module_frame(scope, module, _("Versions of %(module)s") % {"module": module})
    return render_page(request, "module_versions.html", page=page, frame=frame)


@tenant_page
def comparison(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Show what differs between two versions, the latest and the one before unless others are asked for."""
    rows = readable_versions(scope, module)
    query = read_diff(request.GET.dict(), [one.number for one in rows])
    if query is None:
        raise ModuleVersionNotFound(request.GET.get("to", "")[:20])
    found: dict[str, Any] | None = None
    texts: tuple[str, str] | None = None
    with suppress(TooBusy):
        found = reading.difference_data(scope, module, query.old, query.new)
        if query.file:
            old, new = (_text(scope, rows, number, query.file) for number in (query.old, query.new))
            texts = (old, new)
    head = module_head(scope, rows, tab="module-diff")
    page = module_diff_page(scope, head, rows, query, found=found, texts=texts)
    frame = module_frame(scope, module, _("Versions of %(module)s compared") % {"module": module})
    return render_page(request, "module_diff.html", page=page, frame=frame)


@tenant_page
def download(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Hand out the set of a version, whole or what one message or service needs."""
    version = served(asked_for(request, readable_versions(scope, module)))
    wanted = reading.Selection(request.GET.get("name", ""))
    data = reading.selected(reading.files_of(scope, version), wanted)
    part = f"-{wanted.name}" if wanted.name else ""
    return _file(data, "application/octet-stream", f"{module}{part}-{version.number}.pb")


@tenant_page
def archive(request: HttpRequest, scope: Scope, module: str) -> HttpResponse:
    """Hand out the texts of a version in an archive."""
    version = served(asked_for(request, readable_versions(scope, module)))
    return _file(reading.archive_of(scope, version), "application/zip", f"{module}-{version.number}.zip")


def _file(data: bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(
        data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _text(scope: Scope, rows: Sequence[ModuleVersionRow], number: int, path: str) -> str:
    """Return a file of a version; empty where that has none."""
    version = served(next(one for one in rows if one.number == number))
    try:
        return reading.text_of(scope, version, path)
    except NotInSet:
        return ""


def asked_for(request: HttpRequest, rows: Sequence[ModuleVersionRow]) -> ModuleVersionRow:
    """Return the version that the address names, the latest unless it names one."""
    asked = request.GET.get("v", "")
    number = read_number(asked) if asked else shown_latest(rows).number
    found = next((one for one in rows if one.number == number), None)
    if found is None:
        raise ModuleVersionNotFound(asked[:20])
    return found
