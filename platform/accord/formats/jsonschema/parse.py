"""JSON Schema text to typed nodes: drafts 4, 6 and 7 by one loader, 2019-09 and 2020-12 by the other.

The root's ``$schema`` chooses the loader for everything, as in Confluent. What nothing leads to, such
as an unused definition, is not looked at. Every reference must lead somewhere within the text or within
what references supply; no connection is ever opened.

Inner schemas are asked for by the loaders (they are generators) and made on an explicit stack, and
references are resolved from a list, so no chain of either is too long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from accord.formats import jsontext
from accord.formats.jsonschema import classic, modern
from accord.formats.jsonschema.addresses import Addresses
from accord.formats.jsonschema.cursor import Document, refusal, too_large
from accord.formats.jsonschema.drafts import draft_of
from accord.formats.jsonschema.model import Kind, Plain, Ref, seen_through
from accord.formats.jsonschema.workshop import Workshop
from accord.formats.places import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.jsonschema.addresses import Spot
    from accord.formats.jsonschema.cursor import Cursor
    from accord.formats.jsonschema.members import Build
    from accord.formats.jsonschema.model import Node, Schema
    from accord.formats.limits import Limits


def read_document(text: str, *, name: str = "", strict: bool, limits: Limits) -> Document:
    """Return the JSON of a schema text; ``name`` is the reference that brought it, if one did.

    Raises `accord.errors.InvalidSchema` or `accord.errors.SchemaTooLarge`, naming the place.
    """
    _check_size(text, name, limits)
    try:
        value = jsontext.read(text, depth=limits.depth, unique=strict, exact=True)
    except jsontext.JsonError as error:
        raise_ = too_large if error.flaw.is_size else refusal
        raise raise_(error.flaw.pointer, error.flaw.sentence, document=name) from None
    if not isinstance(value, dict | bool):
        raise refusal("", "A schema must be an object, true or false; write one of them", document=name)
    return Document(name, value)


def parse_document(root: Document, *, known: Mapping[str, Document], limits: Limits) -> Schema:
    """Return the root node of a document; ``known`` are the documents it may refer to, by name.

    Raises `accord.errors.InvalidSchema` or `accord.errors.SchemaTooLarge`, naming the place.
    """
    return _Loader(Addresses(root, known, draft_of(root.value)), limits).parse()


def _check_size(text: str, name: str, limits: Limits) -> None:
    try:
        size = len(text) if len(text) > limits.text_bytes else len(text.encode())
    except UnicodeEncodeError as error:
        sentence = f"Character {error.start} is one half of a surrogate pair; write the whole one"
        raise refusal("", sentence, document=name) from None
    if size > limits.text_bytes:
        limit = f"The text has more than {limits.text_bytes} bytes"
        raise too_large("", f"{limit}; split it into schemas that refer to each other", document=name)
    if "\0" in text:
        raise refusal("", f"Character {text.index(chr(0))} is a NUL character; remove it", document=name)


class _Loader:
    """One schema being made.

    What references lead to is made apart from the tree they stand in, once for all of them, by the JSON it
    stands for: so a schema that refers to its own root meets itself at the second turn, as in Confluent.
    """

    def __init__(self, addresses: Addresses, limits: Limits) -> None:
        self.addresses = addresses
        self.limits = limits
        self.workshop = Workshop(addresses.draft)
        self.build = modern.build if addresses.draft.is_modern else classic.build
        self.targets: dict[int, Node] = {}
        self.count = 0

    def parse(self) -> Schema:
        root = self._make(self.addresses.root)
        leads: dict[Ref, tuple[Node, Cursor]] = {}
        waiting = self.workshop.waiting
        while waiting:
            ref, cursor = waiting.pop()
            leads[ref] = (self._target(ref, cursor), cursor)
        _complete(leads)
        return seen_through(root)

    def _target(self, ref: Ref, cursor: Cursor) -> Node:
        found = self.addresses.find(ref.text, cursor)
        if found is None:
            raise cursor.refusal(
                f"The reference {shown(ref.text)} leads nowhere; correct it, or add a reference"
                " to the schema it means (nothing is fetched from the network)"
            )
        key = id(found.value)
        if key not in self.targets:
            self.targets[key] = self._make(found)
        return self.targets[key]

    def _make(self, spot: Spot) -> Node:
        stack = [self._begin(spot)]
        answer: Node | None = None
        while stack:
            try:
                asked = stack[-1].send(answer)  # type: ignore[arg-type]  # one not begun takes None only
            except StopIteration as end:
                stack.pop()
                answer = end.value
            else:
                stack.append(self._begin(asked))
                answer = None
        return cast("Node", answer)

    def _begin(self, spot: Spot) -> Build:
        self.count += 1
        if self.count > self.limits.nodes:
            raise spot.cursor.too_large(f"The schema has more than {self.limits.nodes} schemas; split it")
        if not isinstance(spot.value, dict):
            return _boolean(is_true=bool(spot.value))
        cursor = self.addresses.entered(spot.value, spot.cursor)
        return self.build(spot.value, cursor, self.workshop)


def _boolean(*, is_true: bool) -> Build:
    yield from ()
    return Plain(Kind.TRUE if is_true else Kind.FALSE)


def _complete(leads: Mapping[Ref, tuple[Node, Cursor]]) -> None:
    """Let every reference lead to a schema; one may lead to another, but never back to itself."""
    for first, (_, cursor) in leads.items():
        chain: dict[Ref, None] = {}
        node: Node = first
        while isinstance(node, Ref) and node.target is None:
            if node in chain:
                raise cursor.refusal(
                    f"The reference {shown(node.text)} leads back to itself; let it lead to a schema"
                )
            chain[node] = None
            node = leads[node][0]
        for ref in chain:
            ref.complete(seen_through(node))
