"""The clients of other languages by name, each started when a test first asks for it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from accord_server.dev import bootstrap, programs
from tests.e2e.clients.driver import Driver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.e2e.platform import Platform

JAVA: Final = bootstrap.CLIENTS / "java"


def node(script: str) -> Sequence[str]:
    """Return the command of a driver in JavaScript."""
    program = shutil.which("node", path=bootstrap.path_with_node())
    return str(program), str(bootstrap.CLIENTS / "node" / script)


def go(client: str, folder: Path) -> Sequence[str]:
    """Build the driver in Go and return its command."""
    program = folder / "go-clients"
    bootstrap.build_go(program)
    return str(program), client


def java(name: str, folder: Path) -> Sequence[str]:
    """Compile the driver in Java and return its command."""
    jars = str(JAVA / "jars" / "*")
    release = ("--release", str(programs.OLDEST_JAVA), "-nowarn")
    compiler = str(programs.java_program("javac"))
    programs.call(compiler, *release, "-cp", jars, "-d", str(folder), str(JAVA / f"{name}.java"))
    # Compiling a short run thoroughly costs more than it saves.
    return str(programs.java_program("java")), "-XX:TieredStopAtLevel=1", "-cp", f"{jars}:{folder}", name


COMMANDS: Final[dict[str, Callable[[Path], Sequence[str]]]] = {
    "confluent-js": lambda _folder: node("confluent.mjs"),
    "kafkajs": lambda _folder: node("kafkajs.mjs"),
    "franz-go": lambda folder: go("franz", folder),
    "lensesio-go": lambda folder: go("lensesio", folder),
    "confluent-java": lambda folder: java("FlinkClient", folder),
}


@dataclass
class Clients:
    """The running clients of one platform; ``folder`` holds what is built and their complaints."""

    platform: Platform
    folder: Path
    running: dict[str, Driver] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Driver:
        if name not in self.running:
            self.running[name] = self.start(name, self.platform.registry_url)
        return self.running[name]

    def start(self, name: str, url: str) -> Driver:
        """Start a client of the registry at ``url``; the caller stops it."""
        environment = {**os.environ, "ACCORD_URL": url, "ACCORD_TOKEN": self.platform.token}
        return Driver.start(COMMANDS[name](self.folder), environment, self.folder / f"{name}.log")

    def stop(self) -> None:
        """End them all."""
        for driver in self.running.values():
            driver.stop()
