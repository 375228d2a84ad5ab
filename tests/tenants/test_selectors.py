"""Subject selectors: each form, and what two of them share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.model import SubjectName
from accord_server.kit.scope import EVERY_SUBJECT, SelectorKind, SubjectSelector
from tenants.selectors import common, parse_selector, render_selector

# Few letters, so that drawn selectors and subjects meet often.
NAMES = st.sampled_from(["a", "a-key", "a-value", "a-key-key", "ab", "b", "topic:a", "a*", ""])
CONTEXTS = st.sampled_from([".", ".ctx", ".other"])
SUBJECTS = st.builds(SubjectName, NAMES, CONTEXTS)
PARTS = st.text("ab-*:. topickeyvalue", max_size=12)
TEXTS = st.one_of(
    PARTS,
    st.builds(":{}:{}".format, CONTEXTS, PARTS),
    st.builds("{}{}".format, st.sampled_from(["", ":.ctx:", ":.other:"]), st.sampled_from(
        ["*", "a", "a*", "a-*", "ab*", "topic:a", "topic:a-key", "a-key", "b"]
    )),
)  # fmt: skip
SELECTORS = TEXTS.map(parse_selector).filter(lambda selector: selector is not None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*", EVERY_SUBJECT),
        ("orders", SubjectSelector(SelectorKind.LITERAL, "orders")),
        ("orders-*", SubjectSelector(SelectorKind.PREFIX, "orders-")),
        ("topic:orders", SubjectSelector(SelectorKind.TOPIC, "orders")),
        (":.ctx:*", SubjectSelector(SelectorKind.ALL, context=".ctx")),
        (":.:*", SubjectSelector(SelectorKind.ALL, context=".")),
        (":.ctx:orders-*", SubjectSelector(SelectorKind.PREFIX, "orders-", ".ctx")),
        (":.ctx:topic:orders", SubjectSelector(SelectorKind.TOPIC, "orders", ".ctx")),
        ("a:b/c d", SubjectSelector(SelectorKind.LITERAL, "a:b/c d")),
    ],
)
def test_each_form_is_read(text: str, expected: SubjectSelector) -> None:
    assert parse_selector(text) == expected


@pytest.mark.parametrize(
    "text", ["", ":.ctx:", ":.ctx", "topic:", "topic:a*", "a\nb", "a\x00", "\ud800", "x" * 1025]
)
def test_what_is_no_selector_is_refused(text: str) -> None:
    assert parse_selector(text) is None


@given(SELECTORS)
def test_what_is_written_reads_back(selector: SubjectSelector) -> None:
    assert parse_selector(render_selector(selector)) == selector


@given(SELECTORS, SELECTORS, SUBJECTS)
def test_common_covers_exactly_what_both_cover(
    left: SubjectSelector, right: SubjectSelector, subject: SubjectName
) -> None:
    covered = any(selector.covers(subject) for selector in common(left, right))

    assert covered == (left.covers(subject) and right.covers(subject))


@given(SELECTORS)
def test_a_selector_shares_itself_with_itself_and_with_all(selector: SubjectSelector) -> None:
    assert common(selector, selector) == (selector,)
    assert common(selector, EVERY_SUBJECT) == (selector,)
    assert common(EVERY_SUBJECT, selector) == (selector,)


def test_a_star_is_no_pattern_inside_a_name() -> None:
    selector = parse_selector("pay*")

    assert selector is not None
    assert selector.covers(SubjectName("payroll"))
    assert not selector.covers(SubjectName("pa"))
    assert parse_selector("p*y") == SubjectSelector(SelectorKind.LITERAL, "p*y")


def test_a_bare_prefix_means_the_default_context() -> None:
    selector = parse_selector("orders-*")

    assert selector is not None
    assert not selector.covers(SubjectName("orders-value", ".ctx"))
