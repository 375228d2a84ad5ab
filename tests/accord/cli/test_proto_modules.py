"""Protobuf files compiled together: what is said where the compiler says nothing of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.cli.proto_modules import compiled_module
from accord.formats.protobuf import service
from accord.formats.protobuf.diagnostics import Diagnostic
from accord.formats.protobuf.exchange import Outcome, Status
from tests.accord.formats.protobuf.test_compiler import DEADLY
from tests.accord.protobuf_texts import COMPILER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord.formats.protobuf.exchange import Job

TEXTS = {"a.proto": "", "b.proto": ""}


class Answering:
    """A compiler that gives one answer to every job."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def compile(self, _job: Job) -> Outcome:
        return self.outcome


@pytest.fixture(autouse=True)
def _own_compiler() -> Iterator[None]:
    yield
    service.use(COMPILER)


def problems(outcome: Outcome) -> dict[str, str]:
    service.use(Answering(outcome))
    module, found = compiled_module(TEXTS)
    assert module is None
    return dict(found)


def test_a_compiler_that_died_says_why_at_the_first_file() -> None:
    found = problems(Outcome(Status.DIED, reason="it took more than 10 seconds"))
    assert found == {"a.proto": "the compiler refused the files: it took more than 10 seconds"}


def test_warnings_are_no_problem_of_a_file() -> None:
    warning = Diagnostic("b.proto", 1, 1, "Import x.proto is unused.", is_warning=True)
    found = problems(Outcome(Status.DIED, (warning,), reason="killed"))
    assert list(found) == ["a.proto"]


def test_errors_of_files_nobody_gave_are_told_at_the_first() -> None:
    said = (Diagnostic("b.proto", 2, 1, "Two."), Diagnostic("c.proto", 1, 1, "Three."))
    found = problems(Outcome(Status.REFUSED, said))
    assert found.keys() == {"a.proto", "b.proto"}
    assert found["a.proto"] == "c.proto, line 1, column 1: Three."


def test_a_file_that_is_missing_is_named_once_where_it_is_imported() -> None:
    service.use(COMPILER)
    module, found = compiled_module({"t/a.proto": "", "t/b.proto": '\nimport "nope.proto";'})
    assert module is None
    assert found == {"t/b.proto": 'line 2, column 1: Import "nope.proto" was not found or had errors.'}


def test_of_a_whole_module_the_file_that_kills_the_compiler_is_named() -> None:
    service.use(COMPILER)
    texts = {"a.proto": 'syntax = "proto3"; message A {}', "b.proto": DEADLY["a.proto"], "c.proto": ""}
    module, found = compiled_module(texts)
    assert module is None
    assert list(found) == ["b.proto"]
    assert "more than 64 brackets are open" in found["b.proto"]
    assert compiled_module({"a.proto": texts["a.proto"]})[0] is not None
