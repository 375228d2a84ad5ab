"""Parsing Canonical Form and the fingerprints of the Avro specification.

They serve to recognise a schema across systems; the registry's own identities are elsewhere
(`accord.formats.identity`).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from accord.formats.avro.canonical import Piece, Slot, join_pieces, union_pieces
from accord.formats.avro.model import Array, Enum, Map, Primitive, Record, Union
from accord.formats.jsontext import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from accord.formats.avro.model import Named, Node

RABIN_EMPTY = 0xC15D213AA4D7A795
BYTE = 0xFF


def parsing_canonical_form(root: Node) -> str:
    """Return the Parsing Canonical Form: what a reader of data needs, and nothing else.

    Source: Avro specification, "Transforming into Parsing Canonical Form". Types that come from
    references are written out where they are first used.
    """
    return join_pieces(root, _Stripper().expand)


def rabin(form: str) -> int:
    """Return the 64-bit CRC of the specification ("Rabin") as an unsigned number.

    ``"int"`` gives 0x7275d51a3f395c8f. Its byte form is little-endian.
    """
    value = RABIN_EMPTY
    for byte in form.encode():
        value = (value >> 8) ^ RABIN_TABLE[(value ^ byte) & BYTE]
    return value


def md5(form: str) -> bytes:
    """Return the 16 bytes of MD5 over the form in UTF-8."""
    return hashlib.md5(form.encode(), usedforsecurity=False).digest()


def sha256(form: str) -> bytes:
    """Return the 32 bytes of SHA-256 over the form in UTF-8."""
    return hashlib.sha256(form.encode()).digest()


def _rabin_entry(byte: int) -> int:
    value = byte
    for _ in range(8):
        value = (value >> 1) ^ (RABIN_EMPTY if value & 1 else 0)
    return value


RABIN_TABLE = tuple(_rabin_entry(byte) for byte in range(BYTE + 1))


class _Stripper:
    """Turns one node into pieces of the form; remembers which named types are written already."""

    def __init__(self) -> None:
        self.written: set[str] = set()

    def expand(self, slot: Slot) -> Iterable[Piece]:
        node = slot.node
        match node:
            case Primitive():
                return [quote(node.kind)]
            case Array():
                return ['{"type":"array","items":', Slot(node.items, None), "}"]
            case Map():
                return ['{"type":"map","values":', Slot(node.values, None), "}"]
            case Union():
                return union_pieces(node, None)
            case _:
                return self._named(node)

    def _named(self, node: Named) -> Iterator[Piece]:
        name = quote(node.name.full)
        if node.name.full in self.written:
            yield name
            return
        self.written.add(node.name.full)
        yield f'{{"name":{name},"type":{quote(node.kind)}'
        match node:
            case Record():
                yield ',"fields":['
                for position, field in enumerate(node.fields):
                    yield f'{"," if position else ""}{{"name":{quote(field.name)},"type":'
                    yield Slot(field.type, None)
                    yield "}"
                yield "]}"
            case Enum():
                yield f',"symbols":[{",".join(map(quote, node.symbols))}]}}'
            case _:
                yield f',"size":{node.size}}}'
