"""Which tests cover which routes, parameters and codes of the dialect: what they were seen to call.

While the tests of this folder run, their calls are noted. The notes are kept in `covered.json`, from which
the manual's page is printed; each test named there is held to what the file says of it whenever it runs.
With ``REWRITE=1`` what it says of the tests that run, in one process, is written anew.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote

from accord_server.kit.error_tables import HttpError
from registry.api.confluent.context_paths import rewritten
from registry.api.confluent.errors import ROWS
from registry.api.confluent.operations import OPERATIONS
from registry.api.confluent.urls import RESOLVER
from tests.registry.client import LISTENERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.registry.client import Answer

FILE: Final = Path(__file__).with_name("covered.json")
REWRITES: Final = os.environ.get("REWRITE") == "1"
HINT: Final = "REWRITE=1 python -m pytest tests/registry/confluent -n 0"
# More tests than this say no more about a fact.
MOST: Final = 3
FAILED: Final = 400
FIVE_DIGITS: Final = 10_000
# What has no other answer than a refusal.
NOTHING_ELSE: Final = (40410,)
# Of HTTP itself.
GENERIC: Final = (400, 404, 405, 406, 415, 422)


def routes() -> list[str]:
    """Method and template of every route."""
    return [f"{method} {template}" for method, template in OPERATIONS]


def parameters() -> list[str]:
    """Every query parameter of every route."""
    return [
        f"{method} {template}?{name}" for (method, template), one in OPERATIONS.items() for name in one.query
    ]


def codes() -> list[str]:
    """Every code that an answer may have."""
    return sorted(
        {str(row.code) for row in ROWS.values() if int(row.code) >= FIVE_DIGITS} | set(map(str, GENERIC))
    )


def covered() -> dict[str, list[str]]:
    """The tests of each fact, as `file::function` or with the parameters of one run."""
    known: dict[str, list[str]] = json.loads(FILE.read_text())
    return known


@contextmanager
def noting(test: str) -> Iterator[None]:
    """Note what a test calls, and hold it to what the file says; or write that."""
    seen: set[str] = set()

    def hear(method: str, path: str, answer: Answer) -> None:
        seen.update(facts(method, path, answer))

    LISTENERS.append(hear)
    try:
        yield
    finally:
        LISTENERS.remove(hear)
    if REWRITES:
        _note(test, seen)
        return
    untrue = [fact for fact, tests in covered().items() if test in tests and fact not in seen]
    assert not untrue, f"{test} does not cover {untrue} any more; if it need not, write anew: {HINT}"


def facts(method: str, path: str, answer: Answer) -> set[str]:
    """What a call shows: the code of a refusal; the route and the parameters of an answer."""
    plain, _, query = path.partition("?")
    code = answer.code if answer.status >= FAILED and answer.body else 0
    try:
        template = RESOLVER.resolve(method, rewritten(unquote(plain) or "/", None).path).template
    except HttpError:
        return {str(code)}
    operation = OPERATIONS.get((method, template))
    if operation is None or (answer.status >= FAILED and operation.codes != NOTHING_ELSE):
        return {str(code)}
    names = parse_qsl(query, keep_blank_values=True)
    return {str(code), f"{method} {template}", *(f"{method} {template}?{name}" for name, _ in names)}


def _note(test: str, seen: set[str]) -> None:
    """Put what a test covers in the place of what the file says of it."""
    known = covered()
    told = {fact: {*known.get(fact, ())} - {test} for fact in (*routes(), *parameters(), *codes())}
    for fact in seen & told.keys():
        told[fact].add(test)
    kept = {fact: sorted(tests, key=_rank)[:MOST] for fact, tests in sorted(told.items()) if tests}
    FILE.write_text(json.dumps(kept, indent=1) + "\n")


def _rank(test: str) -> tuple[bool, bool, str]:
    """The tests of cases first, then those that run once."""
    return "::test_case_" not in test, "[" in test, test
