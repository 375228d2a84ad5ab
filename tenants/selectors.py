"""Subject selectors as people write them, and what two of them have in common.

``orders`` one subject · ``orders-*`` a prefix · ``topic:orders`` the topic's three names · ``*`` every
subject of every context. ``:.ctx:`` in front moves any form into a context; without it the default
context is meant. Free regular expressions are not offered: they match more than their authors think.
"""

from __future__ import annotations

from typing import Final
from unicodedata import category

from accord.model import DEFAULT_CONTEXT, SubjectName
from accord_server.kit.scope import EVERY_SUBJECT, TOPIC_SUFFIXES, SelectorKind, SubjectSelector

MAX_SELECTOR_LENGTH: Final = 1024
_UNFIT: Final = frozenset({"Cc", "Cs"})  # control characters and lone surrogates
_TOPIC: Final = "topic:"
_STAR: Final = "*"
_CONTEXT: Final = ":."


def parse_selector(text: str) -> SubjectSelector | None:
    """Read a selector; None when it is empty, too long or holds a control character."""
    if len(text) > MAX_SELECTOR_LENGTH or any(category(letter) in _UNFIT for letter in text):
        return None
    if text == _STAR:
        return EVERY_SUBJECT
    context, rest = _split_context(text)
    return _parse_rest(rest, context) if rest else None


def render_selector(selector: SubjectSelector) -> str:
    """Write a selector so that `parse_selector` reads it back."""
    context = f":{selector.context}:" if _needs_context(selector) else ""
    match selector.kind:
        case SelectorKind.ALL:
            return _STAR if selector.context is None else f":{selector.context}:*"
        case SelectorKind.LITERAL:
            return context + selector.value
        case SelectorKind.PREFIX:
            return f"{context}{selector.value}*"
        case SelectorKind.TOPIC:
            return f"{context}{_TOPIC}{selector.value}"


def common(left: SubjectSelector, right: SubjectSelector) -> tuple[SubjectSelector, ...]:
    """Return selectors that cover exactly what both cover."""
    for one, other in ((left, right), (right, left)):
        if _contains(one, other):
            return (other,)
    for one, other in ((left, right), (right, left)):
        if one.kind is SelectorKind.TOPIC:
            return tuple(name for name in _names_of(one) if _contains(other, name))
    return ()


def _needs_context(selector: SubjectSelector) -> bool:
    return selector.context != DEFAULT_CONTEXT or selector.value.startswith(_CONTEXT)


def _split_context(text: str) -> tuple[str, str]:
    if not text.startswith(_CONTEXT):
        return DEFAULT_CONTEXT, text
    context, _, rest = text[1:].partition(":")
    return context, rest


def _parse_rest(rest: str, context: str) -> SubjectSelector | None:
    if rest == _STAR:
        return SubjectSelector(SelectorKind.ALL, context=context)
    if rest.startswith(_TOPIC):
        topic = rest.removeprefix(_TOPIC)
        valid = bool(topic) and not topic.endswith(_STAR)
        return SubjectSelector(SelectorKind.TOPIC, topic, context) if valid else None
    if rest.endswith(_STAR):
        return SubjectSelector(SelectorKind.PREFIX, rest[:-1], context)
    return SubjectSelector(SelectorKind.LITERAL, rest, context)


def _contains(one: SubjectSelector, other: SubjectSelector) -> bool:
    """Tell whether the one surely covers all that the other covers; a topic is three names."""
    if one.context is not None and one.context != other.context:
        return False
    match other.kind:
        case SelectorKind.ALL:
            return one.kind is SelectorKind.ALL
        case SelectorKind.PREFIX:
            return one.kind is SelectorKind.ALL or (
                one.kind is SelectorKind.PREFIX and other.value.startswith(one.value)
            )
        case SelectorKind.LITERAL:
            return one.covers(SubjectName(other.value, other.context or DEFAULT_CONTEXT))
        case SelectorKind.TOPIC:
            return all(_contains(one, name) for name in _names_of(other))


def _names_of(topic: SubjectSelector) -> tuple[SubjectSelector, ...]:
    return tuple(
        SubjectSelector(SelectorKind.LITERAL, topic.value + suffix, topic.context)
        for suffix in TOPIC_SUFFIXES
    )
