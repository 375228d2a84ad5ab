"""Avro nodes to text as Confluent stores it: the layout of Avro Java's ``Schema.toString``.

Only the layout is fixed; meaning is kept. So spacing, member order and the spelling of namespaces
make no new version, while a changed doc, alias, default, order or property does. A named type is
written out the first time and by name afterwards; types that come from references are always names.

Text is made of pieces, and the pieces of inner types stand on an explicit stack: so no chain of types is
too long for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from accord.formats.avro.logical import logical_type
from accord.formats.avro.model import Array, Enum, Kind, Map, Order, Primitive, Record, Union
from accord.formats.jsontext import quote, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats.avro.model import Field, Named, Node, Props
    from accord.formats.avro.names import Name


Piece: TypeAlias = "str | Iterator[Piece]"


@dataclass(frozen=True, slots=True)
class Style:
    """How much of the spelling is decided here instead of by the author.

    ``sorts`` orders properties, aliases and the members of default values; ``tidies`` writes the
    members of a logical type first, drops empty docs of named types and turns errors into records.
    """

    sorts: bool = False
    tidies: bool = False


QUOTED = {kind: f'"{kind}"' for kind in Kind}
STORED = Style()
COMPARED = Style(sorts=True)
NORMALIZED = Style(sorts=True, tidies=True)


def canonical_text(root: Node, *, known: Mapping[str, Named], style: Style = STORED) -> str:
    """Return the compact text of a schema; types in ``known`` are written by name only.

    Source: Avro Java ``Schema.toString``; for ``NORMALIZED`` the net effect of Confluent's
    ``normalize=true``.
    """
    return join_pieces(_Printer(known, style).pieces(root, None))


def join_pieces(pieces: Iterator[Piece]) -> str:
    """Return the text of pieces; each inner type begins to be written when its turn comes."""
    done: list[str] = []
    writing = [pieces]
    while writing:
        for piece in writing[-1]:
            if not isinstance(piece, str):
                writing.append(piece)
                break
            done.append(piece)
        else:
            writing.pop()
    return "".join(done)


class _Printer:
    """Turns nodes into pieces; remembers which named types are written already."""

    def __init__(self, known: Mapping[str, Named], style: Style) -> None:
        self.written = set(known)
        self.style = style

    def pieces(self, node: Node, namespace: str | None) -> Iterator[Piece]:
        match node:
            case Primitive():
                yield self._primitive(node)
            case Array():
                yield '{"type":"array","items":'
                yield self._inner(node.items, namespace)
                yield f"{self._props(node)}}}"
            case Map():
                yield '{"type":"map","values":'
                yield self._inner(node.values, namespace)
                yield f"{self._props(node)}}}"
            case Union():
                for position, branch in enumerate(node.branches):
                    yield "," if position else "["
                    yield self._inner(branch, namespace)
                yield "]" if node.branches else "[]"
            case _ if node.name.full in self.written:
                yield quote(self._spelling(node.name, namespace))
            case _:
                self.written.add(node.name.full)
                yield from self._definition(node, namespace)

    def _inner(self, node: Node, namespace: str | None) -> Piece:
        """Most inner types are primitives or unions of them, whose text is short and needs no stack."""
        if isinstance(node, Primitive):
            return self._primitive(node)
        if isinstance(node, Union):
            texts = [self._primitive(one) for one in node.branches if isinstance(one, Primitive)]
            if len(texts) == len(node.branches):
                return f"[{','.join(texts)}]"
        return self.pieces(node, namespace)

    def _primitive(self, node: Primitive) -> str:
        if not node.props:
            return QUOTED[node.kind]
        return f'{{"type":{QUOTED[node.kind]}{self._props(node)}}}'

    def _spelling(self, name: Name, namespace: str | None) -> str:
        """Write a name of the null namespace as ``.Name`` where the bare one means another type."""
        if name.namespace is None and namespace is not None:
            is_taken = f"{namespace}.{name.simple}" in self.written
            return f".{name.simple}" if is_taken else name.simple
        return name.within(namespace)

    def _definition(self, node: Named, namespace: str | None) -> Iterator[Piece]:
        is_error = isinstance(node, Record) and node.is_error and not self.style.tidies
        kind = '"error"' if is_error else QUOTED[node.kind]
        yield f'{{"type":{kind}{self._heading(node, namespace)}'
        match node:
            case Record():
                yield ',"fields":['
                yield from self._fields(node)
                yield "]"
            case Enum():
                yield f',"symbols":[{",".join(map(quote, node.symbols))}]'
                if node.default is not None:
                    yield f',"default":{quote(node.default)}'
            case _:
                yield f',"size":{node.size}'
        yield self._props(node)
        yield self._aliases([alias.within(node.name.namespace) for alias in self._ordered(node)])
        yield "}"

    def _heading(self, node: Named, namespace: str | None) -> str:
        parts = [f',"name":{quote(node.name.simple)}']
        if node.name.namespace != namespace:
            parts.append(f',"namespace":{quote(node.name.namespace or "")}')
        if node.doc or (node.doc is not None and not self.style.tidies):
            parts.append(f',"doc":{quote(node.doc)}')
        return "".join(parts)

    def _fields(self, node: Record) -> Iterator[Piece]:
        for position, field in enumerate(node.fields):
            comma = "," if position else ""
            yield f'{comma}{{"name":{quote(field.name)},"type":'
            yield self._inner(field.type, node.name.namespace)
            yield f"{self._field_members(field)}}}"

    def _field_members(self, field: Field) -> str:
        text = "" if field.doc is None else f',"doc":{quote(field.doc)}'
        if field.has_default:
            text += f',"default":{write(field.default, sort=self.style.sorts)}'
        if field.order is not Order.ASCENDING:
            text += f',"order":{quote(field.order)}'
        if field.aliases:
            text += self._aliases(sorted(field.aliases) if self.style.sorts else field.aliases)
        return text + self._members(field.props) if field.props else text

    def _ordered(self, node: Named) -> Iterable[Name]:
        if not self.style.sorts:
            return node.aliases
        return sorted(node.aliases, key=lambda alias: alias.full)

    def _aliases(self, aliases: Iterable[str]) -> str:
        texts = ",".join(map(quote, aliases))
        return f',"aliases":[{texts}]' if texts else ""

    def _props(self, node: Primitive | Array | Map | Named) -> str:
        if not node.props:
            return ""
        return self._meaning(node) if self.style.tidies else self._members(node.props)

    def _meaning(self, node: Primitive | Array | Map | Named) -> str:
        """Put what the logical type means first; a scale of zero says nothing and is left out."""
        meaning = logical_type(node)
        if meaning is None:
            return self._members(node.props)
        first = f',"logicalType":{quote(meaning.name)}'
        said = {"logicalType"}
        if meaning.precision is not None:
            first += f',"precision":{meaning.precision}'
            first += f',"scale":{meaning.scale}' if meaning.scale else ""
            said |= {"precision", "scale"}
        return first + self._members({k: v for k, v in node.props.items() if k not in said})

    def _members(self, props: Props) -> str:
        keys = sorted(props) if self.style.sorts else props
        return "".join(f",{quote(key)}:{write(props[key], sort=self.style.sorts)}" for key in keys)
