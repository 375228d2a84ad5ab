"""Putting a copy into a registry, over its Confluent interface: with its ids and numbers, in IMPORT mode.

First everything is registered, then deleted what is deleted, then come configs, and modes last: until then
the places that something is put into only take imports.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Final

from accord.client import RegistryRefusal, RegistryUnavailable
from accord.client.transport import Request
from accord.model import SubjectName
from accord.naming import quote_subject
from accord.transfer.asking import place_path
from accord.transfer.comparing import changed_config
from accord.transfer.lanes import Lanes
from accord.transfer.lines import of_version
from accord.transfer.records import TOP_LEVEL, CopiedPlace, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Literal

    from accord.client import RegistryClient
    from accord.client.transport import Json
    from accord.transfer.bringing import Run
    from accord.transfer.planning import Pair, Plan
    from accord.transfer.records import CopiedVersion, Key

IMPORT: Final = "IMPORT"
OPEN: Final = "READWRITE"
LEVEL: Final = "compatibilityLevel"
LEVEL_IN_UPDATES: Final = "compatibility"


@dataclass(frozen=True, slots=True)
class Effort:
    """How a copy is put back: over how many connections, with modes or without.

    ``tell`` is told how many of how many versions are done. ``run`` takes many versions at a time, where the
    registry can.
    """

    client: RegistryClient
    connections: int
    has_modes: bool
    tell: Callable[[int, int], None]
    run: Run | None = None


@dataclass(slots=True)
class Outcome:
    """What was done, and what the registry refused, in sentences."""

    registered: int = 0
    deleted: int = 0
    configs: int = 0
    modes: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def changes(self) -> int:
        """How much was done."""
        return self.registered + self.deleted + self.configs + self.modes


def apply(pair: Pair, plan: Plan, effort: Effort) -> Outcome:
    """Do what a plan says. A registry that cannot answer ends it; the next run goes on from there.

    Raises `accord.client.RegistryUnavailable`, `RegistryUnreachable` or `RegistryUnreadable`; what is refused
    is noted, and passed over.
    """
    work = _Work(pair, plan, effort)
    work.open()
    work.register()
    work.delete()
    work.set_configs()
    work.set_modes()
    return work.outcome


class _Work:
    """One plan being carried out; ``modes`` are those of the target, as far as they are known."""

    def __init__(self, pair: Pair, plan: Plan, effort: Effort) -> None:
        self.pair = pair
        self.plan = plan
        self.effort = effort
        self.outcome = Outcome()
        self.before = {place: one.mode for place, one in pair.target.places.items()}
        self.modes = dict(self.before)
        self.done = 0
        self.opened: set[SubjectName] = set()
        self.lock = Lock()

    def open(self) -> None:
        """Let every place that something is put into take imports."""
        touched = self.plan.touched
        contexts = {SubjectName("", subject.context) for subject in touched}
        own = {subject for subject in touched if self.before.get(subject) is not None}
        for place in sorted(contexts | own, key=in_order):
            if self.modes.get(place) != IMPORT:
                query = {"force": "true"}
                self.effort.client.send(Request("PUT", place_path("/mode", place), query, {"mode": IMPORT}))
                self.modes[place] = IMPORT
                self.opened.add(place)

    def register(self) -> None:
        """Register what is missing."""
        if self.effort.run is not None:
            self.outcome.registered = self._bring(self.effort.run, "versions", self.plan.register)
            return
        needs = {key: self.pair.source.entries[key].targets for key in self.plan.register}
        self._run(self.plan.register, needs, self._register)

    def delete(self) -> None:
        """Delete softly what is deleted, referrers first."""
        if self.effort.run is not None:
            self.outcome.deleted = self._bring(self.effort.run, "deletions", self.plan.delete)
            return
        needs: defaultdict[Key, list[Key]] = defaultdict(list)
        for key in self.plan.delete:
            for target in self.pair.source.entries[key].targets:
                needs[target].append(key)
        self._run(self.plan.delete, needs, self._delete)

    def set_configs(self) -> None:
        """Give every place its config."""
        for place in self.pair.source.ordered_places():
            there = self.pair.target.places.get(place.place) or CopiedPlace(place.place)
            if changed_config(place, there):
                body = _config_update(place.config or {}, there.config or {})
                request = Request("PUT", place_path("/config", place.place), {}, body)
                self.outcome.configs += self._ask(f"the config of {place}", request)

    def set_modes(self) -> None:
        """Give every place its mode; what takes imports, since this run or one before, opens again."""
        source = self.pair.source
        contexts = {SubjectName("", key.subject.context) for key in source.entries}
        for place in sorted(self.opened | contexts | source.places.keys(), key=in_order):
            mode = self._wanted(place) or (OPEN if place == TOP_LEVEL else None)
            if mode != self.modes.get(place):
                self.outcome.modes += self._ask(
                    f"the mode of {CopiedPlace(place)}", _mode_update(place, mode)
                )

    def _wanted(self, place: SubjectName) -> str | None:
        if self.effort.has_modes and place in self.pair.source.places:
            return self.pair.source.places[place].mode
        before = self.before.get(place)
        return None if before == IMPORT else before

    def _bring(self, run: Run, what: Literal["versions", "deletions"], keys: list[Key]) -> int:
        """Bring versions in batches; return how many were taken."""
        total, before = len(self.plan.register) + len(self.plan.delete), self.done
        self.done += len(keys)
        brought = run.bring(what, self.pair.source, keys, lambda done: self.effort.tell(before + done, total))
        words = "" if what == "versions" else "the deletion of "
        self.outcome.refused += [words + one for one in brought.refused]
        return brought.taken

    def _run(self, keys: list[Key], needs: Mapping[Key, Iterable[Key]], act: Callable[[Key], None]) -> None:
        total, before = len(self.plan.register) + len(self.plan.delete), self.done
        self.done += len(keys)
        lanes = Lanes(keys, needs, act, lambda done: self.effort.tell(before + done, total))
        lanes.run(self.effort.connections)

    def _register(self, key: Key) -> None:
        body = registration(self.pair.source.version(key))
        path = f"/subjects/{quote_subject(key.subject)}/versions"
        self._count("registered", self._ask(str(key), Request("POST", path, {}, body)))

    def _delete(self, key: Key) -> None:
        path = f"/subjects/{quote_subject(key.subject)}/versions/{key.number}"
        self._count("deleted", self._ask(f"the deletion of {key}", Request("DELETE", path)))

    def _count(self, name: str, more: int) -> None:
        with self.lock:
            setattr(self.outcome, name, getattr(self.outcome, name) + more)

    def _ask(self, what: str, request: Request) -> int:
        """Send a request; 1 if it was taken, 0 if it was refused, which is noted."""
        try:
            self.effort.client.send(request)
        except RegistryUnavailable:
            raise
        except RegistryRefusal as refused:
            with self.lock:
                self.outcome.refused.append(f"{what}: {refused.message}")
            return 0
        return 1


def registration(version: CopiedVersion) -> dict[str, Json]:
    """The body that registers a version under its own id and number."""
    line = of_version(version)
    members = ("schema", "schemaType", "references", "metadata", "ruleSet", "id", "version")
    return {name: line[name] for name in members if name in line}


def _config_update(wanted: Mapping[str, Json], there: Mapping[str, Json]) -> dict[str, Json]:
    """The body that makes one config of another: it clears what is too much, since the rest is kept.

    A body that says nothing would make no config, not an empty one; so one clears the level at least.
    """
    whole: dict[str, Json] = {**dict.fromkeys(there), **wanted} or {LEVEL: None}
    return {(LEVEL_IN_UPDATES if name == LEVEL else name): value for name, value in whole.items()}


def _mode_update(place: SubjectName, mode: str | None) -> Request:
    path = place_path("/mode", place)
    if mode is None:
        return Request("DELETE", path)
    return Request("PUT", path, {"force": "true"}, {"mode": mode})
