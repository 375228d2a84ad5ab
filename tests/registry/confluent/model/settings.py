"""Config and mode of the model's registry (1.14, 2.5, 2.6)."""

from __future__ import annotations

from typing import Any

from tests.registry.confluent.model.names import GLOBAL, is_top, split
from tests.registry.confluent.model.stored import Stored
from tests.registry.confluent.model.values import Refused

LEVEL = "compatibilityLevel"


class Settings(Stored):
    """What is set for everything, for a context and for a subject."""

    def put_config(self, place: str, changes: dict[str, Any]) -> dict[str, Any]:
        """``PUT /config/{s}``: absent keeps, null clears."""
        for name in ("defaultRuleSet", "overrideRuleSet"):
            if changes.get(name) and not changes[name].is_sound:
                raise Refused(42210)
        self.require_writable(place)
        if not changes:
            return self.configs.get(place, {})
        kept = {**self.configs.get(place, {}), **changes}
        self.configs[place] = {name: value for name, value in kept.items() if value is not None}
        return self.configs[place]

    def get_config(self, place: str, *, default: bool = False) -> dict[str, Any]:
        """``GET /config/{s}``: whole records, and the level of the server where one has none."""
        if default or is_top(place):
            return {LEVEL: "BACKWARD", **self.config(place)}
        if place not in self.configs:
            raise Refused(40408)
        return self.configs[place]

    def delete_config(self, place: str) -> dict[str, Any]:
        """``DELETE /config/{s}``."""
        self.require_writable(place)
        if place not in self.configs and not is_top(place):
            raise Refused(40401)
        return self.configs.pop(place, {LEVEL: "BACKWARD"})

    def put_mode(self, place: str, mode: str | None, *, force: bool = False) -> None:
        """``PUT /mode/{s}``: an import needs room, or force."""
        if mode == "FORWARD" and split(place)[0] != GLOBAL:
            raise Refused(42204)
        if mode == "IMPORT" and not force:
            self._make_room(place)
        if mode is None:
            self.modes.pop(place, None)
        else:
            self.modes[place] = mode

    def get_mode(self, place: str, *, default: bool = False) -> str:
        """``GET /mode/{s}``."""
        if place not in self.modes and not default and not is_top(place):
            raise Refused(40409)
        return self.mode(place)

    def delete_mode(self, place: str, *, recursive: bool = False) -> str | None:
        """``DELETE /mode/{s}``; ``recursive`` takes a context or everything."""
        before = self.modes.pop(place, None)
        if recursive:
            for one in [one for one in self.modes if self.is_inside(one, place)]:
                del self.modes[one]
            return before
        if before is None and not is_top(place):
            raise Refused(40401)
        return before or "READWRITE"

    def _make_room(self, place: str) -> None:
        inside = [one for one in self.subjects if self.is_inside(one, place)]
        if any(self.live(one) for one in inside):
            raise Refused(42205)
        for one in inside:
            if self.users_of(one, [row.number for row in self.all(one)], live=False, others=True):
                raise Refused(42206)
        for one in inside:
            self.remove(self.all(one), permanent=True)
