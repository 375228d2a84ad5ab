"""Bodies of requests as JSON objects, whatever is sent in their place, and what dialects share of them."""

from __future__ import annotations

import json
from typing import Any, Final
from unicodedata import category

from accord.errors import InvalidReference
from accord_server.kit.error_tables import HttpError

# Control characters and halves of characters.
UNFIT: Final = frozenset({"Cc", "Cs"})
LONGEST_SHOWN: Final = 100


def read_object(body: bytes) -> dict[str, Any]:
    """Read a JSON object and refuse the rest by name of what is wrong and where.

    Raises:
        HttpError: 400 or 422.
    """
    if not body.strip():
        raise HttpError(422, "The request body must not be null (was empty)")
    value = _decode(body)
    if value is None:
        raise HttpError(422, "The request body must not be null (was null)")
    if not isinstance(value, dict):
        raise HttpError(400, f"The request body must be a JSON object, not {_kind(value)}")
    return value


def _decode(body: bytes) -> object:
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise HttpError(400, f"The request body is not valid UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno} column {error.colno}"
        raise HttpError(400, f"The request body is not JSON: {error.msg} at {place}") from None
    except RecursionError:
        raise HttpError(400, "The request body nests too deep to be read") from None
    except ValueError:
        raise HttpError(400, "The request body has a number with too many digits to be read") from None


def _refuse_constant(name: str) -> None:
    raise HttpError(400, f"The request body is not JSON: {name} is not a JSON number")


def _kind(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names[type(value)]


def storable(text: str, place: str) -> str:
    """Return a name in a reference as it is.

    Raises:
        InvalidReference: No subject and no type can have it, and no database text can hold it.
    """
    if any(category(one) in UNFIT for one in text):
        raise InvalidReference(f"{place} holds a control character or half a character: {shown(text)}")
    return text


def shown(text: str) -> str:
    """Return a text from outside, short and printable enough for a message."""
    return ascii(text[:LONGEST_SHOWN])[1:-1]
