"""What a schema may cost: every bound that hostile input could push against, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds on one schema text and on what it refers to.

    ``text_bytes`` is the UTF-8 size of the text, ``depth`` the number of JSON brackets that may be
    open at once (a nullable record costs four), ``nodes`` the types written in the text, ``fields``
    the fields of all its records together, ``name_length`` the characters of one name.
    ``references`` counts referenced schemas including those they refer to, ``reference_depth`` the
    links from one to the next, ``reference_bytes`` the UTF-8 size of all of them together.
    ``default_steps`` bounds the comparisons of default values with types.

    For Protobuf, ``brackets`` is the number of brackets that may be open at once in a text (protoc dies of
    about a hundred), ``ranges`` the reserved or extension ranges and names of one declaration,
    ``all_ranges`` those of a whole text (protoc takes time in the square of them). ``descriptor_bytes``
    is the size of what comes compiled, with all it imports.
    """

    text_bytes: int = 1_048_576
    depth: int = 160
    nodes: int = 100_000
    fields: int = 20_000
    name_length: int = 1_000
    references: int = 500
    reference_depth: int = 32
    reference_bytes: int = 4_194_304
    default_steps: int = 500_000
    brackets: int = 64
    ranges: int = 4_000
    all_ranges: int = 20_000
    descriptor_bytes: int = 16_777_216


DEFAULT_LIMITS = Limits()
