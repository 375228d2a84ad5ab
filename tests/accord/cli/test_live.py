"""The verbs against the real server: the command line and the interface give the same verdict."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord_server.kit import tenancy
from registry.queries.leased_runs import DRY_RUNS, waiting_runs
from registry.tasks import run_dry_run_task
from tenants.principals import operator_scope
from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE, closed, record
from tests.registry.policies.asking import NAMESPACE as NATIVE
from tests.registry.policies.asking import Native, subject_place

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Live, Repository
    from tests.cast import Actor

pytestmark = pytest.mark.django_db(transaction=True)
QUEUE_SAFE = "name: queue\ndefault: {preset: accord:queue-safe, level: FULL_TRANSITIVE}"
NAMES = "name: names\ndefault: {naming: {subjects: '[a-z]+-key'}, required: {docs: [record]}}"
FROZEN = "name: stop\ndefault: {level: FROZEN}"
POLICIES: list[tuple[str, object, object, set[str]]] = [
    (QUEUE_SAFE, closed(a="string"), closed(a="string", b="string"), set()),
    (QUEUE_SAFE, record(id=("int", 0)), record(id=("int", 1)), {"FIELD_DEFAULT_CHANGED"}),
    (FROZEN, BARE, AS_TEXT, {"FROZEN"}),
    (NAMES, None, BARE, {"DOC_MISSING", "NAME_PATTERN"}),
]


@pytest.mark.parametrize(("policy", "old", "new", "rules"), POLICIES)
def test_the_policy_in_force_is_what_the_program_tells(
    live: tuple[Live, Live], repository: Repository, policy: str, old: object, new: object, rules: set[str]
) -> None:
    admin, job = live
    if old is not None:
        assert admin("register", "s-value", str(repository.write("old.json", old))).exit_code == 0
    native = Native(admin.token)
    native.enforce(policy, subject_place("s-value"))
    text = repository.write("new.json", new).read_text()
    told = json.loads(job("check", "--against", "registry:s-value", "new.json", "--json").stdout)
    (schema,) = told["schemas"]
    body = {"schema": text, "format": schema["format"]}
    verdict = native.ok("POST", f"{NATIVE}/subjects/s-value/verdict", body)
    for name in ("is_compatible", "verdict", "levels", "level", "preset", "summary"):
        assert schema[name] == verdict[name]
    assert {one["rule"] for one in schema["findings"] if one["severity"] == "block"} == rules
    done = admin("register", "s-value", "new.json")
    assert (done.exit_code, {rule for rule in rules if rule in done.stderr}) == (int(bool(rules)), rules)


SCHEMAS = [(BARE, WITH_NOTE, 0), (BARE, NEEDS_NOTE, 1), (NEEDS_NOTE, BARE, 0), (BARE, AS_TEXT, 1)]


def test_a_check_says_what_the_registry_says(live: tuple[Live, Live], repository: Repository) -> None:
    admin, job = live
    for number, (old, new, code) in enumerate(SCHEMAS):
        subject = f"s{number}"
        assert admin("register", subject, str(repository.write("old.avsc", old))).exit_code == 0
        repository.write("new.avsc", new)
        for ask in (admin, job):
            result = ask("check", "--against", f"registry:{subject}", "new.avsc")
            assert result.exit_code == code, result.stdout
            assert ("new.avsc:1:" in result.stdout) is bool(code)
            assert "does not tell its level" not in result.stdout
        assert admin("register", subject, "new.avsc").exit_code == code


def test_a_subject_is_read_and_compared(live: tuple[Live, Live], repository: Repository) -> None:
    admin, job = live
    for schema in (BARE, WITH_NOTE):
        assert admin("register", "s", str(repository.write("a.avsc", schema))).exit_code == 0
    assert job("can-read", "a.avsc", "--subject", "s").exit_code == 0
    repository.write("a.avsc", AS_TEXT)
    assert job("can-read", "a.avsc", "--subject", "s").exit_code == 1
    assert job("diff", "registry:s@1", "registry:s@1").stdout == "nothing differs\n"
    told = job("history", "s").stdout
    assert told.index("version 2, schema id 2") < told.index("first version, nothing to compare with")


def test_a_waiver_lets_a_refused_schema_in(live: tuple[Live, Live], repository: Repository) -> None:
    admin, _ = live
    assert admin("register", "s", str(repository.write("old.avsc", BARE))).exit_code == 0
    refused = str(repository.write("new.avsc", NEEDS_NOTE))
    assert admin("register", "s", refused).exit_code == 1
    given = admin("waiver", "create", "s", refused, "--reason", "agreed", "--expires-in", "1h")
    assert given.exit_code == 0, given.output
    assert "person:alice: agreed" in admin("waiver", "list", "--open").stdout
    assert admin("register", "s", refused).exit_code == 0
    assert "let in version 2" in admin("waiver", "list", "--subject", "s").stdout
    again = admin("waiver", "revoke", given.stdout.split()[0])
    assert (again.exit_code, "is used" in again.stderr) == (1, True)


def test_a_policy_is_stored_bound_changed_and_brought_back(
    live: tuple[Live, Live], repository: Repository
) -> None:
    admin, _ = live

    def tell(*arguments: str) -> str:
        done = admin("policy", *arguments)
        assert done.exit_code == 0, done.output
        return done.stdout

    path = str(repository.write("house.yaml", "name: house\ndefault: {level: FULL}  # ours\n"))
    assert tell("put", path, "--reason", "agreed").splitlines()[0].endswith("person:alice: agreed")
    assert tell("bind", "house", "--at", "prefix:a/b").startswith("house version 1 is bound to prefix a/b in")
    origin = "(policy house, version 1, default, bound to subject prefix a/b)"
    assert f"  level FULL {origin}\n" in tell("in-force", "a/b-c")
    assert "house version 1\n  bound to prefix a/b in default" in tell("list")
    repository.write("house.yaml", "name: house\ndefault: {level: NONE}\n")
    again = admin("policy", "put", path)
    assert (again.exit_code, "--if-match" in again.stderr) == (1, True)
    assert tell("put", path, "--if-match", "1").startswith("house version 2, ")
    late = admin("policy", "revert", "house", "1", "--if-match", "1")
    assert (late.exit_code, "code policy_changed" in late.stderr) == (1, True)
    tell("revert", "house", "1", "--if-match", "2", "--reason", "too mild")
    assert tell("history", "house").splitlines()[0].endswith(", the content of version 1: too mild")
    assert tell("show", "house") == "name: house\ndefault: {level: FULL}  # ours\n"
    tell("unbind", "--at", "prefix:a/b", "--if-match", "1")
    assert "  level BACKWARD (" in tell("in-force", "a/b-c", "--format", "json")


def test_a_level_is_set_and_taken_off(live: tuple[Live, Live]) -> None:
    admin, job = live
    done = admin("policy", "level", "FULL", "s")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("s has the level FULL\nAVRO: FULL\n")
    assert "Better: FULL_TRANSITIVE" in done.stdout
    assert "  level FULL (" in admin("policy", "in-force", "s", "--format", "avro").stdout
    assert "s has no level of its own\nAVRO: BACKWARD\n" in admin("policy", "level", "clear", "s").stdout
    assert job("policy", "level", "NONE").exit_code == 1


def test_a_dry_run_is_followed_to_its_end(
    live: tuple[Live, Live], repository: Repository, alice: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin, _ = live
    for number, schema in enumerate((NEEDS_NOTE, BARE)):
        assert admin("register", "s", str(repository.write(f"v{number}.avsc", schema))).exit_code == 0

    def work_instead(_seconds: float) -> None:
        with tenancy.tenant_context(alice.tenant.id):
            (run,) = waiting_runs(operator_scope(alice.tenant.ref), DRY_RUNS)
        run_dry_run_task(str(alice.tenant.id), run)

    monkeypatch.setattr("accord.cli.dry_runs.sleep", work_instead)
    done = admin("policy", "dry-run", "--level", "FULL", "--at", "prefix:s")
    assert done.exit_code == 1, done.output
    assert done.stdout.startswith("s version 2 would be refused\n  READER_FIELD_MISSING_DEFAULT_VALUE")
    policy = str(repository.write("policy.yaml", "name: none\ndefault: {level: NONE}\n"))
    assert admin("policy", "dry-run", policy).exit_code == 0
