"""From where a caller may come."""

from __future__ import annotations

import pytest

from accord_server.kit.networks import Networks, read_network


def networks(within: str = "", outside: str = "") -> Networks:
    def read(text: str) -> tuple[object, ...]:
        return tuple(read_network(one) for one in text.split())

    return Networks(read(within), read(outside))  # type: ignore[arg-type]  # all of them can be read


@pytest.mark.parametrize(
    ("within", "outside", "address", "is_admitted"),
    [
        ("10.0.0.0/8", "", "10.1.2.3", True),
        ("10.0.0.0/8", "", "11.1.2.3", False),
        ("10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", False),
        ("", "10.1.0.0/16", "192.0.2.1", True),
        ("10.0.0.0/8 2001:db8::/32", "", "2001:db8::1", True),
        ("10.0.0.0/8", "", "::ffff:10.1.2.3", True),
        ("fe80::/10", "", "fe80::1%eth0", True),
        ("", "10.0.0.0/8", "unix:", False),
        ("", "10.0.0.0/8", None, False),
    ],
)
def test_who_is_let_in(within: str, outside: str, address: str | None, *, is_admitted: bool) -> None:
    assert networks(within, outside).admits(address) is is_admitted


@pytest.mark.parametrize("text", ["", "x", "10.0.0.1/8", "10.0.0.0/99", "fe80::1%eth0", "1" * 60])
def test_what_is_no_network(text: str) -> None:
    assert read_network(text) is None


@pytest.mark.parametrize(
    ("wide", "narrow", "spans"),
    [
        ("10.0.0.0/8", "10.1.0.0/16 10.2.0.1", True),
        ("10.0.0.0/8", "11.0.0.0/8", False),
        ("10.0.0.0/8", "2001:db8::/32", False),
        ("", "2001:db8::/32", True),
    ],
)
def test_which_networks_lie_in_others(wide: str, narrow: str, *, spans: bool) -> None:
    assert networks(wide).spans(networks(narrow)) is spans
