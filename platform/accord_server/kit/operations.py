"""What a view of the native API says of each of its methods: what it takes and what it gives.

A view declares, by method: ``rights``, ``bodies``, ``queries``, ``answers`` and ``codes``. The OpenAPI
document is printed from these, and every answer that a test of ours sees is held against it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from accord_server.kit.paging import DEFAULT_BATCH, LARGEST_BATCH

Json = dict[str, Any]

TEXT: Final[Json] = {"type": "string"}
JSON_TYPE: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Query:
    """One parameter of the query: its name, what it is for, and what it may be."""

    name: str
    sentence: str
    schema: Json = field(default_factory=lambda: dict(TEXT))
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a method gives where all is well.

    ``shape`` is a type (`kit.shapes`), or None where there is no body. ``status`` is the usual one,
    ``others`` those with the same body. ``is_tagged``: the header ETag names the version that is shown.
    ``media_types`` are those besides JSON, whose bodies have no shape.
    """

    shape: Any = None
    status: int = 200
    others: tuple[int, ...] = ()
    is_tagged: bool = False
    is_list: bool = False
    is_created: bool = False
    media_types: tuple[str, ...] = ()


NOTHING: Final = Reply(status=204)


def single(shape: Any, *media_types: str) -> Reply:  # noqa: ANN401  # types have no common type
    """Give one thing."""
    return Reply(shape, media_types=media_types)


def tagged(shape: Any, *media_types: str) -> Reply:  # noqa: ANN401  # as above
    """Give one thing with its ETag."""
    return Reply(shape, is_tagged=True, media_types=media_types)


def listed(shape: Any) -> Reply:  # noqa: ANN401  # as above
    """Give a part of a list, ``limit`` things after ``cursor``."""
    return Reply(shape, is_list=True)


def made(shape: Any, *others: int, is_tagged: bool = False, status: int = 201) -> Reply:  # noqa: ANN401  # as above
    """Give what was made, and where it is."""
    return Reply(shape, status, others, is_tagged=is_tagged, is_created=True)


def streamed(*media_types: str, others: tuple[int, ...] = ()) -> Reply:
    """Give bytes, as many as there are."""
    return Reply(others=others, media_types=media_types)


def flag(name: str, sentence: str) -> Query:
    """Take a yes or a no."""
    return Query(name, sentence, {"enum": ["true", "false"], "default": "false"})


def choice(name: str, sentence: str, *words: str) -> Query:
    """Take one of some words."""
    return Query(name, sentence, {"enum": [*words]})


WORDS: Final = Query("q", "Only those whose name holds this, in capitals or not.")
PAGING: Final = (
    Query(
        "limit",
        "How many at most.",
        {"type": "integer", "minimum": 1, "maximum": LARGEST_BATCH, "default": DEFAULT_BATCH},
    ),
    Query("cursor", "Where to go on: `next` of the part before; nothing for the beginning."),
)
