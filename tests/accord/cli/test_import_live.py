"""`accord import` into the real server, and `accord export` out of it again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from accord.client import RegistryClient
from accord.client.transport import Request
from accord.model import Format, SchemaText, SubjectName
from accord.naming import quote_subject
from accord.transfer import Copy, write
from accord.transfer.records import CopiedVersion, Key
from tests.accord.cli.conftest import Live
from tests.accord.protobuf_texts import COMPILER
from tests.accord.transfer.small_registry import YANDEX, small_registry
from tests.factories import make_namespace
from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    from tests.accord.cli.conftest import Program
    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)
AVRO = {"type": "record", "name": "Base", "fields": [{"name": "id", "type": "int"}]}
USER = {"type": "record", "name": "User", "fields": [{"name": "base", "type": "Base"}]}
PROTO = 'syntax = "proto3";\nmessage A {\n  string é = 1;\n}\n'.replace("é", "e")
PROTO_USER = 'syntax = "proto3";\nimport "a.proto";\nmessage B {\n  A a = 1;\n}\n'
JSON = {"type": "object", "properties": {"ü": {"type": "string"}}}
JSON_USER = {"type": "object", "properties": {"inner": {"$ref": "inner.json"}}}
CONTRACT = {
    "metadata": {"properties": {"owner": "me"}, "tags": {"**.id": ["PII"]}, "sensitive": ["owner"]},
    "ruleSet": {
        "domainRules": [{"name": "r", "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": "1"}]
    },
}


def uses(name: str, subject: str) -> dict[str, Any]:
    return {"references": [{"name": name, "subject": subject, "version": 1}]}


class Namespaces:
    """The namespace that is moved, the one it moves to, and the program at both."""

    def __init__(self, live: Live, folder: Path) -> None:
        self.live, self.folder = live, folder
        self.url = live.url.removesuffix("default")

    def at(self, slug: str, *arguments: str) -> Result:
        return Live(self.live.accord, self.url + slug, self.live.token)(*arguments)

    def client(self, slug: str) -> RegistryClient:
        return RegistryClient(self.url + slug, self.live.token)

    def exported(self, slug: str) -> bytes:
        path = self.folder / f"{slug}.jsonl"
        done = self.at(slug, "export", str(path), "--source-name", "x")
        assert done.exit_code == 0, done.output
        return path.read_bytes()

    def fill(self) -> None:
        """Put a bit of everything into the source."""
        with self.client("default") as client:

            def register(subject: str, schema: object, **more: Any) -> None:
                text = schema if isinstance(schema, str) else json.dumps(schema)
                path = f"/subjects/{quote_subject(subject)}/versions"
                client.send(Request("POST", path, {}, {"schema": text, **more}))

            register("z-base", AVRO)
            register("user", USER, **uses("Base", "z-base"))
            register("user", {**USER, "doc": "second"}, **uses("Base", "z-base"), **CONTRACT)
            register("a.proto", PROTO, schemaType="PROTOBUF")
            register("b/c ü", PROTO_USER, schemaType="PROTOBUF", **uses("a.proto", "a.proto"))
            register(":.other:inner", JSON, schemaType="JSON")
            register(":.other:outer", JSON_USER, schemaType="JSON", **uses("inner.json", "inner"))
            register(":.other:far", USER, **uses("Base", ":.:z-base"))
            for number in range(3):
                register("gone", {**AVRO, "doc": str(number)})
            client.delete_version("gone", 2)
            register("all-gone", {**USER, "doc": "x"}, **uses("Base", "gone"))
            client.delete_subject("all-gone")
            client.delete_version("gone", 1)
            client.set_level("FULL", "user")
            client.set_level("NONE", ":.other:")
            client.send(Request("PUT", "/mode/user", {}, {"mode": "READONLY"}))


@pytest.fixture
def namespaces(
    granian_server: Callable[..., RunningProcess],
    accord: Program,
    alice: Actor,
    token_for: TokenFor,
    tmp_path: Path,
) -> Namespaces:
    COMPILER.start()
    url = granian_server(ACCORD_COMPILER_SOCKET=COMPILER.socket_path).url
    make_namespace(alice.tenant, "copy")
    made = Namespaces(Live(accord, f"{url}/sr/north/default", token_for(alice)), tmp_path)
    made.fill()
    return made


def test_a_namespace_moves_byte_by_byte(namespaces: Namespaces, tmp_path: Path) -> None:
    first = namespaces.exported("default")
    path = str(tmp_path / "default.jsonl")
    dry = namespaces.at("copy", "import", path, "--dry-run")
    assert (dry.exit_code, "12 versions to register, 3 to delete, 0 are there" in dry.stdout) == (0, True), (
        dry.output
    )
    done = namespaces.at("copy", "import", path)
    assert done.exit_code == 0, done.output
    assert "12 versions registered, 3 deleted, 0 were there" in done.stdout
    assert namespaces.exported("copy") == first
    again = namespaces.at("copy", "import", path)
    assert "0 versions registered, 0 deleted, 12 were there; 0 configs and 0 modes set" in again.stdout
    assert namespaces.exported("copy") == first
    with namespaces.client("copy") as copy, namespaces.client("default") as source:
        identity = source.latest("z-base").id
        assert copy.decode(source.encode(identity, {"id": 5})).value == {"id": 5}
        assert copy.latest(":.other:far").guid == source.latest(":.other:far").guid


MANY, PATIENCE_S = 60, 120


def test_an_import_that_is_killed_goes_on(namespaces: Namespaces, tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    with Copy("x") as source, path.open("wb") as stream:
        for number in range(MANY):
            key = Key(SubjectName(f"s{number % 30}", ".many"), 1 + number // 30)
            text = json.dumps({"type": "fixed", "name": "F", "size": number}, separators=(",", ":"))
            is_deleted = number % 7 == 0
            source.add(CopiedVersion(key, number + 1, None, "AVRO", text, (), None, None, is_deleted))
        write(source, stream)
    arguments = ["import", str(path), "--url", f"{namespaces.url}copy", "--connections", "1"]
    environment = {
        **os.environ,
        "ACCORD_TOKEN": namespaces.live.token,
        "PYTHONPATH": f"{ROOT}:{ROOT}/platform",
    }
    running = subprocess.Popen([sys.executable, "-m", "accord", *arguments], cwd=tmp_path, env=environment)
    with namespaces.client("copy") as client:
        deadline = time.monotonic() + PATIENCE_S
        while len(client.subjects()) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
    running.kill()
    running.wait()
    done = namespaces.at("copy", "import", str(path), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["present"] + told["done"]["registered"] == MANY
    assert told["present"] > 0
    assert told["comparison"]["source_sha256"] == told["comparison"]["target_sha256"]


def test_a_namespace_of_yandex_moves_with_its_rules(namespaces: Namespaces) -> None:
    with small_registry(YANDEX) as source:
        source.extras = {"/compatibility/rules": {"protobuf": "buf"}, "/v1/namespace": {}}
        source.hold("a.proto", 1, id=7, schema=PROTO, schemaType="PROTOBUF")
        source.hold("b", 1, id=9, schema=PROTO_USER, schemaType="PROTOBUF", **uses("a.proto", "a.proto"))
        source.hold("s", 1, id=8, schema='{"type": "string"}')
        source.hold("s", 2, id=3, schema='"int"', deleted=True)
        source.config[SubjectName("")] = {"compatibilityLevel": "FULL"}
        for present in (0, 4):
            done = namespaces.at("copy", "import", source.url)
            assert (done.exit_code, f" {present} were there" in done.stdout) == (0, True), done.output
            assert "3 versions are the same schema in the spelling of this registry" in done.stdout
    in_force = namespaces.at("copy", "policy", "in-force", "b", "--format", "protobuf").stdout
    assert "buf:v1:FILE (policy yandex-buf, version 1" in in_force
    assert "level FULL" in in_force
    with namespaces.client("copy") as copy:
        assert copy.decode(b"\0\0\0\0\x08\x04hi").value == "hi"
        copy.register("s", SchemaText(Format.AVRO, '"string"'))
