"""What is in one version of a module: files, packages, messages, services; one file as text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from accord.model import Format
from frontend.highlight import highlight, paint
from frontend.pages.definition import ALL_LINES, SHOWN_LINES
from frontend.pages.life import shown_state
from frontend.pages.modules import module_head, module_url, offer_module_versions
from frontend.pages.paging import PAGE_SIZE, make_pager, read_page_number
from frontend.pages.subject import TabLink
from frontend.pages.subjects import MAX_QUERY
from registry.records import Page
from registry.services import module_reading as reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.utils.safestring import SafeString

    from accord.formats.protobuf.filing import FiledFile
    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.life import ShownState
    from frontend.pages.modules import ModuleHead
    from frontend.pages.paging import Pager
    from frontend.pages.shell import Label
    from registry.module_records import ModuleVersionRow


class Shown(StrEnum):
    """What of a version is listed."""

    FILES = "files"
    PACKAGES = "packages"
    TYPES = "types"
    SERVICES = "services"


LABELS: Final[dict[Shown, Label]] = {
    Shown.FILES: _("Files"),
    Shown.PACKAGES: _("Packages"),
    Shown.TYPES: _("Messages"),
    Shown.SERVICES: _("Services"),
}
KINDS: Final[dict[str, Label]] = {"message": _("message"), "enum": _("enum")}


@dataclass(frozen=True, slots=True)
class ContentsQuery:
    """What the address asks for, within bounds whatever it says."""

    shown: Shown = Shown.FILES
    text: str = ""
    number: int = 1
    has_imports: bool = False


@dataclass(frozen=True, slots=True)
class ContentsItem:
    """One row: a name that may lead to its file, what it is, more about it, and where to fetch it alone."""

    name: str
    url: str
    kind: Label = ""
    details: tuple[str, ...] = ()
    file: str = ""
    size: int | None = None
    is_import: bool = False
    set_url: str = ""


@dataclass(frozen=True, slots=True)
class ModulePage:
    """The contents of one version."""

    head: ModuleHead
    version: ModuleVersionRow
    choice: VersionChoice
    query: ContentsQuery
    kinds: tuple[TabLink, ...]
    items: tuple[ContentsItem, ...]
    pager: Pager
    url: str
    clear_url: str
    imports_url: str
    life_url: str
    state: ShownState
    set_url: str
    zip_url: str
    fetch_url: str


@dataclass(frozen=True, slots=True)
class FilePage:
    """One file as text."""

    head: ModuleHead
    version: ModuleVersionRow
    path: str
    lines: tuple[SafeString, ...]
    total_lines: int
    all_url: str
    back_url: str


def read_contents(values: Mapping[str, str]) -> ContentsQuery:
    """Read the query part of the address; nonsense counts as absent."""
    shown = values.get("show", "")
    text = values.get("q", "").replace("\0", "").strip()[:MAX_QUERY]
    return ContentsQuery(
        Shown(shown) if shown in LABELS else Shown.FILES,
        text,
        read_page_number(values.get("page", "")),
        values.get("imports") == "1",
    )


def module_page(
    scope: Scope,
    rows: Sequence[ModuleVersionRow],
    version: ModuleVersionRow,
    *,
    query: ContentsQuery,
    files: Sequence[FiledFile],
    registry_url: str,
) -> ModulePage:
    """Make the page of one version, one of the rows; ``files`` are all of its files."""
    links = _Links(scope, version, query)
    wanted = [one for one in files if query.has_imports or not one.is_import]
    every = {shown: tuple(LISTS[shown](links, wanted)) for shown in Shown}
    found = [one for one in every[query.shown] if query.text.lower() in one.name.lower()]
    first = (query.number - 1) * PAGE_SIZE
    page = Page(tuple(found[first : first + PAGE_SIZE]), len(found), query.number, PAGE_SIZE)
    return ModulePage(
        head=module_head(scope, rows, tab="module"),
        version=version,
        choice=offer_module_versions(scope, rows, version.number),
        query=query,
        kinds=tuple(
            TabLink(label, links.page(show=shown, page=1), shown is query.shown, len(every[shown]))
            for shown, label in LABELS.items()
        ),
        items=page.rows,
        pager=make_pager(page, lambda number: links.page(page=number)),
        url=module_url(scope, version.module),
        clear_url=links.page(q="", page=1),
        life_url=links.to("module-life"),
        state=shown_state(version.life.state),
        imports_url=links.page(imports="" if query.has_imports else "1", page=1),
        set_url=links.to("module-set"),
        zip_url=links.to("module-zip"),
        fetch_url=f"{registry_url}/descriptors/modules/{version.module}/versions/{version.number}/set",
    )


def file_page(
    scope: Scope, head: ModuleHead, version: ModuleVersionRow, path: str, text: str, *, is_whole: bool
) -> FilePage:
    """Make the page of one file of a version."""
    lines = text.split("\n")
    printed = "\n".join(lines[: ALL_LINES if is_whole else SHOWN_LINES])
    number = version.number
    return FilePage(
        head=head,
        version=version,
        path=path,
        lines=tuple(paint(line) for line in highlight(printed, Format.PROTOBUF)),
        total_lines=len(lines),
        all_url=module_url(scope, version.module, "module-file", v=number, path=path, lines="all")
        if not is_whole and len(lines) > SHOWN_LINES
        else "",
        back_url=module_url(scope, version.module, v=number),
    )


@dataclass(frozen=True, slots=True)
class _Links:
    """Addresses around one version."""

    scope: Scope
    version: ModuleVersionRow
    query: ContentsQuery

    def page(self, **changes: str | int) -> str:
        """The page with something changed."""
        asked: dict[str, str | int] = {
            "v": self.version.number,
            "show": self.query.shown,
            "q": self.query.text,
            "imports": "1" if self.query.has_imports else "",
        }
        asked |= changes
        if asked.get("page") == 1:
            del asked["page"]
        return module_url(self.scope, self.version.module, **asked)

    def to(self, route: str, **query: str) -> str:
        """Another page of the version."""
        return module_url(self.scope, self.version.module, route, v=self.version.number, **query)

    def file(self, path: str) -> str:
        """The page of a file."""
        return self.to("module-file", path=path)

    def files(self, files: Sequence[FiledFile]) -> Iterator[ContentsItem]:
        for one in sorted(files, key=lambda one: one.path):
            yield ContentsItem(
                one.path,
                self.file(one.path),
                details=(one.package,) if one.package else (),
                size=len(one.data),
                is_import=one.is_import,
            )

    def packages(self, files: Sequence[FiledFile]) -> Iterator[ContentsItem]:
        for one in reading.packages_data(files):
            yield ContentsItem(one["name"] or "(none)", "", details=tuple(one["files"]))

    def types(self, files: Sequence[FiledFile]) -> Iterator[ContentsItem]:
        for one in sorted(reading.messages_data(files), key=lambda one: str(one["name"])):
            yield self._declared(one, KINDS[one["kind"]])

    def services(self, files: Sequence[FiledFile]) -> Iterator[ContentsItem]:
        for one in sorted(reading.services_data(files), key=lambda one: str(one["name"])):
            yield self._declared(one, "", tuple(map(_signature, one["methods"])))

    def _declared(self, one: reading.Json, kind: Label, details: tuple[str, ...] = ()) -> ContentsItem:
        name, file = str(one["name"]), str(one["file"])
        set_url = self.to("module-set", name=name)
        return ContentsItem(name, self.file(file), kind, details, file=file, set_url=set_url)


LISTS: Final = {
    Shown.FILES: _Links.files,
    Shown.PACKAGES: _Links.packages,
    Shown.TYPES: _Links.types,
    Shown.SERVICES: _Links.services,
}


def _signature(method: reading.Json) -> str:
    sent, got = (
        f"stream {name}" if is_stream else str(name)
        for name, is_stream in (
            (method["input"], method["client_streaming"]),
            (method["output"], method["server_streaming"]),
        )
    )
    return f"{method['name']}({sent}) → {got}"
