"""What the how-to shows: a program that reads records, and notices when their schema has changed."""

from __future__ import annotations

import json
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.client import RegistryClient, descriptors
from accord.formats.protobuf.descriptors import message_class, message_type
from tests.accord.protobuf_texts import COMPILER
from tests.cast import bearer
from tests.registry.descriptors.asking import GROWN, TEXTS, compiled_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)

HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "descriptors.md"
LIMIT = 64 * 1024
FENCE = "```python\n"


def program() -> str:
    """The program of the page."""
    return HOW_TO.read_text().split(FENCE, 1)[1].split("```", 1)[0]


@pytest.fixture
def address(granian_server: Callable[..., RunningProcess]) -> str:
    COMPILER.start()
    return granian_server(ACCORD_COMPILER_SOCKET=COMPILER.socket_path).url + "/sr/north/default"


def written(texts: dict[str, str], **values: object) -> bytes:
    kind = message_class(message_type(compiled_set(texts), "shop.Order"))
    return kind(**values).SerializeToString()


def test_the_program_of_the_page_decodes_and_refreshes(
    address: str, alice: Actor, token_for: TokenFor, tmp_path: Path
) -> None:
    token = token_for(alice)
    new = written(GROWN, note="hello")
    drive = f"""
shelf = Shelf({address!r}, "shop", "shop.Order", {bearer(token)!r})
assert shelf.refresh()
assert not shelf.refresh()
before = shelf.decode({new!r})
assert "note" not in before.DESCRIPTOR.fields_by_name
print("ready", flush=True)
input()
assert shelf.refresh()
assert shelf.decode({new!r}).note == "hello"
assert not shelf.refresh()
print("done", flush=True)
"""
    (tmp_path / "reader.py").write_text(program() + drive)
    with RegistryClient(address, token) as client:
        assert descriptors.push(client, "shop", compiled_set(TEXTS))["version"] == 1
        with subprocess.Popen(
            [sys.executable, "reader.py"],
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as reader:
            assert reader.stdout is not None
            assert reader.stdout.readline() == "ready\n"
            assert descriptors.push(client, "shop", compiled_set(GROWN))["version"] == 2
            told, _ = reader.communicate("\n", timeout=60)
    assert (told, reader.returncode) == ("done\n", 0)


def test_the_client_asks_only_for_what_it_lacks(address: str, alice: Actor, token_for: TokenFor) -> None:
    with RegistryClient(address, token_for(alice)) as client:
        descriptors.push(client, "shop", compiled_set(TEXTS))
        wanted = descriptors.Wanted("shop")
        first = descriptors.pull(client, wanted)
        assert first is not None
        assert first.data == compiled_set(TEXTS)
        assert descriptors.pull(client, wanted, known=first.tag) is None
        assert [one["name"] for one in descriptors.modules(client)] == ["shop"]


def test_a_set_that_is_too_long_is_refused_before_it_is_read(
    granian_server: Callable[..., RunningProcess], alice: Actor, token_for: TokenFor
) -> None:
    server = granian_server(ACCORD_DESCRIPTOR_LIMIT=str(LIMIT), ACCORD_BODY_LIMIT=str(LIMIT))
    path = "/sr/north/default/descriptors/modules/shop/versions"
    headers = {"Authorization": bearer(token_for(alice)), "Content-Type": "application/octet-stream"}
    pieces = iter([b"\x00" * LIMIT, b"\x00"])
    connection = HTTPConnection("127.0.0.1", int(server.url.rpartition(":")[2]), timeout=60)
    connection.request("POST", path, pieces, headers, encode_chunked=True)
    answer = connection.getresponse()
    told = json.loads(answer.read())
    assert (answer.status, told["code"], told["status"]) == (413, "content_too_large", 413)
    connection.close()
