"""What formats are called on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy as _

from accord.model import Format

if TYPE_CHECKING:
    from frontend.pages.shell import Label

FORMATS: Final[dict[Format | None, Label]] = {
    Format.AVRO: _("Avro"),
    Format.JSON: _("JSON Schema"),
    Format.PROTOBUF: _("Protobuf"),
    None: _("Every format"),
}
