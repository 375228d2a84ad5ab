"""`accord.yaml`: which files are schemas, and how each is judged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.cli.globs import is_covered
from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE, closed, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Repository

CONFIG = """\
against: git:HEAD
schemas:
  - files: avro/**/*.avsc
    level: FULL
    references:
      - name: Address
        file: common/address.txt
  - files: [events/*.json, more/*.json]
    preset: optional-friendly
    level: FULL_TRANSITIVE
  - files: "*.policy.avsc"
    policy: policies/house.yaml
"""
POLICY = """\
name: house
default:
  level: NONE
  naming:
    fields: "[a-z]+"
"""
ADDRESS = {**record(street="string"), "name": "Address"}


@pytest.fixture
def configured(repository: Repository) -> Repository:
    repository.write("accord.yaml", CONFIG)
    repository.write("policies/house.yaml", POLICY)
    repository.write("common/address.txt", ADDRESS)
    repository.commit(avro__deep__a_avsc=NEEDS_NOTE, events__e_json=closed(a="string"))
    return repository


def test_each_entry_judges_its_files(accord: Program, configured: Repository) -> None:
    configured.write("avro/deep/a.avsc", BARE)
    configured.write("events/e.json", closed(a="string", b="string"))
    result = accord("check", ".")
    assert result.exit_code == 1
    assert "READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1" in result.stdout
    assert "(old reads new, git:HEAD)" in result.stdout
    assert "avro/deep/a.avsc (FULL, confluent:8.1)" in result.stdout
    assert "events/e.json (FULL_TRANSITIVE, optional-friendly:1)" in result.stdout


def test_options_come_before_the_config(accord: Program, configured: Repository) -> None:
    configured.write("avro/deep/a.avsc", BARE)
    result = accord("check", "avro", "--level", "BACKWARD")
    assert result.exit_code == 0
    assert "(BACKWARD, confluent:8.1)" in result.stdout


def test_a_policy_of_the_config_asks_for_more(accord: Program, configured: Repository) -> None:
    configured.write("x.policy.avsc", record(BAD="int"))
    result = accord("check", "x.policy.avsc")
    assert result.exit_code == 1
    assert "x.policy.avsc:1:48: block NAME_PATTERN at /fields/0" in result.stdout
    assert "(NONE, confluent:8.1, policy house)" in result.stdout


def test_references_are_those_of_the_entry(accord: Program, configured: Repository) -> None:
    configured.write("avro/b.avsc", record(at="Address"))
    assert accord("check", "avro/b.avsc").exit_code == 0
    configured.write("events/b.avsc", record(at="Address"))
    assert "skipped: events/b.avsc [no entry" in accord("check", "events/b.avsc").stdout


def test_the_config_is_found_from_below_and_not_above_the_repository(
    accord: Program, configured: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir("events")
    assert accord("check", "e.json").exit_code == 0
    inner = configured.top / "inner"
    inner.mkdir()
    (inner / ".git").mkdir()
    monkeypatch.chdir(inner)
    assert "say --against what" in accord("check", ".").stderr


def test_two_files_are_old_and_new_whatever_the_config_says(
    accord: Program, configured: Repository, tmp_path: Path
) -> None:
    old, new = (configured.write(f"{name}.avsc", one) for name, one in (("old", BARE), ("new", WITH_NOTE)))
    assert f"compatible: {new} against {old}" in accord("check", str(old), str(new)).stdout
    named = accord("check", "--config", "accord.yaml", str(old), str(new))
    assert "2 skipped" in named.stdout


def test_a_config_that_compares_with_nothing_wants_to_be_told(
    accord: Program, configured: Repository
) -> None:
    configured.write("accord.yaml", CONFIG.removeprefix("against: git:HEAD\n"))
    assert "Nothing to compare with" in accord("check", ".").stderr
    configured.write("avro/deep/a.avsc", AS_TEXT)
    assert accord("check", ".", "--against", "git:HEAD").exit_code == 1


WRONG = [
    ("schemas: []", "line 1, column 10: schemas: 'schemas' is a list; write one"),
    ("schemas:\n  - level: FULL", "line 2, column 5: schemas[0]: 'files' is a pattern"),
    (
        "schemas:\n  - files: a\n    levels: FULL",
        "line 3, column 5: schemas[0].levels: there is no member 'levels'",
    ),
    ("schemas:\n  - files: a\n    level: UP", "line 3, column 12: schemas[0].level: there is no level 'UP'"),
    ("schemas:\n  - files: a\n    format: proto", "line 3, column 13"),
    ("schemas:\n  - files: /etc/*", "leads out of the folder"),
    ("schemas:\n  - files: a/../../b", "leads out of the folder"),
    ("schemas:\n  - files: a\n    policy: ../p.yaml", "'../p.yaml' leads out of the folder"),
    ("schemas:\n  - files: a\n    policy: /etc/passwd", "'/etc/passwd' leads out of the folder"),
    ("schemas:\n  - files: a\n    references:\n      - name: A", "a reference has a name, and a file or"),
    ("url: https://elsewhere\nschemas:\n  - files: a", "there is no member 'url'"),
    ("against: &a x\nschemas: *a", "anchors and aliases are not taken"),
    ("", "the text is empty"),
    ("x" * 100_000, "longer than 65536 bytes"),
    ("schemas: {", "the text is not YAML"),
]


@pytest.mark.parametrize(("text", "words"), WRONG)
def test_what_is_wrong_with_a_config_is_named(
    accord: Program, repository: Repository, text: str, words: str
) -> None:
    repository.write("accord.yaml", text)
    result = accord("check", "--config", "accord.yaml", ".")
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_a_link_does_not_lead_a_policy_out(accord: Program, configured: Repository) -> None:
    configured.write("../outside.yaml", POLICY)
    Path("policies/house.yaml").unlink()
    Path("policies/house.yaml").symlink_to(Path("../outside.yaml").resolve())
    assert "leads out of the folder" in accord("check", ".").stderr


COVERED = [
    ("*.avsc", "a.avsc"),
    ("**/*.avsc", "a.avsc"),
    ("**/*.avsc", "x/y/a.avsc"),
    ("x/**", "x/y/z"),
    ("?.a", "b.a"),
]
NOT_COVERED = [("*.avsc", "x/a.avsc"), ("?.a", "/.a"), ("a.c", "abc"), ("x/*", "x/y/z"), ("[a]", "a")]


