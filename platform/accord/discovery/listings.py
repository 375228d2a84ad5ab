"""The fields and types of a schema of any format, read from its canonical text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.avro.listing import listing as avro_listing
from accord.formats.jsonschema.listing import listing as json_listing
from accord.formats.protobuf.listing import listing as protobuf_listing
from accord.model import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.listing import Lister, Listing
    from accord.model import SchemaText

LISTERS: Final[Mapping[Format, Lister]] = {
    Format.AVRO: avro_listing,
    Format.JSON: json_listing,
    Format.PROTOBUF: protobuf_listing,
}


def listing_of(source: SchemaText) -> Listing:
    """Return the fields and types of a canonical text; see `accord.formats.listing`.

    Raises `accord.errors.SchemaTooLarge` for a Protobuf text with too many open brackets or ranges.
    """
    return LISTERS[source.format](source.text)
