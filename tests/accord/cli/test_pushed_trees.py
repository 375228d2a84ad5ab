"""`accord push`, where its words do not depend on a real registry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from accord.cli.module_trees import reached
from accord.cli.pinning import Depend, Pin, Pins, depend
from accord.cli.proto_modules import compile_texts
from tests.accord.protobuf_texts import COMPILER
from tests.registry.descriptors.asking import PLAIN, compiled_set

if TYPE_CHECKING:
    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository
    from tests.accord.client.stand_in import StandIn

BASE = "/sr/north/default/descriptors/modules"
CLEAN = {"is_allowed": True, "level": "NONE", "preset": "p", "comparisons": [], "lint": [], "own": []}
USES = 'syntax = "proto3"; package shop; import "item.proto"; message Cart { repeated Item items = 1; }'
MADE = {"module": "shop", "version": 1, "is_new": True, "digest": "ab"}


@pytest.fixture
def push(accord: Program, registry: StandIn, repository: Repository) -> Pushes:
    COMPILER.start()
    return Pushes(accord, registry, repository)


class Pushes:
    """The verb, in a folder of files, with a registry that answers by script."""

    def __init__(self, accord: Program, registry: StandIn, repository: Repository) -> None:
        self.accord, self.registry, self.write = accord, registry, repository.write

    def __call__(self, *arguments: str) -> Result:
        return self.accord("push", *arguments, "--url", f"{self.registry.url}/sr/north/default")

    def refused(self, *arguments: str) -> str:
        done = self(*arguments)
        assert done.exit_code == 2, done.stdout + done.stderr
        return done.stderr

    def has(self, module: str, texts: dict[str, str]) -> None:
        """Let the registry have version 3 of a module."""
        at = f"{BASE}/{module}/versions"
        for number in ("latest", "3"):
            self.registry.answer(f"GET {at}/{number}", {**MADE, "module": module, "version": 3})
        files = [{"path": path, "is_import": False} for path in texts]
        self.registry.answer(f"GET {at}/3/files?imports=true", files)
        self.registry.answer(f"GET {at}/3/set", compiled_set(texts), ETag="x")


def test_what_a_tree_cannot_be_is_told(push: Pushes) -> None:
    assert "Nothing says what the module in '.' is called: say --module." in push.refused()
    push.write("note.txt", "")
    assert ".: no .proto file; name the folder that imports begin in" in push.refused("--module", "shop")
    push.write("google/protobuf/any.proto", "")
    assert "no .proto file" in push.refused("--module", "shop")
    assert "There is no module at 'base'." in push.refused("--module", "base=base", "--module", "shop")
    push.write("buf.yaml", "version: v2\nmodules: [{path: a, name: x}, {path: b, name: x}]\n")
    push.write("a/item.proto", PLAIN)
    push.write("b/item.proto", PLAIN)
    assert "Two modules are called 'x'" in push.refused()
    both = ("--module", "a=one", "--module", "b=two")
    assert "There are several modules: say --module PATH=NAME." in push.refused("--module", "y", *both)
    assert "a/item.proto and b/item.proto are both imported as 'item.proto'" in push.refused(*both)
    assert "there is no rule or category 'NONE'" in _with_rules(push, both)


def _with_rules(push: Pushes, both: tuple[str, ...]) -> str:
    push.write("b/item.proto", 'syntax = "proto3"; package two;')
    (push.write("b/item.proto", "")).rename("b/other.proto")
    push.write("buf.yaml", "version: v2\nmodules: [{path: a}, {path: b}]\nlint: {use: [NONE]}\n")
    return push.refused(*both)


def test_modules_that_import_each_other_in_a_circle_are_refused(push: Pushes) -> None:
    push.write(
        "buf.yaml",
        "version: v2\nmodules: [{path: a, name: a}, {path: b, name: b}]\nlint: {use: [IMPORT_NO_PUBLIC]}\n",
    )
    push.write("a/1.proto", 'syntax = "proto3"; import "2.proto"; message A { B b = 1; }')
    push.write("b/2.proto", 'syntax = "proto3"; message B {}')
    push.write("b/3.proto", 'syntax = "proto3"; import "1.proto"; message C { A a = 1; }')
    assert "modules import each other in a circle: " in push.refused()


def test_files_come_from_the_versions_that_are_pinned(push: Pushes) -> None:
    push.write("cart.proto", USES)
    push.has("acme.base", {"item.proto": PLAIN})
    push.write(
        "buf.yaml",
        "version: v1\nname: shop\ndeps: [buf.build/acme/base, acme/gone]\nlint: {use: [IMPORT_NO_WEAK]}\n",
    )
    push.registry.answer(
        f"POST {BASE}/shop/versions?depends=acme.base%403", {**MADE, "judgement": CLEAN}, 201
    )
    done = push()
    assert done.stdout.splitlines() == [
        "buf.yaml:3:29: the registry has no module 'acme.gone' for it; no file needs it",
        "shop version 1, with acme.base@3, digest ab",
    ], done.stderr
    sent = push.registry.asked[-1].body
    assert sent == {"texts": {"cart.proto": USES}}
    assert "has no 'a/b'" in push.refused("--depends", "a/b=c")
    assert push("--depends", "gone").exit_code == 1
    push.registry.answer(f"POST {BASE}/shop/check?depends=acme.base%403", CLEAN)
    dry = push(
        "--dry-run", "--depends", "acme/gone=acme.base@3", "--depends", "acme.base@3", "--output", "json"
    )
    assert json.loads(dry.stdout)["modules"][0]["is_allowed"]


def test_what_nobody_has_is_told_where_it_is_imported(push: Pushes) -> None:
    push.write("cart.proto", USES)
    push.write("buf.yaml", "version: v1\nname: shop\ndeps: [acme/base]\n")
    done = push()
    assert done.exit_code == 2
    assert done.stdout.startswith(
        'cart.proto:1:34: block COMPILE: Import "item.proto" was not found or had errors;'
    )
    assert "has no module 'acme.base' for it" in done.stdout
    push.write("cart.proto", 'syntax = "proto3"; message A { A a = 1; int32 b = 1; }')
    assert push().stdout.startswith("cart.proto:1:51: block COMPILE: Field number 1 has already been used")
    push.write("a\\b.proto", "")
    assert "a\\b.proto: block COMPILE: The import path" in push().stdout


FINDING = {"path": "/item.proto/messages/Item/fields/1", "severity": "block", "rule": "R", "sentence": "No."}
GONE = {**FINDING, "path": "/gone.proto"}
SAID = {
    "lint": [{"file": "item.proto", "line": 1, "column": 9, "severity": "warn", "rule": "L", "message": "M."}]
}
COMPARED = {"comparisons": [{"direction": "backward", "version": 2, "findings": [FINDING, GONE]}]}


def test_what_a_registry_refuses_is_told_in_the_places_of_the_tree(push: Pushes) -> None:
    push.write("item.proto", PLAIN)
    at = f"POST {BASE}/shop/versions"
    push.registry.answer(at, {"code": "x", "detail": "d", **SAID, **COMPARED}, 409)
    done = push("--module", "shop")
    assert done.stdout.splitlines() == [
        "item.proto:1:9: warn L: M.",
        "item.proto:1:49: block R: No. (backward, version 2)",
        ".: block R: No. (backward, version 2)",
    ]
    assert done.exit_code == 1
    told = json.loads(push("--module", "shop", "--json").stdout)
    assert (told["is_allowed"], told["remarks"][0]["line"], told["remarks"][0]["site"]) == (
        False,
        1,
        "item.proto:1:9",
    )
    own = {"own": [{**FINDING, "rule": "DOC_MISSING", "sentence": "the field 'name' has no doc"}]}
    at = f"POST {BASE}/shop/versions?property=owner%3Dus"
    push.registry.answer(at, {"code": "content_refused", "detail": "d", **own}, 422)
    asked = push("--module", "shop", "--property", "owner=us").stdout
    assert asked.splitlines() == ["item.proto:1:49: block DOC_MISSING: the field 'name' has no doc"]
    push.registry.answer(f"POST {BASE}/other/versions", {"code": "x", "detail": "It only reads."}, 422)
    assert "It only reads." in push("--module", "other").stderr


def test_of_several_modules_none_is_stored_where_one_is_refused(push: Pushes) -> None:
    push.write(
        "buf.yaml",
        "version: v2\nmodules: [{path: a, name: a}, {path: b, name: b}]\nlint: {use: [IMPORT_NO_WEAK]}\n",
    )
    push.write("a/item.proto", PLAIN)
    push.write("b/cart.proto", USES)
    push.registry.answer(f"POST {BASE}/a/check", CLEAN)
    push.registry.answer(f"POST {BASE}/b/check", {**CLEAN, "comparisons": COMPARED["comparisons"]})
    done = push("--policy", "drop-in", "--dry-run")
    assert done.exit_code == 1, done.stderr
    assert done.stdout.splitlines()[-2:] == [
        "a would be stored, by level NONE and preset p",
        "b would be refused, by level NONE and preset p",
    ]
    assert push().exit_code == 1
    assert {one.target for one in push.registry.asked} == {f"{BASE}/a/check", f"{BASE}/b/check"}


def test_the_version_that_is_gone_on_from_is_sent_along(push: Pushes) -> None:
    push.write("a/item.proto", PLAIN)
    push.registry.answer(f"POST {BASE}/shop/versions?expect=0", MADE)
    assert push("a", "--module", "shop", "--expect", "0").exit_code == 0
    push.write("b/cart.proto", USES)
    push.write("buf.yaml", "version: v2\nmodules: [{path: a, name: a}, {path: b, name: b}]\n")
    assert "--expect is about one module" in push.refused("--expect", "2")


def test_who_may_store_and_not_check_stores(push: Pushes) -> None:
    push.write(
        "buf.yaml",
        "version: v2\nmodules: [{path: a, name: a}, {path: b, name: b}]\nlint: {use: [IMPORT_NO_WEAK]}\n",
    )
    push.write("a/item.proto", PLAIN)
    push.write("b/cart.proto", USES)
    for name in "ab":
        push.registry.answer(f"POST {BASE}/{name}/check", {"code": "right_missing", "detail": "No."}, 403)
    push.registry.answer(f"POST {BASE}/a/versions", {**MADE, "module": "a", "version": 4})
    push.registry.answer(
        f"POST {BASE}/b/versions?depends=a%404", {"code": "x", "detail": "d", **SAID, **COMPARED}, 409
    )
    assert push("--dry-run").exit_code == 1
    done = push()
    assert done.stdout.splitlines()[-1] == "a version 4, digest ab"
    assert done.exit_code == 1


@pytest.mark.parametrize("text", ["", "a@", "a@0", "=a", "a=b=c"])
def test_what_is_no_module_with_a_version_is_refused(text: str, push: Pushes) -> None:
    assert "is not MODULE, MODULE@VERSION or DEP=MODULE[@VERSION]" in push.refused("--depends", text)


def test_the_forms_of_a_needed_module() -> None:
    assert depend("a") == Depend("a")
    assert depend("a@2") == Depend("a", 2)
    assert depend("x/y=a@2") == Depend("a", 2, "x/y")


def test_a_files_home_is_the_module_that_owns_it() -> None:
    old, new = ({"item.proto": PLAIN.replace("Item", name)} for name in ("Old", "New"))
    user = Pin("user", 1, compiled_set(old))
    owner = Pin("owner", 2, compiled_set(new), frozenset(("item.proto",)))
    pins = Pins((user, owner))
    assert pins.homes(["item.proto"]) == ["owner@2"]
    assert pins.known == owner.entries["item.proto"]
    assert Pins((user,)).homes(["item.proto", "none.proto"]) == ["user@1"]


def test_all_that_is_imported_is_reached_once() -> None:
    texts = {"item.proto": PLAIN, "a.proto": USES, "b.proto": USES.replace("Cart", "Other")}
    assert reached(compile_texts(texts), ["a.proto", "b.proto"]) == {"item.proto"}
