"""How fields of Avro and properties of JSON Schema are spelled."""

from __future__ import annotations

from accord.lint.profile import FieldCase
from accord.lint.spelling import camel_case, snake_case


def in_case(name: str, wanted: FieldCase) -> tuple[str, ...]:
    """Return the spellings of a name that are allowed; the one to suggest comes first."""
    snake, camel = snake_case(name), camel_case(name)
    match wanted:
        case FieldCase.SNAKE:
            return (snake,)
        case FieldCase.CAMEL:
            return (camel,)
    return (camel, snake) if "_" not in name else (snake, camel)
