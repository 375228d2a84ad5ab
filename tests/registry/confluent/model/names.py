"""Names of subjects and of contexts, for the model (2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT: Final = "."
GLOBAL: Final = ".__GLOBAL"


def split(subject: str) -> tuple[str, str]:
    """Return context and name."""
    if subject.startswith(":."):
        context, _, name = subject[1:].partition(":")
        return context, name
    return DEFAULT, subject


def join(context: str, name: str) -> str:
    """Return the one spelling of a subject."""
    return name if context == DEFAULT else f":{context}:{name}"


def within(subject: str, name: str) -> str:
    """Return the subject that something in ``subject`` means by a name: a reference, or an alias (2.12)."""
    return join(*split(name)) if name.startswith(":.") else join(split(subject)[0], name)


def beside(subject: str, target: str) -> str:
    """Return how a reference to a subject is stored: bare within the context, qualified otherwise."""
    context, name = split(target)
    return name if context == split(subject)[0] else f":{context}:{name}"


def begins(subject: str, prefix: str) -> bool:
    """Tell whether a list by prefix has a subject (1.5, 1.10)."""
    if prefix.startswith(":*:"):
        return split(subject)[1].startswith(prefix[3:])
    (context, name), (wanted, beginning) = split(subject), split(prefix)
    return context == wanted and name.startswith(beginning)


def inherited(place: str) -> Iterator[str]:
    """Yield the places whose settings hold for a place, nearest first (2.5, 2.6)."""
    context, name = split(place)
    if name:
        yield place
    yield join(context, "")
    yield join(GLOBAL, "")


def is_top(place: str) -> bool:
    """Tell whether settings of a place always have an answer (1.14)."""
    return place in {"", join(GLOBAL, "")}
