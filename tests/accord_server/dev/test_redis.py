"""The embedded Redis keeps what it acknowledged through every kind of end."""

from __future__ import annotations

import os
import signal
import stat
from typing import TYPE_CHECKING

import pytest
from redis import Redis
from redis.exceptions import AuthenticationError

from accord_server.dev import redis
from accord_server.dev.ports import free_port
from accord_server.dev.processes import AlreadyRunning, DidNotStart

if TYPE_CHECKING:
    from pathlib import Path

    from accord_server.dev.redis import RedisServer


def write_a_value(server: RedisServer) -> None:
    with Redis.from_url(server.url) as client:
        client.set("kept", "here")


def assert_value_is_there(server: RedisServer) -> None:
    with Redis.from_url(server.url) as client:
        assert client.get("kept") == b"here"


def test_data_survives_a_stop_and_a_start(place: Path) -> None:
    first = redis.start(place / "redis")
    write_a_value(first)
    first.stop()
    second = redis.start(place / "redis")
    assert_value_is_there(second)
    second.stop()


def test_data_survives_a_killed_server_that_keeps_its_port(queue: RedisServer) -> None:
    write_a_value(queue)
    port = queue.port
    os.kill(queue.pid, signal.SIGKILL)
    queue.restart()
    assert_value_is_there(queue)
    assert queue.port == port


def test_a_server_without_its_starter_is_ended_by_the_next_start(place: Path) -> None:
    first = redis.start(place / "redis")
    write_a_value(first)
    first.lock.close()  # what the death of the starter does
    second = redis.start(place / "redis")
    assert_value_is_there(second)
    assert first.process.poll() is not None
    second.stop()


def test_a_log_cut_short_by_a_crash_loses_only_its_last_entry(place: Path) -> None:
    first = redis.start(place / "redis")
    write_a_value(first)
    first.stop()
    with (place / "redis" / "appendonly.aof").open("ab") as log:
        log.write(b"*3\r\n$3\r\nSET\r\n$5\r\nhal")
    second = redis.start(place / "redis")
    assert_value_is_there(second)
    second.stop()


def test_a_folder_in_use_is_refused(queue: RedisServer) -> None:
    with pytest.raises(AlreadyRunning, match="in use"):
        redis.start(queue.data)


def test_a_taken_port_is_refused_with_the_end_of_the_log(queue: RedisServer, place: Path) -> None:
    with pytest.raises(DidNotStart, match="Address already in use"):
        redis.start(place / "other", port=queue.port)


def test_a_wanted_port_is_taken(place: Path) -> None:
    wanted = free_port()
    server = redis.start(place / "redis", port=wanted)
    assert server.port == wanted
    server.stop()


def test_no_password_opens_nothing(queue: RedisServer) -> None:
    with Redis(host="127.0.0.1", port=queue.port) as client, pytest.raises(AuthenticationError):
        client.get("kept")


def test_passwords_are_for_their_owner_alone(queue: RedisServer) -> None:
    assert stat.S_IMODE((queue.data / "passwords.json").stat().st_mode) == 0o600


def test_a_folder_name_with_quotes_and_spaces(place: Path) -> None:
    server = redis.start(place / 'a "b" c\\d')
    write_a_value(server)
    server.stop()
