"""What an import refuses, in a batch as one by one, and who may bring what when."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord_server.kit import tenancy
from registry.models import ImportRun
from tests.registry.imports.bringing import Bringer, Line, line, uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db
BASE = {"type": "record", "name": "Base", "fields": []}
USER = {"type": "record", "name": "User", "fields": [{"name": "base", "type": "Base"}]}
# What is there, and what comes then: each is refused for a reason of its own.
STANDING = [
    line("s", 1, '"int"', id=1),
    line("base", 1, BASE, id=2),
    line("gone", 1, '"bytes"', id=3, deleted=True),
]
REFUSED: list[tuple[Line, str]] = [
    (line("s", 1, '"long"', id=1), "version_taken"),
    (line("s", 1, '"int"', id=9), "version_taken"),
    (line("s", 2, '"long"', id=1), "schema_id_taken"),
    (line("s", 2, "{", id=9), "invalid_schema"),
    (line("s", 2, " ", id=9), "empty_schema"),
    (line("s", 2, '"int"', id=9, schemaType="XML"), "unknown_format"),
    (line("s", 2, USER, id=9, **uses("Base", "nowhere")), "reference_not_found"),
    (line("s", 2, '"long"', id=9, **uses("Base", "gone")), "reference_not_found"),
    (line("s", 2, '"long"', id=9, **uses("\u0001", "base")), "invalid_reference"),
    (line("s", 2, '"long"', id=9, metadata={"tags": 1}), "invalid_contract"),
    (line("a/versions", 1, '"long"', id=9), "invalid_subject"),
]  # fmt: skip


def codes(told: Any) -> list[str]:
    return [one["code"] for one in told["refused"]]


def test_a_batch_refuses_what_is_refused_one_by_one(bringer: Bringer) -> None:
    bringer.one_by_one(STANDING)
    run = bringer.begun()
    lines = [one for one, _ in REFUSED]
    singly = [answer.body["message"] for answer in bringer.one_by_one(lines[:-1])]
    told = [bringer.brought(run, [one])["refused"] for one in lines]
    assert [one["code"] for (one,) in told] == [code for _, code in REFUSED]
    for (one,), message in zip(told, singly, strict=False):
        assert one["message"] in message
    assert bringer.brought(run, [line("fine", 1, '"long"', id=20), *lines])["registered"] == 1
    issues = bringer.ok("GET", f"{run}/issues?limit=200")["items"]
    assert {one["code"] for one in issues} == {code for _, code in REFUSED}
    assert len(issues) == len({(one["subject"], one["version"], one["code"]) for one in issues})


def test_what_refers_to_what_was_refused_is_refused_too(bringer: Bringer) -> None:
    run = bringer.begun()
    lines = [
        line("taken", 1, '"int"', id=1),
        line("base", 1, BASE, id=1),
        line("user", 1, USER, id=2, **uses("Base", "base")),
        line("free", 1, '"long"', id=3),
        line("free", 1, '"long"', id=3),
        line("free", 1, '"bytes"', id=4),
    ]
    told = bringer.brought(run, lines)
    assert (told["registered"], told["present"]) == (2, 1)
    assert sorted(codes(told)) == ["reference_not_found", "schema_id_taken", "version_taken"]
    assert bringer.registry.versions("free") == [1]


def test_what_is_deleted_makes_room_unless_something_refers_to_it(bringer: Bringer) -> None:
    run = bringer.begun()
    kept = [line("base", 1, BASE, id=1), line("user", 1, USER, id=2, **uses("Base", "base"))]
    bringer.brought(run, [*kept, line("s", 1, '"int"', id=3), line("s", 2, '"int"', id=3)])
    early = bringer.brought(run, [kept[0], line("s", 9, '"int"', id=3)], "deletions")
    assert codes(early) == ["reference_exists", "version_not_found"]
    gone = [*reversed(kept), line("s", 1, '"int"', id=3), line("s", 2, '"int"', id=3)]
    assert bringer.brought(run, gone, "deletions")["deleted"] == 4
    told = bringer.brought(run, [line("base", 1, '"long"', id=5), line("s", 2, '"long"', id=6)])
    assert (told["registered"], codes(told)) == (1, ["version_taken"])
    assert bringer.brought(run, [line("s", 3, '"int"', id=3)])["registered"] == 1
    assert bringer.registry.versions("s", "?deleted=true") == [2, 3]


def test_an_alias_and_another_mode_stand_in_the_way(bringer: Bringer) -> None:
    run = bringer.begun()
    bringer.registry.ok("PUT", "/config/a", {"alias": "b"})
    bringer.registry.mode("open", "READWRITE")
    bringer.registry.mode("shut", "READONLY")
    told = bringer.brought(run, [line(name, 1, '"int"', id=1) for name in ("a", "open", "shut")])
    assert sorted(codes(told)) == ["not_in_import_mode", "read_only", "subject_is_alias"]
    assert codes(bringer.brought(run, [line("shut", 1, '"int"', id=1)], "deletions")) == ["version_not_found"]


def test_lines_that_are_none_are_refused_by_number(bringer: Bringer) -> None:
    run = bringer.begun()
    good = line("s", 1, '"int"', id=1)
    broken: list[tuple[Any, str]] = [
        ({**good, "context": "x"}, "line 2: 'x' is no context"),
        ({**good, "subject": None}, "line 2: a version needs a 'subject'"),
        ({**good, "id": "1"}, "line 2: 'id' must be a whole number"),
        ([], "line 2: The request body must be a JSON object"),
    ]
    for one, words in broken:
        answer = bringer.send(run, [good, one])
        assert (answer.status, answer.body["detail"][: len(words)]) == (400, words)
    assert bringer.send(run, [good] * 501).status == 400
    assert bringer.ok("GET", run)["registered"] == 0


def test_one_import_at_a_time_goes_into_a_namespace(bringer: Bringer, scope: Scope) -> None:
    run = bringer.begun("one", register=5)
    assert bringer.begun("one") == run
    refused = bringer.call("POST", "", {"source": "two"})
    assert (refused.status, refused.body["code"]) == (409, "import_under_way")
    tenancy.activate(scope.tenant.id)
    ImportRun.objects.scoped(scope).update(heard_at=timezone.now() - timedelta(minutes=11))
    another = bringer.begun("two")
    over = bringer.send(run, [line("s", 1, '"int"', id=1)])
    assert (over.status, over.body["code"]) == (409, "import_over")
    assert bringer.ok("DELETE", another)["state"] == "cancelled"
    listed = bringer.ok("GET", "?limit=1")
    assert [one["source"] for one in listed["items"]] == ["two"]


def test_an_import_ends_with_the_sums_of_both_sides(
    bringer: Bringer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("registry.services.imports.MOST_KEPT", 2)
    result = {"source_sha256": "0" * 64, "target_sha256": "1" * 64, "differences": 3}
    for number in range(3):
        run = bringer.begun(str(number))
        bringer.brought(run, [line("s", 1, "{", id=1)])
        told = bringer.ok("PUT", f"{run}/result", result)
        assert (told["state"], told["result"]) == ("done", result)
    assert bringer.ok("DELETE", run)["state"] == "done"
    assert [one["source"] for one in bringer.ok("GET")["items"]] == ["2", "1"]


def test_who_lacks_a_right_brings_nothing(
    bringer: Bringer, api_with: Callable[..., Registry], scope: Scope
) -> None:
    run = bringer.begun()
    lines = [line("s", 1, '"int"', id=1)]
    few = Bringer(api_with("import", "namespace.read").token)
    for what, right in (("versions", "subject.write"), ("deletions", "subject.delete")):
        answer = few.send(run, lines, what)
        assert (answer.status, right in answer.body["detail"]) == (403, True)
    tenancy.activate(scope.tenant.id)
    ImportRun.objects.scoped(scope).update(created_by="person:else")
    assert "job.manage" in few.call("DELETE", run).body["detail"]
