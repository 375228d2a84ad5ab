"""Names in other cases, exactly as Buf spells them, and versions of packages."""

from __future__ import annotations

import pytest

from accord.lint.field_case import in_case
from accord.lint.profile import FieldCase
from accord.lint.spelling import camel_case, pascal_case, snake_case, upper_snake_case
from accord.lint.versions import is_stable, is_unstable, version_of

NAMES = """
userId user_id UserId
ID id ID
HTTPServerName http_server_name HTTPServerName
fooBAR foo_bar FooBAR
a__b a_b AB
_y y Y
x_ x X
HTTP2Server http2_server HTTP2Server
IPv4 i_pv4 IPv4
HTTPStatus http_status HTTPStatus
iOSApp i_os_app IOSApp
v2Name v2_name V2Name
Foo1Bar foo1_bar Foo1Bar
A1B a1b A1B
a1B a1b A1B
aB1 a_b1 AB1
List_Users list_users ListUsers
foo-bar.baz foo_bar_baz FooBarBaz
a1 a1 A1
a_1 a_1 A1
"""


@pytest.mark.parametrize(("name", "snake", "pascal"), [line.split() for line in NAMES.split("\n")[1:-1]])
def test_names_in_other_cases(name: str, snake: str, pascal: str) -> None:
    assert snake_case(name) == snake
    assert upper_snake_case(name) == snake.upper()
    assert pascal_case(name) == pascal


def test_camel_case_begins_small_and_nothing_stays_nothing() -> None:
    assert camel_case("list_users") == camel_case("ListUsers") == "listUsers"
    assert (camel_case(""), snake_case("__"), pascal_case(" ")) == ("", "", "")


@pytest.mark.parametrize(
    ("name", "case", "wanted"),
    [
        ("totalCents", FieldCase.SNAKE, ("total_cents",)),
        ("total_cents", FieldCase.CAMEL, ("totalCents",)),
        ("TotalCents", FieldCase.EITHER, ("totalCents", "total_cents")),
        ("Total_Cents", FieldCase.EITHER, ("total_cents", "totalCents")),
    ],
)
def test_fields_are_spelled_as_asked(name: str, case: FieldCase, wanted: tuple[str, ...]) -> None:
    assert in_case(name, case) == wanted


@pytest.mark.parametrize("package", ["foo.bar.v1", "a.v12"])
def test_stable_versions(package: str) -> None:
    assert is_stable(package)
    assert not is_unstable(package)


@pytest.mark.parametrize("last", ["v1beta1", "v1alpha", "v1test", "v1testfoo", "v2p1alpha3", "v1p2beta"])
def test_unstable_versions(last: str) -> None:
    assert is_unstable(f"foo.{last}")
    assert version_of(f"foo.{last}") == last


@pytest.mark.parametrize(
    "package",
    ["foo", "foo.bar", "v1", "a.v0", "foo.v0beta1", "foo.v2beta0", "foo.vv1beta1", "foo.v1test.foo", ""],
)
def test_no_versions(package: str) -> None:
    assert version_of(package) == ""
    assert not is_stable(package)
    assert not is_unstable(package)
