"""The fingerprints by which other systems know a schema: those of the Avro specification.

Other formats have none; what names their content is `accord.formats.identity.digest`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from accord.formats.avro.fingerprint import md5, parsing_canonical_form, rabin, sha256
from accord.model import Format

if TYPE_CHECKING:
    from accord.formats.avro.model import Node
    from accord.formats.parsed import ParsedSchema

RABIN_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """Three hashes of a schema's Parsing Canonical Form.

    ``rabin`` is CRC-64-AVRO in 8 bytes, most significant first, as its number is written in hexadecimal;
    in the single-object encoding the same bytes stand the other way round.
    """

    rabin: bytes
    md5: bytes
    sha256: bytes

    @property
    def hexadecimal(self) -> dict[str, str]:
        """The three by name, as people write them."""
        return {"rabin": self.rabin.hex(), "md5": self.md5.hex(), "sha256": self.sha256.hex()}


def parsing_form(schema: ParsedSchema) -> str | None:
    """Return the Parsing Canonical Form of a schema, what it refers to written out; None outside of Avro."""
    return parsing_canonical_form(cast("Node", schema.root)) if schema.format is Format.AVRO else None


def fingerprints(schema: ParsedSchema) -> Fingerprints | None:
    """Return the fingerprints of a schema; None outside of Avro.

    Source: Avro specification, "Schema Fingerprints".
    """
    form = parsing_form(schema)
    if form is None:
        return None
    return Fingerprints(rabin(form).to_bytes(RABIN_BYTES, "big"), md5(form), sha256(form))
