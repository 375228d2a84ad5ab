"""Parsing Canonical Form and the fingerprints of the Avro specification.

They serve to recognise a schema across systems; the registry's own identities are elsewhere
(`accord.formats.identity`).
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from accord.formats.avro.canonical import QUOTED, join_pieces
from accord.formats.avro.model import Array, Enum, Map, Primitive, Record, Union
from accord.formats.jsontext import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.avro.canonical import Piece
    from accord.formats.avro.model import Named, Node

RABIN_EMPTY = 0xC15D213AA4D7A795
BYTE = 0xFF


def parsing_canonical_form(root: Node) -> str:
    """Return the Parsing Canonical Form: what a reader of data needs, and nothing else.

    Source: Avro specification, "Transforming into Parsing Canonical Form". Types that come from
    references are written out where they are first used.
    """
    return join_pieces(_Stripper().pieces(root))


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
    """Turns nodes into pieces of the form; remembers which named types are written already."""

    def __init__(self) -> None:
        self.written: set[str] = set()

    def pieces(self, node: Node) -> Iterator[Piece]:
        match node:
            case Primitive():
                yield QUOTED[node.kind]
            case Array():
                yield '{"type":"array","items":'
                yield self.pieces(node.items)
                yield "}"
            case Map():
                yield '{"type":"map","values":'
                yield self.pieces(node.values)
                yield "}"
            case Union():
                for position, branch in enumerate(node.branches):
                    yield "," if position else "["
                    yield self.pieces(branch)
                yield "]" if node.branches else "[]"
            case _ if node.name.full in self.written:
                yield quote(node.name.full)
            case _:
                self.written.add(node.name.full)
                yield from self._definition(node)

    def _definition(self, node: Named) -> Iterator[Piece]:
        yield f'{{"name":{quote(node.name.full)},"type":{QUOTED[node.kind]}'
        match node:
            case Record():
                yield ',"fields":['
                for position, field in enumerate(node.fields):
                    yield f'{"," if position else ""}{{"name":{quote(field.name)},"type":'
                    yield self.pieces(field.type)
                    yield "}"
                yield "]}"
            case Enum():
                yield f',"symbols":[{",".join(map(quote, node.symbols))}]}}'
            case _:
                yield f',"size":{node.size}}}'
