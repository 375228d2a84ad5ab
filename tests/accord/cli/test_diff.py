"""`accord diff`: what differs, and for whom each change is safe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.client import RegistryClient
from tests.accord.cli.schemas import BARE, NEEDS_NOTE, NOTE, closed, column, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository, Write
    from tests.accord.client.stand_in import StandIn


def test_each_change_says_for_whom_it_is_safe(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)
    result = accord("diff", old, new)
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            f"{new}:1:{column(NEEDS_NOTE, NOTE)}: safe for writers",
            "  the new schema expects field note, which data of the old schema lacks and no default supplies",
            f"  at /fields/1, the other side: {old}:1:1",
            "  new reads old: block READER_FIELD_MISSING_DEFAULT_VALUE",
            "  old reads new: info WRITER_FIELD_NOT_READ",
            "  Upgrade the writers first; the new schema cannot read old data.",
            "old reads new: yes, new reads old: no",
        ],
    )


def test_a_preset_leaves_out_what_it_does_not_weigh(accord: Program, write: Write) -> None:
    old, new = write("old.avsc", NEEDS_NOTE), write("new.avsc", BARE)
    told = accord("diff", old, new, "--preset", "confluent").stdout
    assert "  new reads old: nothing to tell" in told
    assert "  old reads new: block READER_FIELD_MISSING_DEFAULT_VALUE" in told


def test_formats_differ_as_a_whole(accord: Program, write: Write) -> None:
    told = accord("diff", write("old.avsc", BARE), write("new.json", closed())).stdout
    assert "the new schema is written in JSON, the old schema in AVRO" in told


def test_equal_schemas_do_not_differ(accord: Program, write: Write) -> None:
    assert accord("diff", write("a.json", closed()), write("b.json", closed())).stdout == "nothing differs\n"


def test_json_lists_the_differences(accord: Program, write: Write) -> None:
    old, new = write("old.json", closed(a="string")), write("new.json", closed(a="integer"))
    answer = json.loads(accord("diff", old, new, "--json").stdout)
    assert (answer["old"], answer["new"]) == (old, new)
    (change,) = answer["differences"]
    assert (change["safety"], change["breaks"]) == ("breaking", ["backward", "forward"])
    assert (change["path"], change["new_reads_old"][0]["rule"]) == ("/properties/a", "TYPE_CHANGED")
    assert (answer["new_reads_old"], answer["old_reads_new"]) == (False, False)


def test_files_of_revisions_are_compared(accord: Program, repository: Repository) -> None:
    repository.commit(in__a_avsc=BARE)
    repository.commit(in__a_avsc=NEEDS_NOTE)
    (repository.top / "in/a.avsc").write_text(json.dumps(BARE))
    changed, back = accord("diff", "git:HEAD~1", "in/a.avsc"), accord("diff", "git:HEAD", "in/a.avsc")
    assert changed.stdout == "nothing differs\n"
    assert back.stdout.startswith("in/a.avsc:1:1: safe for readers\n")
    both = accord("diff", "git:HEAD~1:in/a.avsc", "git:HEAD:in/a.avsc")
    assert both.stdout.startswith(f"git:HEAD:in/a.avsc:1:{column(NEEDS_NOTE, NOTE)}: safe for writers")


def test_types_of_other_files_are_those_of_the_revision(accord: Program, repository: Repository) -> None:
    inner = record(n="int")
    repository.commit(inner_avsc={**inner, "name": "Inner"}, a_avsc=record(at="Inner"))
    repository.write("inner.avsc", {**inner, "name": "Inner", "fields": []})
    told = accord("diff", "git:HEAD", "a.avsc", "-r", "Inner=inner.avsc").stdout
    assert "old reads new: block READER_FIELD_MISSING_DEFAULT_VALUE" in told


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("git:HEAD:b.avsc", "a.avsc"), "git:HEAD:b.avsc: the revision has no such file"),
        (("git:HEAD:large.avsc", "a.avsc"), "git:HEAD:large.avsc: longer than a schema may be"),
        (("git:none", "a.avsc"), "there is no revision 'none'"),
        (("git:HEAD", "registry:s"), "Say which file of the revision is meant: git:HEAD:PATH"),
    ],
)
def test_a_file_that_a_revision_lacks_is_named(
    accord: Program, repository: Repository, names: tuple[str, str], words: str
) -> None:
    repository.commit(a_avsc=BARE, large_avsc=b" " * 2_000_000)
    result = accord("diff", *names)
    assert result.exit_code == 2
    assert words in result.stderr


def test_versions_of_a_registry_are_compared(accord: Program, write: Write, registry: StandIn) -> None:
    facts = {"subject": "s", "version": 1, "id": 1, "schema": json.dumps(BARE)}
    registry.answer("GET /subjects/s/versions/1?deleted=false", facts)
    result = accord("diff", "registry:s@1", write("new.avsc", NEEDS_NOTE), "--url", registry.url)
    assert result.exit_code == 0
    assert "the other side: s version 1:1:1" in result.stdout


def test_the_latest_version_is_meant_where_none_is_named(
    accord: Program, write: Write, registry: StandIn
) -> None:
    registry.answer("GET /subjects/s/versions", [1, 2])
    for number, schema in ((1, NEEDS_NOTE), (2, BARE)):
        facts = {"subject": "s", "version": number, "id": number, "schema": json.dumps(schema)}
        registry.answer(f"GET /subjects/s/versions/{number}?deleted=false", facts)
    assert (
        accord("diff", "registry:s", write("a.avsc", BARE), "--url", registry.url).stdout
        == "nothing differs\n"
    )


@pytest.mark.parametrize("verb", [("diff", "registry:s@1"), ("can-read", "--subject", "s")])
def test_references_are_read_before_the_connection_ends(
    accord: Program,
    write: Write,
    registry: StandIn,
    monkeypatch: pytest.MonkeyPatch,
    verb: tuple[str, ...],
) -> None:
    home = {"subject": "h", "version": 1, "id": 1, "schema": json.dumps(record(id="long"))}
    schema = record(home="Order")
    references = [{"name": "Order", "subject": "h", "version": 1}]
    facts = {"subject": "s", "version": 1, "id": 2, "references": references}
    registry.answer("GET /subjects/s/versions", [1])
    registry.answer(
        "GET /subjects/s/versions/1?deleted=false", {**facts, "schema": json.dumps({**schema, "name": "Way"})}
    )
    registry.answer("GET /subjects/h/versions/1?deleted=true", home)
    asked: list[int] = []
    monkeypatch.setattr(RegistryClient, "close", lambda _: asked.append(len(registry.asked)))
    accord(*verb, write("new.avsc", BARE), "--url", registry.url)
    assert asked == [len(registry.asked)]
    assert "/subjects/h/versions/1?deleted=true" in [one.target for one in registry.asked]


def test_what_cannot_be_read_ends_with_two(accord: Program, write: Write, registry: StandIn) -> None:
    good = write("a.avsc", BARE)
    assert accord("diff", good, "none.avsc").exit_code == 2
    assert accord("diff", good, "registry:s").exit_code == 2
    assert accord("diff", good, "registry:s@1", "--url", registry.url).exit_code == 1
