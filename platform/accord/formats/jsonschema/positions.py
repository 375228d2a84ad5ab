"""Line, column and pointer of places in the text of a JSON Schema.

The steps that lead to a difference pass through ``$ref`` as if it were not there, and use one word for what
drafts call by several. Here they become the steps of one text, in the words of its draft.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from accord.formats.jsonschema.addresses import MOST_REFERENCES, local_steps
from accord.formats.jsonschema.drafts import draft_of
from accord.formats.places import pointer_token
from accord.formats.positions import Items, Leaf, Members, TextPlaces, pointer_tokens, step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.positions import Position, Spot

# What is compared as a format is said by any of these.
FORMATS: Final = ("format", "contentEncoding", "contentMediaType")
# Words of differences, and what a text of the draft says for them, the likelier first.
CLASSIC: Final[Mapping[str, tuple[str, ...]]] = {
    "dependentRequired": ("dependencies",),
    "dependentSchemas": ("dependencies",),
    "format": FORMATS,
    "prefixItems": ("items",),
}
MODERN: Final[Mapping[str, tuple[str, ...]]] = {
    "additionalItems": ("items",),
    "format": FORMATS,
    # Where contains stands alone, it asks for one.
    "minContains": ("minContains", "contains"),
}
# What comes behind these is a name that people gave.
NAMED: Final = frozenset(
    (
        "$defs",
        "definitions",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "patternProperties",
        "properties",
        "required",
    )
)


class SchemaPlace(NamedTuple):
    """A place in the text, or that of what would hold it; ``pointer`` leads there, the root is empty.

    ``wanted`` leads to what was looked for, which may not be there.
    """

    position: Position
    pointer: str
    wanted: str


class SchemaText:
    """The places of one text, which is read once."""

    def __init__(self, text: str) -> None:
        self.places = TextPlaces(text)
        root = self.places.root
        named = root.members.get("$schema") if isinstance(root, Members) else None
        address = named.text if isinstance(named, Leaf) else None
        self._words = MODERN if draft_of({"$schema": address}).is_modern else CLASSIC
        self._names: dict[int, dict[str, int]] = {}

    def locate(self, path: str) -> SchemaPlace:
        """Return where the steps to a difference lead.

        References to other texts are not followed; the place is then the reference itself.
        """
        spot, way, is_name = self.places.root, list[str](), False
        tokens = [token for token in pointer_tokens(path) if path != "/"]
        for number, token in enumerate(tokens):
            found = self._step(spot, token, is_name=is_name)
            if found is None:
                spot, way = self._meant(spot, way)
                found = self._step(spot, token, is_name=is_name)
            if found is None:
                return self._place(spot, way, self._spoken(token, tokens[number:], is_name=is_name))
            spot = found[0]
            way = [*way, found[1]]
            is_name = not is_name and token in NAMED
        return self._place(spot, way, [])

    def _place(self, spot: Spot, way: list[str], missing: list[str]) -> SchemaPlace:
        return SchemaPlace(self.places.position(spot), _pointer(way), _pointer([*way, *missing]))

    def _spoken(self, token: str, left: list[str], *, is_name: bool) -> list[str]:
        return left if is_name else [self._words.get(token, (token,))[0], *left[1:]]

    def _step(self, spot: Spot, token: str, *, is_name: bool) -> tuple[Spot, str] | None:
        words = (token,) if is_name else self._words.get(token, (token,))
        if is_name and isinstance(spot, Items):
            place = self._listed(spot).get(token)
            words = () if place is None else (str(place),)
        inner = ((step(spot, word), word) for word in words)
        return next(((found, word) for found, word in inner if found is not None), None)

    def _listed(self, spot: Items) -> dict[str, int]:
        """Return the places of names in a list, such as that of what is required."""
        if id(spot) not in self._names:
            names = ((item.text, place) for place, item in enumerate(spot.items) if isinstance(item, Leaf))
            self._names[id(spot)] = {name: place for name, place in names if name is not None}
        return self._names[id(spot)]

    def _meant(self, spot: Spot, way: list[str]) -> tuple[Spot, list[str]]:
        """Return what a schema that refers within its own text stands for."""
        for _ in range(MOST_REFERENCES):
            target = self._target(spot)
            if target is None:
                break
            spot, way = target
        return spot, way

    def _target(self, spot: Spot) -> tuple[Spot, list[str]] | None:
        reference = spot.members.get("$ref") if isinstance(spot, Members) else None
        steps = local_steps(reference.text) if isinstance(reference, Leaf) and reference.text else None
        if steps is None:
            return None
        found: Spot | None = self.places.root
        for token in steps:
            found = None if found is None else step(found, token)
        return None if found is None else (found, steps)


def _pointer(tokens: list[str]) -> str:
    return "".join(f"/{pointer_token(token)}" for token in tokens)
