"""Namespaces over HTTP: created, read, changed, deleted and brought back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tenants import tasks
from tests.cast import bearer
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

PLACE = "/api/v1/tenants/north/namespaces"
DELETED = "/api/v1/tenants/north/deleted-namespaces"
WHATEVER = {"If-Match": "*"}


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


def make(caller: Caller, slug: str, **members: Any) -> Any:
    answer = caller.send("POST", PLACE, {"slug": slug, "template": None, **members})
    assert answer.status_code == 201, answer.content
    return document(answer)


def test_one_is_created_with_all_that_is_said_of_it(admin: Caller) -> None:
    said = {
        "name": "Payments",
        "description": "Money",
        "labels": ["team/pay", "gold"],
        "properties": {"cost-centre": "42"},
        "format": "AVRO",
    }
    answer = admin.send("POST", PLACE, {"slug": "pay", "template": "drop-in", **said})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"{PLACE}/pay"
    shown = document(admin.send("GET", f"{PLACE}/pay"))
    assert {name: shown[name] for name in said} == {**said, "labels": ["gold", "team/pay"]}
    assert document(admin.send("GET", f"{PLACE}/pay/policy-binding"))["policy"] == "drop-in"


def test_it_begins_as_somebody_chose(admin: Caller) -> None:
    answer = admin.send("POST", PLACE, {"slug": "pay"})
    assert (answer.status_code, document(answer)["errors"][0]["pointer"]) == (400, "#/template")


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"labels": ["ok", "not ok"]}, "/labels/1"),
        ({"properties": {"not ok": "1"}}, "/properties"),
        ({"name": " "}, "name"),
        ({"properties": {f"k{number}": "" for number in range(51)}}, "/properties"),
        ({"format": "XML"}, "format"),
    ],
)
def test_what_cannot_be_stored_is_named(admin: Caller, members: dict[str, Any], place: str) -> None:
    answer = admin.send("POST", PLACE, {"slug": "pay", "template": None, **members})
    assert answer.status_code in {400, 422}
    assert place in document(answer)["detail"]


def test_a_name_that_is_taken_is_refused_even_by_a_deleted_one(admin: Caller) -> None:
    make(admin, "pay")
    assert admin.send("DELETE", f"{PLACE}/pay?confirm=pay", None, WHATEVER).status_code == 204
    answer = admin.send("POST", PLACE, {"slug": "pay", "template": None})
    assert (answer.status_code, document(answer)["code"]) == (409, "slug_taken")


def test_a_change_names_what_it_was_made_for(admin: Caller) -> None:
    make(admin, "pay", labels=["gold"])
    etag = admin.send("GET", f"{PLACE}/pay").headers["ETag"]
    blind = admin.send("PATCH", f"{PLACE}/pay", {"name": "Pay"})
    changed = admin.send("PATCH", f"{PLACE}/pay", {"name": "Pay"}, {"If-Match": etag})
    late = admin.send("PATCH", f"{PLACE}/pay", {"name": "Late"}, {"If-Match": etag})
    assert [blind.status_code, changed.status_code, late.status_code] == [428, 200, 412]
    assert (document(late)["code"], document(changed)["labels"]) == ("changed_meanwhile", ["gold"])
    assert changed.headers["ETag"] != etag
    again = admin.send("PATCH", f"{PLACE}/pay", {"name": "Pay"}, {"If-Match": changed.headers["ETag"]})
    assert again.headers["ETag"] == changed.headers["ETag"]


def test_who_has_it_already_is_told_so(admin: Caller) -> None:
    etag = admin.send("GET", f"{PLACE}/default").headers["ETag"]
    assert admin.send("GET", f"{PLACE}/default", None, {"If-None-Match": etag}).status_code == 304


def test_a_deleted_one_is_nowhere_and_comes_back_whole(admin: Caller) -> None:
    make(admin, "pay")
    subject = "/sr/north/pay/subjects/orders/versions"
    assert admin.send("POST", subject, {"schema": '"int"'}).status_code == 200
    assert admin.send("DELETE", f"{PLACE}/pay?confirm=pay", None, WHATEVER).status_code == 204
    assert {admin.send("GET", path).status_code for path in (subject, f"{PLACE}/pay")} == {404}
    assert [one["slug"] for one in document(admin.send("GET", DELETED))["items"]] == ["pay"]
    assert admin.send("POST", f"{DELETED}/pay/restore").status_code == 200
    assert document(admin.send("GET", subject)) == [1]
    assert admin.send("POST", f"{DELETED}/pay/restore").status_code == 404


def test_a_deleted_one_tells_how_long_it_is_kept_and_need_not_be(admin: Caller) -> None:
    make(admin, "pay")
    assert admin.send("DELETE", f"{PLACE}/pay?confirm=pay", None, WHATEVER).status_code == 204
    (one,) = document(admin.send("GET", DELETED))["items"]
    kept = datetime.fromisoformat(one["kept_until"]) - datetime.fromisoformat(one["deleted_at"])
    assert (kept, one["purge_begun_at"]) == (timedelta(days=30), None)
    unsure = admin.send("POST", f"{DELETED}/pay/purge", {"confirm": "yes"})
    assert (unsure.status_code, document(unsure)["code"]) == (422, "not_confirmed")
    # Asked for twice is asked for once.
    answers = [admin.send("POST", f"{DELETED}/pay/purge", {"confirm": "pay"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert len({document(answer)["purge_begun_at"] for answer in answers}) == 1
    late = admin.send("POST", f"{DELETED}/pay/restore")
    assert (late.status_code, document(late)["code"]) == (409, "namespace_going")
    assert tasks.purge_deleted() == 1
    assert admin.send("POST", f"{DELETED}/pay/purge", {"confirm": "pay"}).status_code == 404
    make(admin, "pay")


def test_deletion_is_confirmed_by_name_and_never_takes_the_tenants_own_address(admin: Caller) -> None:
    make(admin, "pay")
    answers = [
        admin.send("DELETE", f"{PLACE}/pay", None, WHATEVER),
        admin.send("DELETE", f"{PLACE}/default?confirm=default", None, WHATEVER),
        admin.send("DELETE", f"{PLACE}/pay?confirm=pay", None, {"If-Match": '"9"'}),
    ]
    assert [(one.status_code, document(one)["code"]) for one in answers] == [
        (422, "not_confirmed"),
        (409, "namespace_fixed"),
        (412, "changed_meanwhile"),
    ]


def test_a_list_shows_what_is_open_part_by_part(admin: Caller, carol: Actor, token_for: TokenFor) -> None:
    make(admin, "pay", labels=["gold"])
    first = document(admin.send("GET", f"{PLACE}?limit=2"))
    rest = document(admin.send("GET", f"{PLACE}?limit=2&cursor={first['next']}"))
    assert [one["slug"] for one in first["items"] + rest["items"]] == ["default", "pay", "payments"]
    assert rest["next"] is None
    assert [one["slug"] for one in document(admin.send("GET", f"{PLACE}?label=gold"))["items"]] == ["pay"]
    seen = document(Caller(bearer(token_for(carol))).send("GET", PLACE))
    assert [one["slug"] for one in seen["items"]] == ["payments"]


def test_a_list_costs_the_same_however_long_it_is(admin: Caller) -> None:
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            admin.send("GET", PLACE)
        return len(counted)

    cost()
    few = cost()
    for number in range(5):
        make(admin, f"more-{number}")
    cost()
    assert cost() == few


def test_a_namespace_takes_one_format_where_that_is_fixed(admin: Caller) -> None:
    make(admin, "pay", format="AVRO")
    path = "/sr/north/pay/subjects/orders/versions"
    refused = admin.send("POST", path, {"schema": '{"type": "object"}', "schemaType": "JSON"})
    assert (refused.status_code, document(refused)["error_code"]) == (422, 42201)
    assert "AVRO schemas alone" in document(refused)["message"]
    assert admin.send("POST", path, {"schema": '"int"'}).status_code == 200
    assert admin.send("PATCH", f"{PLACE}/pay", {"format": None}, WHATEVER).status_code == 200
    other = {"schema": '{"type": "object"}', "schemaType": "JSON"}
    assert admin.send("POST", path.replace("orders", "bills"), other).status_code == 200
