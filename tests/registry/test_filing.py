"""Compiled files: once per tenant, whoever uses them, and never compiled again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accord.errors import InvalidSchema
from accord.formats.protobuf import service
from accord.formats.protobuf.filing import filed, set_digest
from accord.model import Format, Reference, SchemaText, SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.errors import PurgedMeanwhile
from registry.models import Schema
from registry.queries.proto_files import descriptors_of, set_outlines, stored_sets
from registry.records import CheckCandidate, LookUpVersion, RegisterVersion
from registry.services.filing import NewSet, store_set, store_sets
from tests.accord.protobuf_texts import COMPILER, compiled
from tests.registry.forgetting import forget_everything
from tests.registry.imports.bringing import Bringer, line, uses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from accord.formats.protobuf.exchange import Job, Outcome
    from accord.formats.protobuf.filing import FiledFile
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

PART = 'syntax = "proto3"; import "google/protobuf/any.proto"; message Part { google.protobuf.Any a = 1; }'
WHOLE = 'syntax = "proto3"; import "part.proto"; message Whole { Part p = 1; %s }'
REFERENCES = (Reference("part.proto", "part", 1),)


@dataclass
class CountingCompiler:
    """A compiler that notes what it was asked."""

    jobs: list[Job] = field(default_factory=list)

    def compile(self, job: Job) -> Outcome:
        """Compile, and take note."""
        self.jobs.append(job)
        return COMPILER.compile(job)


@pytest.fixture(autouse=True)
def compiler() -> Iterator[CountingCompiler]:
    counting = CountingCompiler()
    service.use(counting)
    yield counting
    service.use(COMPILER)


def text_of(text: str, references: tuple[Reference, ...] = ()) -> SchemaText:
    return SchemaText(Format.PROTOBUF, text, references)


def register(scope: Scope, subject: str, text: str, references: tuple[Reference, ...] = ()) -> None:
    services.register_version(scope, RegisterVersion(SubjectName(subject), text_of(text, references)))


def count(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM registry_{table}")  # noqa: S608  # a table of ours
        return int(cursor.fetchone()[0])


def many(number: int) -> list[FiledFile]:
    texts = {f"f{one}.proto": f'syntax = "proto3"; message M{one} {{}}' for one in range(number)}
    return [filed(one) for one in compiled(texts)]


def test_what_schemas_share_is_stored_once(scope: Scope) -> None:
    register(scope, "part", PART)
    register(scope, "whole", WHOLE % "", REFERENCES)
    register(scope, "whole", WHOLE % "string s = 2;", REFERENCES)
    # Any, the part by itself, the part as it is imported, and both of the whole.
    assert (count("protofile"), count("descriptorset"), count("descriptorsetentry")) == (5, 3, 8)


def test_tenants_share_nothing(scope: Scope, mallory: Actor, scope_for: ScopeFor) -> None:
    register(scope, "part", PART)
    other = scope_for(mallory)
    assert (count("protofile"), count("descriptorset")) == (0, 0)
    register(other, "part", PART)
    assert (count("protofile"), count("descriptorset")) == (2, 1)


def test_what_was_registered_is_not_compiled_again(scope: Scope, compiler: CountingCompiler) -> None:
    register(scope, "part", PART)
    for number in range(2, 5):
        register(scope, "whole", WHOLE % f"string s{number} = {number};", REFERENCES)
    services.change_config(scope, SubjectName("whole"), {"compatibilityLevel": "BACKWARD_TRANSITIVE"})
    forget_everything()
    compiler.jobs.clear()
    checked = CheckCandidate(SubjectName("whole"), text_of(WHOLE % "", REFERENCES))
    outcome = services.check_compatibility(scope, checked)
    assert {one.version for one in outcome.verdict.comparisons} == {1, 2, 3}
    # What the candidate refers to, and itself.
    assert len(compiler.jobs) == 2
    services.lint_version(scope, SubjectName("whole"), 3, text="")
    assert len(compiler.jobs) == 2


def test_what_is_registered_again_is_not_compiled_again(scope: Scope, compiler: CountingCompiler) -> None:
    register(scope, "part", PART)
    register(scope, "whole", WHOLE % "", REFERENCES)
    forget_everything()
    compiler.jobs.clear()
    spelled = PART.replace("message", "// again\nmessage")
    register(scope, "part", spelled)
    register(scope, "other", WHOLE % "", REFERENCES)
    assert compiler.jobs == []
    assert count("descriptorset") == 2
    forget_everything()
    found = services.look_up_version(scope, LookUpVersion(SubjectName("part"), text_of(spelled)))
    assert (found.number, compiler.jobs) == (1, [])


def test_the_same_text_with_other_references_is_another_schema(
    scope: Scope, compiler: CountingCompiler
) -> None:
    register(scope, "part", PART)
    register(scope, "part", PART.replace("a = 1;", "a = 1; string more = 2;"))
    register(scope, "whole", WHOLE % "", REFERENCES)
    compiler.jobs.clear()
    register(scope, "other", WHOLE % "", (Reference("part.proto", "part", 2),))
    assert compiler.jobs
    broken = text_of("message", REFERENCES)
    with pytest.raises(InvalidSchema):
        services.register_version(scope, RegisterVersion(SubjectName("other"), broken))


def test_what_was_compiled_and_what_is_restored_is_the_same(scope: Scope) -> None:
    unused = 'syntax = "proto3"; import "part.proto"; message M { string s = 1; }'
    register(scope, "part", PART)
    register(scope, "unused", unused, REFERENCES)
    found = []
    for _ in range(2):
        linted = services.lint_version(scope, SubjectName("unused"), 1, text=unused)
        found.append([one.rule for one in linted.found.own])
        forget_everything()
    assert found[0] == found[1]
    assert "IMPORT_USED" in found[0]


def test_the_number_of_statements_does_not_depend_on_the_number_of_files(scope: Scope) -> None:
    def statements(number: int) -> int:
        files = many(number)
        with CaptureQueriesContext(connection) as captured:
            store_set(scope, files)
        return len(captured)

    assert statements(2) == statements(40) <= 6


def test_a_set_that_is_there_costs_one_statement_and_no_file(scope: Scope) -> None:
    files = many(3)
    key = store_set(scope, files)
    with CaptureQueriesContext(connection) as captured:
        assert store_set(scope, files) == key
    assert len(captured) == 1


def test_comments_make_another_set_of_the_same_files(scope: Scope) -> None:
    (file,) = many(1)
    noted = file._replace(notes=b"\n\x00", text="// hello")
    assert noted.digest == file.digest
    assert set_digest([noted]) != set_digest([file])
    assert store_set(scope, [noted]) != store_set(scope, [file])
    assert (count("protofile"), count("protonote")) == (1, 1)


@pytest.mark.parametrize("column", ["descriptor", "digest"])
def test_files_are_never_changed(scope: Scope, column: str) -> None:
    store_set(scope, many(1))
    statement = f"UPDATE registry_protofile SET {column} = ''"  # noqa: S608  # a column of ours
    refused = pytest.raises(ProgrammingError, match="permission denied")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.parametrize("read", [stored_sets, set_outlines, descriptors_of])
def test_what_was_collected_since_its_key_was_read_may_be_asked_for_again(
    scope: Scope, read: Callable[[Scope, list[int]], object]
) -> None:
    with pytest.raises(PurgedMeanwhile):
        read(scope, [7])


def test_the_number_of_statements_does_not_depend_on_the_number_of_sets(scope: Scope) -> None:
    def statements(number: int) -> int:
        sets = [NewSet([file]) for file in many(number)]
        with CaptureQueriesContext(connection) as captured:
            assert len(set(store_sets(scope, sets))) == number
        return len(captured)

    assert statements(2) == statements(9) <= 6
    assert store_sets(scope, []) == []


def test_an_import_keeps_what_it_compiled(scope: Scope, alice: Actor, token_for: TokenFor) -> None:
    bringer = Bringer(token_for(alice))
    told = bringer.brought(
        bringer.begun(),
        [
            line("part", 1, PART, id=1, schemaType="PROTOBUF"),
            line("whole", 1, WHOLE % "", id=2, schemaType="PROTOBUF", **uses("part.proto", "part")),
            line("avro", 1, '"int"', id=3),
        ],
    )
    assert (told["registered"], told["refused"]) == (3, [])
    tenancy.activate(scope.tenant.id)
    sets = Schema.objects.scoped(scope).order_by("number").values_list("descriptor_set", flat=True)
    assert [one is None for one in sets] == [False, False, True]
    assert count("descriptorset") == 2
