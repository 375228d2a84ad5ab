"""A port is free when a server could listen on it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from accord_server.dev import ports

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as server:
        server.bind((ports.LOOPBACK, ports.free_port()))
        server.listen()
        yield server.getsockname()[1]


def test_a_port_that_somebody_listens_on_is_not_free(taken: int) -> None:
    assert not ports.is_free(taken)


def test_the_wanted_port_is_given_if_free() -> None:
    wanted = ports.free_port()
    assert ports.first_free(wanted) == wanted


def test_the_next_free_port_is_given_if_not(taken: int) -> None:
    assert taken < ports.first_free(taken) < taken + 50


def test_no_free_port_in_reach_is_said(taken: int) -> None:
    with pytest.raises(ports.NoFreePort, match=str(taken)):
        ports.first_free(taken, tries=1)


def test_ports_are_out_of_the_way_of_outgoing_connections() -> None:
    assert ports.free_port() in ports.CHOICE
    assert ports.CHOICE.stop <= 32_768
