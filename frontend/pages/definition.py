"""The definition of one version: coloured lines, facts, references, how to fetch it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accord.formats.forms import CANONICAL, NORMALIZED, PARSING, Form, form_names
from accord.model import Format
from frontend.highlight import highlight, paint
from frontend.pages.choices import offer_versions
from frontend.pages.contract import contract_panels
from frontend.pages.fields import fields_panel
from frontend.pages.life import life_url, shown_state
from frontend.pages.references import reference_links
from frontend.pages.subjects import place_of
from frontend.pretty import pretty

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from accord_server.kit.scope import Scope
    from frontend.pages.choices import VersionChoice
    from frontend.pages.contract import ContractPanels
    from frontend.pages.fields import FieldsPanel
    from frontend.pages.life import ShownState
    from frontend.pages.models import ModelsPanel
    from frontend.pages.references import ReferenceLink
    from frontend.pages.shell import Label
    from frontend.pages.subject import SubjectHead
    from registry.records import VersionRecord

SHOWN_LINES: Final = 1_500
ALL_LINES: Final = 20_000
UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]")
FORM_LABELS: Final[dict[str, Label]] = {
    "": _("Readable"),
    CANONICAL: _("As stored"),
    NORMALIZED: _("Normalized"),
    Form.RESOLVED: _("Resolved"),
    PARSING: _("Parsing form"),
    Form.SERIALIZED: _("Descriptor"),
}
AS_THEY_ARE: Final = frozenset((CANONICAL, PARSING, Form.SERIALIZED))
ENDINGS: Final = {Format.AVRO: "avsc", Format.JSON: "json", Format.PROTOBUF: "proto"}


@dataclass(frozen=True, slots=True)
class FormLink:
    """A form in which the text can be shown."""

    label: Label
    url: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class DefinitionPage:
    """The whole page; so many ``users`` refer to the version."""

    head: SubjectHead
    version: VersionRecord
    choice: VersionChoice
    lines: tuple[SafeString, ...]
    total_lines: int
    is_latest: bool
    state: ShownState
    life_url: str
    raw_url: str
    all_url: str
    references: tuple[ReferenceLink, ...]
    users_url: str
    forms: tuple[FormLink, ...]
    fetch_url: str
    fields: FieldsPanel | None
    contract: ContractPanels
    models: ModelsPanel | None = None
    users: int = 0
    refusal: str = ""

    @property
    def is_cut(self) -> bool:
        """True when the text goes on below the last line shown."""
        return len(self.lines) < self.total_lines

    @property
    def has_more(self) -> bool:
        """True when a longer page can be asked for."""
        return len(self.lines) < min(self.total_lines, ALL_LINES)


def definition_page(
    scope: Scope,
    head: SubjectHead,
    version: VersionRecord,
    *,
    numbers: Sequence[int],
    shown: ShownText,
    registry_url: str,
) -> DefinitionPage:
    """Make the page of one version; ``shown`` is the text it prints."""
    text = shown.text
    lines = text.split("\n")
    printed = "\n".join(lines[: ALL_LINES if shown.is_whole else SHOWN_LINES])
    return DefinitionPage(
        head=head,
        version=version,
        choice=offer_versions(scope, head, numbers, version.number),
        lines=tuple(paint(line) for line in highlight(printed, version.schema.format)),
        total_lines=len(lines),
        is_latest=version.number == head.latest,
        raw_url=_route("raw", scope, version, f"?v={version.number}"),
        all_url=_route("definition", scope, version, f"?v={version.number}&lines=all{shown.query}"),
        references=tuple(reference_links(scope, version)),
        forms=tuple(_forms(scope, version, shown)),
        state=shown_state(version.life.state),
        life_url=life_url(scope, version),
        users_url=_route("references", scope, version, f"?v={version.number}"),
        fetch_url=f"{registry_url}/schemas/ids/{version.schema.id}",
        fields=fields_panel(version.schema.text, version.schema.format),
        contract=contract_panels(version.schema),
    )


@dataclass(frozen=True, slots=True)
class ShownText:
    """What of a version is printed: its text in a form, empty for the stored one with line breaks."""

    text: str
    form: str = ""
    is_whole: bool = False

    @property
    def query(self) -> str:
        """What an address adds to ask for the same form."""
        return f"&form={self.form}" if self.form else ""


def shown_text(version: VersionRecord, form: str, *, is_whole: bool) -> ShownText:
    """Return what is printed of a version whose text is in a form already.

    What is one line by nature stays so: the stored text, Avro's Parsing Canonical Form, a descriptor.
    """
    text, format_ = version.schema.text, version.schema.format
    return ShownText(text if form in AS_THEY_ARE else pretty(text, format_), form, is_whole)


def _forms(scope: Scope, version: VersionRecord, shown: ShownText) -> Iterator[FormLink]:
    for name in ("", *form_names(version.schema.format)):
        if name in FORM_LABELS:
            query = f"?v={version.number}" + (f"&form={name}" if name else "")
            url = _route("definition", scope, version, query)
            yield FormLink(FORM_LABELS[name], url, name == shown.form)


def file_name(version: VersionRecord) -> str:
    """Return a name for the file of one version that every file system takes."""
    kept = UNSAFE.sub("_", version.subject.name)
    return f"{kept.strip('.')[:100] or 'schema'}-v{version.number}.{ENDINGS[version.schema.format]}"


def _route(name: str, scope: Scope, version: VersionRecord, query: str) -> str:
    return reverse(f"frontend:{name}", args=[*place_of(scope), version.subject]) + query
