"""What the REST framework says is wrong with a body, as a flat list of places and sentences."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from rest_framework.exceptions import APIException, UnsupportedMediaType, ValidationError
from rest_framework.settings import api_settings

from accord_server.kit.error_tables import Flaw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Nobody reads on; a body of 5 MB can have as many flaws as it has bytes.
SHOWN: Final = 20
LONGEST_MESSAGE: Final = 200
TYPE_ADVICE: Final = "Send JSON, with the header 'Content-Type: application/json'."


def flaws_of(error: APIException) -> tuple[Flaw, ...]:
    """Return what is wrong with the body, in its order; nothing where it is not about the body."""
    return tuple(islice(_flat(error.detail, ()), SHOWN)) if isinstance(error, ValidationError) else ()


def message_of(error: APIException, flaws: Sequence[Flaw]) -> str:
    """Return the whole in one line, such as ``references/0/version: A valid integer is required``."""
    said = "; ".join(map(_line, flaws)) or str(error.detail)
    return f"{said} {TYPE_ADVICE}" if isinstance(error, UnsupportedMediaType) else said


def pointer_of(flaw: Flaw) -> str:
    """Return the place as a JSON pointer in the form of a URI fragment (RFC 6901)."""
    return "#" + "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in flaw.place)


def _flat(detail: object, place: tuple[str, ...]) -> Iterator[Flaw]:
    if isinstance(detail, dict):
        for name, inner in detail.items():
            is_whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _flat(inner, place if is_whole else (*place, str(name)))
    elif isinstance(detail, list):
        for position, inner in enumerate(detail):
            # Sentences in a list are all about one place; anything else is about an entry of a list.
            yield from _flat(inner, place if isinstance(inner, str) else (*place, str(position)))
    else:
        yield Flaw(place, str(detail)[:LONGEST_MESSAGE], getattr(detail, "code", "invalid"))


def _line(flaw: Flaw) -> str:
    return f"{'/'.join(flaw.place)}: {flaw.message}" if flaw.place else flaw.message
