"""The pages of modules: the list, contents, a file, versions, comparison, downloads."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord.formats.protobuf import service
from accord.formats.protobuf.client import CompilerClient
from accord.formats.protobuf.descriptors import FileDescriptorSet
from accord.model import SubjectName
from frontend.pages import modules as pages
from registry.errors import TooBusy
from registry.module_records import UploadSet
from registry.services import demo_modules, module_reading
from registry.services.configuration import change_config
from registry.services.demo_modules import BASE, ORDER_PATH, seed_modules
from registry.services.uploading import upload_set
from tests.accord.protobuf_texts import COMPILER

if TYPE_CHECKING:
    from django.test import Client

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor
    from tests.frontend.conftest import SignedIn

pytestmark = pytest.mark.django_db

MODULES = "/t/north/ns/default/modules/"
# What no two pages share: the secret of the form, and the request's id.
SECRET = re.compile(r'value="[A-Za-z0-9]{64}"|[0-9a-f]{8}-[0-9a-f-]{27}')
ORDERS = MODULES + "shop.orders/"


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    service.use(COMPILER)
    return scope_for(alice)


@pytest.fixture
def shop(scope: Scope) -> None:
    seed_modules(scope)


def shown(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.content
    return answer.content.decode()


@pytest.mark.usefixtures("shop")
def test_the_list_is_searched_and_its_tab_is_there(as_bob: Client) -> None:
    page = shown(as_bob, MODULES)
    assert page.index(">shop.base<") < page.index(">shop.orders<")
    assert ">v3<" in page
    assert ">shop.base<" not in shown(as_bob, MODULES + "?q=ORD")
    assert "No module holds" in shown(as_bob, MODULES + "?q=100%25")
    assert "There is no such page" in shown(as_bob, MODULES + "?page=9")
    assert f'href="{MODULES}"' in shown(as_bob, "/t/north/ns/default/")


def test_an_empty_list_says_how_to_fill_it(as_bob: Client, signed_in: SignedIn) -> None:
    assert "accord push proto --module shop" in shown(as_bob, MODULES)
    some = signed_in("dora", "viewer", subjects="orders-*")
    assert "Nothing here is open to you" in shown(some, MODULES)


@pytest.mark.usefixtures("shop")
def test_what_may_not_be_read_is_not_there(as_mallory: Client, signed_in: SignedIn) -> None:
    some = signed_in("dora", "viewer", subjects="shop.b*")
    assert ">shop.orders<" not in shown(some, MODULES)
    for one in ("", "versions", "diff", f"file?path={ORDER_PATH}", "set", "zip"):
        there, gone = (shown(some, f"{MODULES}{name}/{one}", 404) for name in ("shop.orders", "gone"))
        assert SECRET.sub("", there) == SECRET.sub("", gone).replace("/gone/", "/shop.orders/")
        shown(as_mallory, ORDERS + one, 404)
    shown(some, MODULES + "shop.base/")


@pytest.mark.usefixtures("shop")
def test_the_contents_of_a_version_by_kind(as_bob: Client) -> None:
    page = shown(as_bob, ORDERS)
    assert ">shop/orders/v1/order.proto<" in page
    assert "shop/base/v1/money.proto" not in page
    assert 'Services <span class="count">1</span>' in page
    assert "imported" in shown(as_bob, ORDERS + "?imports=1&show=nonsense")
    types = shown(as_bob, ORDERS + "?show=types&q=STATE")
    assert ">shop.orders.v1.OrderState<" in types
    assert ">shop.orders.v1.Order<" not in types
    assert "stream shop.orders.v1.FollowOrdersResponse" in shown(as_bob, ORDERS + "?show=services")
    assert "shop/orders/v1/order_service.proto" in shown(as_bob, ORDERS + "?show=packages")
    assert "This version declares none" in shown(as_bob, ORDERS + "?v=1&show=services")
    assert "Nothing here holds" in shown(as_bob, ORDERS + "?q=nothing")
    assert "There is no such page" in shown(as_bob, ORDERS + "?page=9")
    for version in ("9", "x"):
        shown(as_bob, ORDERS + f"?v={version}", 404)


@pytest.mark.usefixtures("shop")
def test_a_file_is_shown_as_it_was_written(as_bob: Client) -> None:
    page = shown(as_bob, f"{ORDERS}file?v=3&path={ORDER_PATH}")
    assert "// An order as the shop took it." in page
    assert '<span class="tw">message</span>' in page
    assert "Show all lines" not in page
    shown(as_bob, ORDERS + "file?path=none.proto", 404)


def test_a_long_file_is_shown_in_parts(scope: Scope, as_bob: Client) -> None:
    text = 'syntax = "proto3";\n' + "// more\n" * 2_000
    upload_set(scope, UploadSet("long", texts={"a.proto": text + "message A {}"}))
    assert "The first 1500 of 2002 lines" in shown(as_bob, MODULES + "long/file?path=a.proto")
    assert "2002" in shown(as_bob, MODULES + "long/file?path=a.proto&lines=all")


@pytest.mark.usefixtures("shop")
def test_versions_are_listed_and_lead_to_what_changed(as_bob: Client) -> None:
    page = shown(as_bob, ORDERS + "versions")
    assert page.index("?v=3") < page.index("?v=1")
    assert "diff?from=2&amp;to=3" in page
    assert "from=0" not in page
    assert "There is no such page" in shown(as_bob, ORDERS + "versions?page=3")


@pytest.mark.usefixtures("shop")
def test_two_versions_are_compared(as_bob: Client) -> None:
    page = shown(as_bob, f"{ORDERS}diff?from=1&to=2&file={ORDER_PATH}")
    assert "shop/orders/v1/order_service.proto" in page
    assert "FIELD_ADDED" in page
    assert "ship_to" in page
    assert "Both sides are the same version" in shown(as_bob, ORDERS + "diff?from=2&to=2")
    assert "There is only one version so far" in shown(as_bob, MODULES + "shop.base/diff")
    new = shown(as_bob, f"{ORDERS}diff?from=1&to=2&file=shop/orders/v1/order_service.proto")
    assert "OrderService" in new
    shown(as_bob, ORDERS + "diff?to=9", 404)


@pytest.mark.usefixtures("shop")
def test_comments_alone_make_no_difference(scope: Scope, as_bob: Client) -> None:
    texts = {path: "// Again.\n" + text for path, text in BASE.items()}
    upload_set(scope, UploadSet("shop.base", texts=texts))
    assert "No compiled file differs" in shown(as_bob, MODULES + "shop.base/diff")


@pytest.mark.usefixtures("shop")
def test_a_busy_server_says_so(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> object:
        raise TooBusy

    monkeypatch.setattr(module_reading, "difference_data", busy)
    assert "Large sets are being compared just now" in shown(as_bob, ORDERS + "diff")


@pytest.mark.usefixtures("shop")
def test_downloads_are_what_the_api_gives(as_bob: Client) -> None:
    whole = as_bob.get(ORDERS + "set?v=1")
    assert whole["Content-Disposition"] == 'attachment; filename="shop.orders-1.pb"'
    assert len(FileDescriptorSet.FromString(whole.content).file) == 4
    part = as_bob.get(ORDERS + "set?name=shop.orders.v1.OrderState")
    assert [one.name for one in FileDescriptorSet.FromString(part.content).file] == [ORDER_PATH]
    assert as_bob.get(ORDERS + "set?name=Nothing").status_code == 404
    archive = as_bob.get(ORDERS + "zip")
    assert zipfile.ZipFile(io.BytesIO(archive.content)).namelist()[0] == ORDER_PATH


@pytest.mark.usefixtures("shop")
def test_of_many_versions_the_newest_are_offered(as_bob: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "OFFERED", 2)
    page = shown(as_bob, ORDERS + "?v=3")
    assert "All 3 versions" in page
    assert '<option value="1"' not in page


@pytest.mark.usefixtures("shop")
def test_the_list_asks_as_often_for_many_as_for_one(as_bob: Client) -> None:
    as_bob.get(MODULES)
    counts = []
    for query in ("", "?q=base"):
        with CaptureQueriesContext(connection) as asked:
            as_bob.get(MODULES + query)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_where_no_compiler_serves_the_demo_brings_one(scope: Scope, as_bob: Client) -> None:
    absent = CompilerClient("/nowhere")
    service.use(absent)
    try:
        demo_modules.seed_modules(scope)
        assert service.compiler() is absent
    finally:
        service.use(COMPILER)
    assert ">shop.orders<" in shown(as_bob, MODULES)


def test_the_life_of_a_version_is_shown_and_led(shop: None, as_alice: Client, as_bob: Client) -> None:
    life = ORDERS + "life?v=1"
    page = shown(as_alice, life)
    assert "Nothing was said with the upload" in page
    sent = as_alice.post(life, {"do": "state", "state": "disabled", "reason": "wrong", "seen": "1"})
    assert (sent.status_code, sent.headers["Location"]) == (302, life)
    assert "enabled → disabled" in shown(as_bob, life)
    assert "Changing it needs version.promote." in shown(as_bob, life)
    # Its contents are told, and not handed out.
    contents = shown(as_bob, ORDERS + "?v=1")
    assert 'role="note"' in contents
    assert "Disabled" in shown(as_bob, ORDERS + "versions")
    for place in ("set", "zip"):
        assert f"{ORDERS}{place}?v=1" not in contents
        assert as_bob.get(f"{ORDERS}{place}?v=1").status_code == 409
    shown(as_bob, f"{ORDERS}file?v=1&path={ORDER_PATH}", 409)
    shown(as_bob, f"{ORDERS}diff?from=1&to=2&file={ORDER_PATH}", 409)
    shown(as_bob, f"{ORDERS}diff?from=1&to=2")
    late = as_alice.post(life, {"do": "state", "state": "enabled", "reason": "right", "seen": "1"})
    assert late.status_code == 409
    assert "changed meanwhile" in late.content.decode()
    assert as_alice.post(life, {"do": "nonsense"}).status_code == 400
    assert as_alice.post(life, {"do": "state", "state": "gone", "seen": "2"}).status_code == 422
    assert (
        as_bob.post(life, {"do": "state", "state": "enabled", "reason": "x", "seen": "2"}).status_code == 403
    )


def test_one_goes_back_to_an_older_version(
    shop: None, scope: Scope, as_alice: Client, as_bob: Client
) -> None:
    change_config(scope, SubjectName("shop.orders"), {"compatibilityLevel": "NONE"})
    assert 'value="rollback"' not in shown(as_bob, ORDERS + "life?v=1")
    assert 'value="rollback"' in shown(as_alice, ORDERS + "life?v=1")
    sent = as_alice.post(ORDERS + "life?v=1", {"do": "rollback"})
    assert (sent.status_code, sent.headers["Location"]) == (302, ORDERS + "life?v=4")
