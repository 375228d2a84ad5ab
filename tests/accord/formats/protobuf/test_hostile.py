"""Input that means harm: each is refused with a sentence or handled, and the compiler lives on.

The rows are those of the table in docs/reference/protobuf.md, at their real sizes.
"""

from __future__ import annotations

import time

import pytest

from accord.errors import AccordError, InvalidSchema, SchemaTooLarge
from accord.formats import DEFAULT_LIMITS, Limits
from accord.formats.protobuf.service import OwnCompiler
from tests.accord.protobuf_texts import COMPILER, protobuf

ROOMY = Limits(text_bytes=4_000_000)
SAFETY_SECONDS = 240
HEAD = 'syntax = "proto2"; '
KNOWN_OPTION = (
    'import "google/protobuf/descriptor.proto"; message T { optional T t = 1; }'
    " extend google.protobuf.FileOptions { optional T x = 50000; } option (x) = "
)


def literal(depth: int) -> str:
    return HEAD + KNOWN_OPTION + "{t:" * depth + "}" * depth + ";"


def nested(depth: int) -> str:
    return HEAD + "message M {" * depth + "}" * depth


def reserved(count: int) -> str:
    return HEAD + "message M { reserved " + ", ".join(str(2 * one + 1) for one in range(count)) + "; }"


def lines(count: int, line: str, head: str) -> str:
    return HEAD + head + "".join(line.format(n=n, m=n + 20_000) for n in range(count)) + "}"


# name: text, limits, words of the refusal
REFUSED = {
    "an option nested 100 deep": (literal(100), DEFAULT_LIMITS, "more than 64 brackets"),
    "an option nested 8,000 deep": (literal(8_000), DEFAULT_LIMITS, "more than 64 brackets"),
    "4,000 nested messages": (nested(4_000), DEFAULT_LIMITS, "more than 64 brackets"),
    "nested extend blocks with groups": (
        HEAD + "message M { extend M { optional group G = 1 {" * 5_000,
        DEFAULT_LIMITS,
        "more than 64 brackets",
    ),
    "200,000 reserved numbers": (reserved(200_000), ROOMY, "more than 4000 reserved"),
    "4,001 reserved numbers": (reserved(4_001), DEFAULT_LIMITS, "more than 4000 reserved"),
    "60 nested messages": (nested(60), DEFAULT_LIMITS, "Reached maximum recursion limit for nested messages"),
    "a text above the limit": (
        lines(100_000, "V{n} = {n};", "enum E {"),
        DEFAULT_LIMITS,
        "more than 1048576",
    ),
    "a number of a million digits": (
        HEAD + f"message M {{ reserved {'9' * 1_000_000}; }}",
        ROOMY,
        "whole number",
    ),
    "open comments": (HEAD + "/* " * 100_000, ROOMY, "The comment is not closed"),
    "open strings": (HEAD + "'" * 99_999, ROOMY, "string is not closed"),
    "half an escape": (HEAD + "option a = '" + "\\" * 500_001 + "'", ROOMY, "string is not closed"),
    "a path that leads away": (HEAD + 'import "../../../etc/passwd";', DEFAULT_LIMITS, "etc/passwd"),
    "a long package": (HEAD + "package " + ".".join("a" * 20_000) + ";", DEFAULT_LIMITS, "name is too long"),
    "a device": (HEAD + 'import "/dev/zero";', DEFAULT_LIMITS, "was not found"),
}
HANDLED = {
    "4,000 reserved numbers": reserved(4_000),
    "an enum of 100,000 values": lines(100_000, "V{n} = {n};", "enum E {"),
    "a message of 50,000 fields": lines(50_000, "optional int32 f{n} = {m};", "message M {"),
    "a chain of 20,000 messages": lines(20_000, "message C{n} {{ optional C{n} c = 1; }}", "message M {"),
    "a long name": HEAD + f"message {'M' * 1_000} {{}}",
}


@pytest.mark.parametrize("name", REFUSED)
def test_harm_is_refused_with_a_sentence(name: str) -> None:
    text, limits, words = REFUSED[name]
    COMPILER.start()
    before, begun = COMPILER.pid, time.monotonic()
    with pytest.raises(AccordError, match=words) as caught:
        protobuf(text, limits=limits)
    assert isinstance(caught.value, (InvalidSchema, SchemaTooLarge))
    assert len(str(caught.value)) < 12_000
    assert time.monotonic() - begun < SAFETY_SECONDS
    assert COMPILER.pid == before


@pytest.mark.parametrize("name", HANDLED)
def test_what_is_merely_much_is_handled(name: str) -> None:
    COMPILER.start()
    before, begun = COMPILER.pid, time.monotonic()
    protobuf(HANDLED[name], limits=ROOMY)
    assert time.monotonic() - begun < SAFETY_SECONDS
    assert COMPILER.pid == before


def test_a_compiler_that_runs_is_not_started_again() -> None:
    own = OwnCompiler()
    own.start()
    first = own.pid
    own.start()
    assert own.pid == first
    own.close()
