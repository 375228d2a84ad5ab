"""`accord policy`, and policy documents that decide a check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.policy.documents.templates import TEMPLATES
from tests.accord.cli.schemas import BARE, NEEDS_NOTE, record

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write

WRONG = b"name: house\ndefault:\n  levels: FULL\nformats:\n  avro:\n    preset: nope\n"
STRICT = b"""name: house
default:
  level: FULL
  required:
    owners: [owner]
  naming:
    subjects: "[a-z]+"
"""


def test_every_problem_is_named_with_its_place(accord: Program, write: Write) -> None:
    path = write("p.yaml", WRONG)
    result = accord("policy", "validate", path)
    assert result.exit_code == 1
    first, second = result.stdout.splitlines()
    assert first == f"{path}:3:3: default.levels: there is no member 'levels' here; did you mean level?"
    assert second.startswith(f"{path}:6:13: formats.avro.preset: there is no preset 'nope'; ")


def test_programs_get_the_problems(accord: Program, write: Write) -> None:
    paths = [write("p.yaml", WRONG), write("q.json", {"name": "house"}), "none.yaml"]
    result = accord("policy", "validate", *paths, "--json")
    assert result.exit_code == 2
    wrong, right, missing = json.loads(result.stdout)
    assert [(one["line"], one["column"], one["path"]) for one in wrong["problems"]] == [
        (3, 3, "default.levels"),
        (6, 13, "formats.avro.preset"),
    ]
    assert right == {"file": paths[1], "valid": True, "problems": []}
    assert missing["unreadable"] == "No such file or directory"


def test_a_good_document_and_one_that_cannot_be_read(accord: Program, write: Write) -> None:
    good = write("p.yaml", STRICT)
    result = accord("policy", "validate", good, write("q.yaml", b"\xff"))
    assert result.exit_code == 2
    assert result.stdout.startswith(f"{good}: well formed\n")
    assert "byte 0 is not UTF-8" in result.stdout


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_shown_as_it_ships(accord: Program, name: str) -> None:
    text = accord("policy", "show", name).stdout
    assert text.startswith(f"name: {name}\n")
    assert json.loads(accord("policy", "show", name, "--json").stdout) == {"name": name, "source": text}


def test_a_template_that_is_none_is_refused(accord: Program) -> None:
    result = accord("policy", "show", "../drop-in")
    assert result.exit_code == 2
    assert "there are queue-safe, drop-in, api" in result.stderr


def test_the_schema_of_documents_is_printed(accord: Program) -> None:
    assert json.loads(accord("policy", "schema").stdout)["title"] == "Accord policy"


def test_advice_says_what_a_level_costs(accord: Program) -> None:
    told = accord("policy", "advise", "--level", "BACKWARD").stdout
    assert told.startswith("AVRO: BACKWARD\nUpgrade the readers first")
    assert "\nJSON: BACKWARD\n" in told
    assert "\nRefused:\n  - add a field without a default\n" in told
    assert "\nMind: Looking backward, only the latest version is compared" in told
    assert "\nBetter: FULL_TRANSITIVE, every version reads every other" in told


def test_advice_on_a_document_is_for_programs_too(accord: Program, write: Write) -> None:
    path = write("p.yaml", STRICT)
    answer = json.loads(accord("policy", "advise", path, "--format", "avro", "--json").stdout)
    (avro,) = answer.values()
    assert (avro["level"], avro["upgrade_first"]) == ("FULL", "anyone")
    assert avro["recommends"][0]["level"] == "FULL_TRANSITIVE"


@pytest.mark.parametrize("locked", [b"true", b"false"])
def test_a_frozen_level_without_a_lock_is_cautioned(accord: Program, write: Write, locked: bytes) -> None:
    path = write("p.yaml", b"name: stop\ndefault: {level: FROZEN, locked: %b}\n" % locked)
    told = accord("policy", "advise", path, "--format", "avro").stdout
    assert ("\nMind: The level is not locked: " in told) is (locked == b"false")
    assert "Mind: The level is not locked: " in accord("policy", "advise", "--level", "FROZEN").stdout


def test_what_confluent_clients_see_is_said(accord: Program) -> None:
    told = accord("policy", "advise", "--level", "BACKWARD_TILL(3)", "--format", "avro").stdout
    assert told.startswith("AVRO: BACKWARD_TILL(3)\nConfluent clients see BACKWARD.\n")
    assert accord("policy", "advise").exit_code == 2


def test_a_document_decides_a_check(accord: Program, write: Write) -> None:
    old, new, policy = write("old.avsc", NEEDS_NOTE), write("new.avsc", BARE), write("p.yaml", STRICT)
    refused = accord("check", old, new, "--policy", policy)
    assert refused.exit_code == 1
    assert "(FULL, confluent:8.1, policy house)" in refused.stdout
    assert accord("check", old, new, "--policy", policy, "--level", "BACKWARD").exit_code == 0


def test_what_files_cannot_show_is_not_asked_for(accord: Program, write: Write) -> None:
    result = accord(
        "check", write("o.avsc", BARE), write("n.avsc", BARE), "--policy", write("p.yaml", STRICT)
    )
    assert (result.exit_code, "OWNER_MISSING" in result.stdout) == (0, False)


def test_a_document_with_problems_decides_nothing(accord: Program, write: Write) -> None:
    paths = [write("old.avsc", BARE), write("new.avsc", record(id="long"))]
    result = accord("check", *paths, "--policy", write("p.yaml", WRONG))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "line 3, column 3: default.levels" in result.stderr


LEVELS = [("FROZEN", 1), ("BACKWARD_TILL(1)", 1), ("ALLOW_ANY", 0), ("forward-all", 0), ("UP", 2)]


@pytest.mark.parametrize(("level", "code"), LEVELS)
def test_levels_without_a_name_of_confluent_s_do(
    accord: Program, write: Write, level: str, code: int
) -> None:
    paths = [write("old.avsc", BARE), write("new.avsc", NEEDS_NOTE)]
    assert accord("check", *paths, "--level", level).exit_code == code


def test_an_unknown_preset_is_wrong_usage(accord: Program, write: Write) -> None:
    paths = [write("old.avsc", BARE), write("new.avsc", BARE)]
    assert "use one of accord" in accord("check", *paths, "--preset", "nope").stderr
    assert "(BACKWARD, accord:1)" in accord("check", *paths, "--preset", "accord").stdout
