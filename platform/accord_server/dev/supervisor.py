"""One run of the whole platform: stores, tables, demo tenant, processes, and the watch over them."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from accord_server.dev import commands, environment, probe, services
from accord_server.dev.announcement import announcement
from accord_server.dev.errors import Trouble
from accord_server.dev.processes import last_words
from accord_server.dev.services import Child, Watched
from accord_server.dev.stamps import Stamps
from accord_server.dev.state import read_json, write_json
from accord_server.dev.stores import Stores, open_stores

if TYPE_CHECKING:
    from accord_server.dev.processes import Program
    from accord_server.dev.progress import Progress
    from accord_server.dev.services import Service
    from accord_server.dev.state import State

Handler = Callable[[int, FrameType | None], object]
READY_S: Final = 90
TICK_S: Final = 0.2
# Who dies this often before the first answer will not live.
LIVES: Final = 3


class NotReady(Trouble):
    """The platform did not come up; the message holds the end of the log."""


@dataclass
class Supervisor:
    """Starts everything in order, watches it, stops it in the opposite order."""

    state: State
    progress: Progress
    port: int
    stores: list[Watched] = field(default_factory=list)
    children: list[Watched] = field(default_factory=list)
    serving: dict[str, str] = field(default_factory=dict, repr=False)
    run: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run_until_stopped(self) -> None:
        """Run the platform until SIGINT or SIGTERM; then stop it and return."""
        # One way out for both signals, from wherever we are: an exception in the main thread.
        set_signals(signal.default_int_handler)
        try:
            self._start()
            self._watch()
        except KeyboardInterrupt:
            self.progress.done("stopping")
        finally:
            set_signals(signal.SIG_IGN)  # the end is under way and takes seconds: nothing hurries it
            self._stop()

    def _start(self) -> None:
        self._forget()
        addresses = open_stores(self.state, self.progress, self._register_store)
        self.serving = environment.for_serving(self.state, addresses, self.url)
        self._migrate(addresses)
        demo = read_json(self.state.demo_file) or self._seed(addresses)
        children = services.programs(self.state, self.serving, self.port)
        self._start_child("web", children.pop("web"))  # alone: whoever waits, waits for this one
        self._wait_until_ready()
        for name, program in children.items():
            self._start_child(name, program)
        if not probe.opens(self._registry_url(demo), demo["token"]):  # another database than last time
            demo = self._seed(addresses)
        self._publish(demo)
        print(announcement(self.run), flush=True)

    def _register_store(self, service: Service) -> None:
        self.stores.append(Watched(service))

    def _migrate(self, addresses: Stores) -> None:
        stamps, mark = Stamps(self.state.stamps), commands.migrations_mark()
        if addresses.has_own_database and stamps.holds("migrations", mark):
            return
        self.progress.begin("bringing the tables up to date")
        variables = environment.for_commands(self.serving, addresses)
        commands.migrate(addresses.owner_url, environment=variables, log=self.state.log("migrate"))
        stamps.set("migrations", mark)
        self.progress.done("the tables are up to date")

    def _seed(self, addresses: Stores) -> dict[str, Any]:
        self.progress.begin("making the demo tenant")
        variables = environment.for_commands(self.serving, addresses)
        earlier = read_json(self.state.demo_file) or {"admin": {"password": None}}
        known = earlier["admin"]["password"]
        demo = commands.seed(known, environment=variables, log=self.state.log("seed"))
        write_json(self.state.demo_file, demo)
        self.progress.done(f"the tenant {demo['tenant']} is there")
        return demo

    def _start_child(self, name: str, program: Program) -> None:
        self.children.append(Watched(Child.start(name, program)))

    def _wait_until_ready(self) -> None:
        self.progress.begin("waiting for the web server")
        deadline = time.monotonic() + READY_S
        while not probe.is_ready(self.url):
            self._look()
            if self.children[0].deaths >= LIVES or time.monotonic() > deadline:
                log = self.state.log("web")
                raise NotReady(f"the platform did not come up; {log} ends:\n{last_words(log)}")
            time.sleep(TICK_S)
        self.progress.done(f"{self.url}/readyz answers")

    def _registry_url(self, demo: dict[str, Any]) -> str:
        return f"{self.url}/sr/{demo['tenant']}/{demo['namespace']}"

    def _publish(self, demo: dict[str, Any]) -> None:
        named = {name: demo[name] for name in ("tenant", "namespace", "token", "admin")}
        self.run = {"url": self.url, "registry_url": self._registry_url(demo), **named}
        write_json(self.state.settings_file, environment.settings_of(self.serving))
        self._write_run_file()

    def _write_run_file(self) -> None:
        running = {one.service.name: one.service.pid for one in (*self.stores, *self.children)}
        write_json(self.state.run_file, {**self.run, "pids": {"supervisor": os.getpid(), **running}})

    def _watch(self) -> None:
        while True:
            if self._look():
                self._write_run_file()
            time.sleep(TICK_S)

    def _look(self) -> bool:
        """Start again who died; tell whether somebody was started."""
        now = time.monotonic()
        return any(one.look(now, self.progress) for one in (*self.stores, *self.children))

    def _stop(self) -> None:
        if not self.stores and not self.children:  # there is nothing to stop, and no data to point to
            return
        services.stop_all([one.service for one in self.children])
        services.stop_all([one.service for one in self.stores])
        self._forget()
        self.progress.done(f"everything is stopped; the data is in {self.state.folder}")

    def _forget(self) -> None:
        """Let nobody find a platform that does not run."""
        for path in (self.state.run_file, self.state.settings_file):
            path.unlink(missing_ok=True)


def set_signals(handler: Handler | signal.Handlers) -> None:
    """Treat Ctrl-C and a polite kill alike."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)
