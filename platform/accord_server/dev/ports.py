"""Free ports on the loopback address."""

from __future__ import annotations

import random
import socket

from accord_server.dev.errors import Trouble

LOOPBACK = "127.0.0.1"
# Below the range from which the kernel gives ports to outgoing connections, so that no client can
# take the port of a server that is being restarted.
CHOICE = range(20_000, 30_000)


class NoFreePort(Trouble):
    """Nothing in the range could be bound."""


def is_free(port: int, *, host: str = LOOPBACK) -> bool:
    """Tell whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port(*, preferred: int | None = None) -> int:
    """Return the preferred port if it is free, else any free one."""
    if preferred is not None and is_free(preferred):
        return preferred
    for port in random.sample(CHOICE, 200):
        if is_free(port):
            return port
    raise NoFreePort(f"no free port between {CHOICE.start} and {CHOICE.stop} on {LOOPBACK}")


def first_free(start: int, *, tries: int = 50) -> int:
    """Return the first free port from ``start`` upwards."""
    for port in range(start, min(start + tries, 65_536)):
        if is_free(port):
            return port
    raise NoFreePort(f"no free port between {start} and {start + tries}")
