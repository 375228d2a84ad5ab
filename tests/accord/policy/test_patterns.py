from __future__ import annotations

import time

from accord.policy.patterns import is_match, match_price, pattern_flaw


def test_a_pattern_matches_the_whole_text() -> None:
    assert is_match("[a-zü]+", "grün")
    assert not is_match("[a-z]+", "a1")
    assert not is_match("a", "a\n")


def test_what_backtracks_elsewhere_is_linear_here() -> None:
    started = time.monotonic()
    assert pattern_flaw("(a+)+b") is None
    assert not is_match("(a+)+b", "a" * 100_000)
    assert time.monotonic() - started < 20


def test_the_price_of_a_match_grows_with_program_and_text() -> None:
    assert match_price("[a-z]+", "a" * 20) < 500
    assert match_price("(x{1,100}){1,9}y", "x" * 1_000) > 1_000_000


def test_what_is_no_pattern_is_refused() -> None:
    assert "invalid escape sequence" in str(pattern_flaw("(a)\\1"))
    assert "invalid repetition size" in str(pattern_flaw("((a{100}){100}){100}"))
    assert "longer than 300" in str(pattern_flaw("a" * 301))