@pytest.mark.parametrize(("glob", "path"), COVERED)
def test_a_pattern_covers(glob: str, path: str) -> None:
    assert is_covered(glob, path)


@pytest.mark.parametrize(("glob", "path"), NOT_COVERED)
def test_a_pattern_does_not_cover(glob: str, path: str) -> None:
    assert not is_covered(glob, path)


def test_a_hostile_pattern_ends_soon() -> None:
    assert not is_covered("*a" * 30 + "b", "a" * 5_000)


def test_a_policy_that_ships_with_accord_is_named(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=BARE)
    repository.write("a.avsc", AS_TEXT)
    arguments = ("check", "--against", "git:HEAD", "--policy", "queue-safe", "a.avsc")
    refused = accord(*arguments)
    assert refused.exit_code == 1
    assert "(FULL_TRANSITIVE, accord:queue-safe:1, policy queue-safe)" in refused.stdout
    repository.write("queue-safe", "name: mine\ndefault:\n  level: NONE\n")
    assert "policy mine" in accord(*arguments).stdout
    assert accord(*arguments[:-2], "none", "a.avsc").exit_code == 2


def test_a_warning_the_other_way_says_who_reads_whom(accord: Program, repository: Repository) -> None:
    repository.commit(a_avsc=record(a="int", b="int"))
    repository.write("a.avsc", record(a="int"))
    told = accord("check", "--against", "git:HEAD", "--policy", "drop-in", "a.avsc")
    assert told.exit_code == 0
    assert "git:HEAD:a.avsc:1:78: warn READER_FIELD_MISSING_DEFAULT_VALUE at /fields/1" in told.stdout
    assert "(old reads new, git:HEAD)" in told.stdout
