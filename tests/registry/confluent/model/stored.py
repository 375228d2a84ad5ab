"""All that the model's registry stores, and who refers to what."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tests.registry.confluent.model.names import DEFAULT, inherited, is_top, split, within
from tests.registry.confluent.model.values import Refused, Version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

IMPORTS: Final = frozenset({"IMPORT", "FORWARD"})


@dataclass
class Stored:
    """Subjects with their versions, and settings by place. Nothing empty is kept."""

    subjects: dict[str, list[Version]] = field(default_factory=dict)
    configs: dict[str, dict[str, Any]] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)
    last_ids: dict[str, int] = field(default_factory=dict)
    contexts: set[str] = field(default_factory=set)

    def all(self, subject: str) -> list[Version]:
        """Every version, soft-deleted ones included, oldest first."""
        return sorted(self.subjects.get(subject, ()), key=lambda one: one.number)

    def live(self, subject: str) -> list[Version]:
        """The versions that are not soft-deleted."""
        return [one for one in self.all(subject) if not one.is_deleted]

    def seen(self, subject: str, *, deleted: bool) -> list[Version]:
        """The versions that a read with this flag sees."""
        return self.all(subject) if deleted else self.live(subject)

    def of_context(self, context: str) -> list[Version]:
        """Every version in a context, by subject and number."""
        return [one for name in sorted(self.subjects) if split(name)[0] == context for one in self.all(name)]

    def homes(self, subject: str) -> Iterator[str]:
        """The subject, and those of the same name in other contexts where no context is named."""
        yield subject
        context, name = split(subject)
        if context == DEFAULT:
            yield from sorted(one for one in self.subjects if split(one)[1] == name and one != subject)

    def users_of(
        self, subject: str, numbers: Iterable[int], *, live: bool, others: bool = False
    ) -> list[Version]:
        """Versions whose schema refers to one of these; ``others`` leaves out those of the same subject."""
        wanted = set(numbers)
        return [
            one
            for rows in self.subjects.values()
            for one in rows
            for _, name, number in one.content.references
            if within(one.subject, name) == subject
            and number in wanted
            and not (live and one.is_deleted)
            and not (others and one.subject == subject)
        ]

    def remove(self, rows: Iterable[Version], *, permanent: bool) -> None:
        """Delete; settings go with the last version of a subject (1.7)."""
        for one in rows:
            one.is_deleted = True
            if permanent:
                self.subjects[one.subject].remove(one)
                if not self.subjects[one.subject]:
                    for rooms in (self.subjects, self.configs, self.modes):
                        rooms.pop(one.subject, None)

    def mode(self, place: str) -> str:
        """The mode in force (2.5)."""
        return next((self.modes[one] for one in inherited(place) if one in self.modes), "READWRITE")

    def is_import(self, subject: str) -> bool:
        """Tell whether ids are taken as they come."""
        return self.mode(subject) in IMPORTS

    def config(self, place: str) -> dict[str, Any]:
        """The whole record of the nearest place that has one (2.6)."""
        return next((self.configs[one] for one in inherited(place) if one in self.configs), {})

    def require_writable(self, place: str) -> None:
        """Refuse what changes something in a mode that only reads."""
        if self.mode(place) in {"READONLY", "READONLY_OVERRIDE"}:
            raise Refused(42205)

    def is_inside(self, subject: str, place: str) -> bool:
        """Tell whether a subject, or the settings of a place, are below a place."""
        context, name = split(place)
        return (
            (is_top(place) and bool(context != DEFAULT))
            or subject == place
            or (not name and split(subject)[0] == context)
        )

    def behind(self, subject: str) -> str:
        """Return the subject that a name is an alias of, or the name itself (2.9)."""
        written = self.configs.get(subject, {}).get("alias") if split(subject)[1] else None
        target = within(subject, written) if written else subject
        return target if split(target)[1] else subject
