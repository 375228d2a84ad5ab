"""What people say of things: names, labels and properties, with the limits of each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tenants.errors import InvalidDetail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LONGEST_NAME: Final = 200
LONGEST_DESCRIPTION: Final = 4096
MOST_LABELS: Final = 50
MOST_PROPERTIES: Final = 50
LONGEST_VALUE: Final = 1000
LABEL: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,62}")
LABEL_FORM: Final = "1 to 63 letters, digits and characters of ._/-, the first a letter or digit"


def checked_name(name: str) -> str:
    """Return the name of a thing.

    Raises:
        InvalidDetail: It is empty or too long.
    """
    if not 0 < len(name.strip()) <= LONGEST_NAME:
        raise InvalidDetail("/name", f"a name has 1 to {LONGEST_NAME} characters")
    return name.strip()


def checked_description(text: str) -> str:
    """Return a description.

    Raises:
        InvalidDetail: It is too long.
    """
    if len(text) > LONGEST_DESCRIPTION:
        raise InvalidDetail("/description", f"a description has at most {LONGEST_DESCRIPTION} characters")
    return text


def checked_labels(labels: Sequence[str]) -> list[str]:
    """Return the labels, each once, in order of the alphabet.

    Raises:
        InvalidDetail: Naming the first that is none.
    """
    if len(labels) > MOST_LABELS:
        raise InvalidDetail("/labels", f"there are at most {MOST_LABELS} labels")
    for index, label in enumerate(labels):
        if LABEL.fullmatch(label) is None:
            raise InvalidDetail(f"/labels/{index}", f"a label has {LABEL_FORM}")
    return sorted(set(labels))


def checked_properties(properties: Mapping[str, str]) -> dict[str, str]:
    """Return the properties.

    Raises:
        InvalidDetail: Naming the first that is none.
    """
    if len(properties) > MOST_PROPERTIES:
        raise InvalidDetail("/properties", f"there are at most {MOST_PROPERTIES} properties")
    for key, value in properties.items():
        if LABEL.fullmatch(key) is None:
            raise InvalidDetail("/properties", f"a key has {LABEL_FORM}")
        if len(value) > LONGEST_VALUE:
            raise InvalidDetail(f"/properties/{key}", f"a value has at most {LONGEST_VALUE} characters")
    return dict(properties)
