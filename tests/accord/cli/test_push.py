"""`accord push`, against the real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.accord.cli.conftest import Live
from tests.accord.protobuf_texts import COMPILER

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.accord.cli.conftest import Program, Repository
    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)

ITEM = 'syntax = "proto3";\npackage base.v1;\n\nmessage Item {\n  string name = 1;\n}\n'
ORDER = """syntax = "proto3";
package shop.v1;

import "base/v1/item.proto";

// An order, as it was written.
message Order {
  repeated base.v1.Item items = 1;
}
"""
TWO = """version: v2
modules:
  - path: shop
    name: buf.build/acme/shop
  - path: base
    name: buf.build/acme/base
lint:
  use: [STANDARD]
"""


@pytest.fixture
def admin(
    granian_server: Callable[..., RunningProcess],
    accord: Program,
    alice: Actor,
    token_for: TokenFor,
    repository: Repository,  # the folder that it runs in
) -> Live:
    """The program as an administrator, of a server that has a compiler."""
    COMPILER.start()
    server = granian_server(ACCORD_COMPILER_SOCKET=COMPILER.socket_path)
    return Live(accord, server.url + "/sr/north/default", token_for(alice))


def pushed(admin: Live, *arguments: str) -> Any:
    done = admin("push", *arguments, "--json")
    assert done.exit_code == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def test_a_folder_becomes_a_module_and_another_is_made_with_it(admin: Live, repository: Repository) -> None:
    repository.write("base/base/v1/item.proto", ITEM)
    repository.write("shop/shop/v1/order.proto", ORDER)
    dry = admin("push", "base", "--module", "base", "--dry-run")
    assert dry.stdout.startswith("base would be stored, by level "), dry.stdout + dry.stderr
    assert admin("descriptors", "list").stdout == ""
    assert admin("push", "base", "--module", "base").stdout.startswith("base version 1, digest ")
    assert admin("push", "base", "--module", "base").stdout.startswith("base version 1, as it was, digest ")
    lost = admin("push", "shop", "--module", "shop")
    assert lost.exit_code == 2
    assert lost.stdout.startswith('shop/shop/v1/order.proto:4:1: block COMPILE: Import "base/v1/item.proto"')
    assert "--depends" in lost.stdout
    (made,) = pushed(admin, "shop", "--module", "shop", "--depends", "base")["modules"]
    assert (made["version"], made["is_new"], made["depends"]) == (1, True, ["base@1"])
    repository.write("base/base/v1/item.proto", ITEM.replace("string name", "int32 name"))
    bad = admin("push", "base", "--module", "base")
    assert bad.exit_code == 1
    assert bad.stdout.startswith("base/base/v1/item.proto:5:"), bad.stdout
    assert admin("push", "shop", "--module", "shop", "--depends", "none").exit_code == 1


def test_modules_of_one_tree_go_in_the_order_they_need_each_other(
    admin: Live, repository: Repository
) -> None:
    repository.write("buf.yaml", TWO)
    repository.write("base/base/v1/item.proto", ITEM)
    repository.write("shop/shop/v1/order.proto", ORDER)
    dry = pushed(admin, "--dry-run")
    assert [(one["module"], one["is_allowed"]) for one in dry["modules"]] == [
        ("acme.base", True),
        ("acme.shop", True),
    ]
    made = pushed(admin)["modules"]
    assert [(one["module"], one["version"], one["depends"]) for one in made] == [
        ("acme.base", 1, []),
        ("acme.shop", 1, ["acme.base@1"]),
    ]
    repository.write("base/base/v1/item.proto", ITEM.replace("string name", "string Name"))
    bad = admin("push", "--module", "base=base", "--module", "shop=shop", "--warnings-as-errors")
    warning = "base/base/v1/item.proto:5:10: warn FIELD_LOWER_SNAKE_CASE: "
    assert bad.stdout.splitlines()[0].startswith(warning), bad.stdout + bad.stderr
    assert bad.exit_code == 1
    assert admin("push").stdout.splitlines()[1].startswith("acme.base version 2, digest ")
