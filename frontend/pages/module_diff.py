"""Two versions of a module beside each other: their files, what that means, one file line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy as _

from accord.model import Direction, Format, Severity
from frontend.diff import compare_texts
from frontend.pages.comparison import DiffRow, View, diff_lines, painted, read_number
from frontend.pages.modules import module_url, offer_module_versions
from frontend.pages.verdicts import BADGES, SEVERITIES, rule_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.modules import ModuleHead
    from frontend.pages.shell import Label
    from frontend.pages.verdicts import RuleLink
    from registry.module_records import ModuleVersionRow

SHOWN: Final = 200
CHANGES: Final[dict[str, tuple[Label, str]]] = {
    "added": (_("Added"), "pass"),
    "removed": (_("Removed"), "fail"),
    "changed": (_("Changed"), "warn"),
}
READS: Final[dict[str, Label]] = {
    Direction.BACKWARD: _("new reads old"),
    Direction.FORWARD: _("old reads new"),
}


@dataclass(frozen=True, slots=True)
class DiffQuery:
    """Which versions the address asks for, and which file line by line."""

    old: int
    new: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """One file that is not the same on both sides."""

    path: str
    label: Label
    badge: str
    url: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What one change means for whom."""

    label: Label
    badge: str
    icon: str
    sentence: str
    path: str
    reads: Label
    rule: RuleLink


@dataclass(frozen=True, slots=True)
class ModuleDiffPage:
    """The whole page; ``is_busy`` where others keep the server from comparing, ``file`` is shown in lines."""

    head: ModuleHead
    choice: VersionChoice
    query: DiffQuery
    swap_url: str
    files: tuple[ChangedFile, ...]
    differences: tuple[Difference, ...]
    hidden: int
    is_busy: bool
    rows: tuple[DiffRow, ...]
    labels: tuple[str, ...] = ()
    links: None = None


def read_diff(values: Mapping[str, str], numbers: Sequence[int]) -> DiffQuery | None:
    """Read the address; by default the latest version beside the one before. None: no such version."""
    latest, before = numbers[-1], numbers[-2] if len(numbers) > 1 else numbers[-1]
    old, new = (
        read_number(values[name]) if values.get(name) else default
        for name, default in (("from", before), ("to", latest))
    )
    if old not in numbers or new not in numbers:
        return None
    return DiffQuery(old, new, values.get("file", "").replace("\0", ""))


def module_diff_page(
    scope: Scope,
    head: ModuleHead,
    rows: Sequence[ModuleVersionRow],
    query: DiffQuery,
    *,
    found: dict[str, Any] | None,
    texts: tuple[str, str] | None,
) -> ModuleDiffPage:
    """Make the page; ``found`` is what differs if somebody could look, ``texts`` are those of the file."""
    differences = tuple(map(_difference, found["differences"])) if found else ()
    left_out = found["left_out"] if found else 0
    return ModuleDiffPage(
        head=head,
        choice=offer_module_versions(scope, rows, query.old, query.new),
        query=query,
        swap_url=_url(scope, head, DiffQuery(query.new, query.old)),
        files=tuple(_files(scope, head, query, found["files"])) if found else (),
        differences=differences[:SHOWN],
        hidden=max(0, len(differences) - SHOWN) + left_out,
        is_busy=found is None,
        rows=tuple(_rows(*texts)) if texts is not None else (),
    )


def _url(scope: Scope, head: ModuleHead, query: DiffQuery) -> str:
    asked: dict[str, str | int] = {"from": query.old, "to": query.new, "file": query.file}
    return module_url(scope, head.module, "module-diff", **asked)


def _files(
    scope: Scope, head: ModuleHead, query: DiffQuery, files: Mapping[str, Sequence[str]]
) -> Iterator[ChangedFile]:
    for what, (label, badge) in CHANGES.items():
        for path in files[what]:
            url = _url(scope, head, DiffQuery(query.old, query.new, path))
            yield ChangedFile(path, label, badge, f"{url}#file")


def _difference(one: dict[str, Any]) -> Difference:
    severity = Severity(one["severity"])
    return Difference(
        SEVERITIES[severity],
        *BADGES[severity],
        one["sentence"],
        one["path"],
        READS[one["direction"]],
        rule_link(one["rule"]),
    )


def _rows(old: str, new: str) -> Iterator[DiffRow]:
    found = compare_texts(old, new)
    return painted(
        found, View.UNIFIED, lines=(diff_lines(old, Format.PROTOBUF), diff_lines(new, Format.PROTOBUF))
    )
