"""`accord descriptors`, against the real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.formats.protobuf.descriptors import FileDescriptorSet
from tests.accord.cli.conftest import Live
from tests.accord.protobuf_texts import COMPILER
from tests.registry.descriptors.asking import BROKEN, GROWN, PLAIN, TEXTS, compiled_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.accord.cli.conftest import Program, Repository
    from tests.accord.client.stand_in import StandIn
    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def files(repository: Repository) -> None:
    sets = {"old": TEXTS, "new": GROWN, "broken": BROKEN, "base": {"item.proto": PLAIN}}
    for name, texts in sets.items():
        repository.write(f"{name}.pb", compiled_set(texts))
    order = FileDescriptorSet.FromString(compiled_set(TEXTS)).file[-1]
    repository.write("alone.pb", FileDescriptorSet(file=[order]).SerializeToString())


@pytest.fixture
def admin(
    granian_server: Callable[..., RunningProcess],
    accord: Program,
    alice: Actor,
    token_for: TokenFor,
    repository: Repository,
) -> Live:
    """The program as an administrator, of a server that has a compiler."""
    COMPILER.start()
    server = granian_server(ACCORD_COMPILER_SOCKET=COMPILER.socket_path)
    return Live(accord, server.url + "/sr/north/default", token_for(alice))


@pytest.mark.usefixtures("files")
def test_sets_are_pushed_listed_compared_and_pulled(admin: Live, repository: Repository) -> None:
    first = admin("descriptors", "push", "shop", "old.pb")
    assert "shop version 1, digest" in first.stdout, first.stderr
    assert "shop version 1, as it was" in admin("descriptors", "push", "shop", "old.pb").stdout
    assert json.loads(admin("descriptors", "push", "shop", "new.pb", "--json").stdout)["version"] == 2
    assert admin("descriptors", "list").stdout.startswith("shop version 2, ")
    assert admin("descriptors", "list", "shop").stdout == "1\n2\n"
    assert json.loads(admin("descriptors", "list", "shop", "--json").stdout) == [1, 2]
    told = admin("descriptors", "diff", "shop", "1").stdout
    assert "changed: order.proto" in told
    assert "FIELD_ADDED" in told
    assert json.loads(admin("descriptors", "diff", "shop", "1", "--json").stdout)["new"] == 2
    assert admin("descriptors", "pull", "shop", "1", "-o", "got.pb").exit_code == 0
    assert (repository.top / "got.pb").read_bytes() == compiled_set(TEXTS)
    small = admin("descriptors", "pull", "shop", "-o", "-", "--for", "shop.Item").stdout_bytes
    assert [one.name for one in FileDescriptorSet.FromString(small).file] == ["item.proto"]
    assert admin("descriptors", "pull", "shop", "-o", str(repository.top)).exit_code == 2


@pytest.mark.usefixtures("files")
def test_what_would_be_refused_is_told_before_and_after(admin: Live) -> None:
    admin("descriptors", "push", "shop", "old.pb")
    good = admin("descriptors", "check", "shop", "new.pb")
    assert (good.exit_code, good.stdout.splitlines()[-1][:15]) == (0, "would be stored")
    bad = admin("descriptors", "check", "shop", "broken.pb")
    assert (bad.exit_code, "would be refused" in bad.stdout) == (1, True)
    assert "FIELD_WIRE_COMPATIBLE_SCALAR" in bad.stdout or "FIELD_SCALAR" in bad.stdout
    assert not json.loads(admin("descriptors", "check", "shop", "broken.pb", "--json").stdout)["is_allowed"]
    assert admin("descriptors", "push", "shop", "broken.pb").exit_code == 1


@pytest.mark.usefixtures("files")
def test_a_set_without_its_imports_names_the_module_that_has_them(admin: Live) -> None:
    admin("descriptors", "push", "base", "base.pb")
    assert admin("descriptors", "push", "shop", "alone.pb").exit_code == 1
    assert admin("descriptors", "push", "shop", "alone.pb", "--depends", "base@1").exit_code == 0
    assert admin("descriptors", "check", "shop", "alone.pb", "--depends", "base").exit_code == 0


BASE = "/sr/north/default/descriptors/modules"
FINDING = {"path": "/a", "severity": "block", "rule": "R", "sentence": "it differs", "direction": "backward"}


def test_what_lint_finds_and_what_is_left_out_is_told(
    accord: Program, registry: StandIn, repository: Repository
) -> None:
    at = ("--url", f"{registry.url}/sr/north/default")
    repository.write("a.pb", b"x")
    lint = {"file": "a", "line": 1, "column": 2, "severity": "warn", "rule": "L", "message": "mend it"}
    verdict = {"is_allowed": True, "comparisons": [], "lint": [lint], "level": "NONE", "preset": "p"}
    verdict["own"] = [FINDING]
    registry.answer(f"POST {BASE}/shop/check", verdict)
    assert accord("descriptors", "check", "shop", "a.pb", *at).stdout.splitlines() == [
        "a:1:2: warn L: mend it",
        "  /a: block R: it differs",
        "would be stored, by level NONE and preset p",
    ]
    found = {"files": {"added": ["b"]}, "differences": [FINDING], "left_out": 7}
    registry.answer(f"GET {BASE}/shop/diff?from=1&to=2", found)
    assert accord("descriptors", "diff", "shop", "1", "2", *at).stdout.splitlines() == [
        "added: b",
        "backward",
        "  /a: block R: it differs",
        "and 7 more",
    ]


def test_long_lists_come_in_parts(accord: Program, registry: StandIn) -> None:
    one = {"name": "a", "latest": 1, "versions": 1, "updated_at": "2030-01-01"}
    registry.answer(f"GET {BASE}?limit=1000&after=", {"modules": [one], "next": "a"})
    gone = {**one, "name": "b", "latest": None}
    registry.answer(f"GET {BASE}?limit=1000&after=a", {"modules": [gone], "next": None})
    listed = accord("descriptors", "list", "--url", f"{registry.url}/sr/north/default")
    assert listed.stdout.splitlines() == ["a version 1, 2030-01-01", "b all versions disabled, 2030-01-01"]


def test_a_refused_download_says_why(accord: Program, registry: StandIn) -> None:
    registry.refuse(f"GET {BASE}/shop/versions/latest/set", 404, 404, "Module 'shop' not found.")
    done = accord("descriptors", "pull", "shop", "-o", "-", "--url", f"{registry.url}/sr/north/default")
    assert (done.exit_code, "Module 'shop' not found." in done.stderr) == (1, True)
