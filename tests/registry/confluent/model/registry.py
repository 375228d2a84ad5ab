"""A registry in memory, written from what is promised of Confluent's: names, ids, versions, modes, deletion.

It knows Avro records of whole numbers and texts, and nothing of transport, rights or storage. Each method is
named after a call, returns what the call is about and raises `Refused` with the code that clients see.
Numbers are sections of the specification that the dialect follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from tests.registry.confluent.model.values import (
    DEFAULT,
    GLOBAL,
    LATEST,
    VERSION,
    Content,
    Refused,
    Sent,
    Sketch,
    Version,
    join,
    split,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.registry.confluent.model.values import Metadata, Reference

IMPORTS: Final = frozenset({"IMPORT", "FORWARD"})
# Who reads whom at a level, and how many of the latest versions are asked: the directions of 5.1.
LEVELS: Final = {
    "NONE": ((), 0),
    "BACKWARD": (("new",), 1),
    "BACKWARD_TRANSITIVE": (("new",), None),
    "FORWARD": (("old",), 1),
    "FORWARD_TRANSITIVE": (("old",), None),
    "FULL": (("new", "old"), 1),
    "FULL_TRANSITIVE": (("new", "old"), None),
}


@dataclass
class Registry:
    """Everything that is stored."""

    subjects: dict[str, list[Version]] = field(default_factory=dict)
    configs: dict[str, dict[str, Any]] = field(default_factory=dict)
    modes: dict[str, str] = field(default_factory=dict)
    last_ids: dict[str, int] = field(default_factory=dict)

    # Reading.

    def all(self, subject: str) -> list[Version]:
        """Every version, soft-deleted ones included, oldest first."""
        return sorted(self.subjects.get(subject, ()), key=lambda one: one.number)

    def live(self, subject: str) -> list[Version]:
        """The versions that are not soft-deleted."""
        return [one for one in self.all(subject) if not one.is_deleted]

    def seen(self, subject: str, *, deleted: bool) -> list[Version]:
        """The versions that a read with this flag sees."""
        return self.all(subject) if deleted else self.live(subject)

    def names(self, *, deleted: bool = False, deleted_only: bool = False) -> list[str]:
        """``GET /subjects``; a subject with one live version is live."""
        live = {name for name, found in self.subjects.items() if any(not one.is_deleted for one in found)}
        gone = self.subjects.keys() - live
        return sorted(gone if deleted_only else live | gone if deleted else live)

    def numbers(self, subject: str, *, deleted: bool = False) -> list[int]:
        """``GET /subjects/{s}/versions``."""
        found = self.seen(subject, deleted=deleted)
        if not found:
            raise Refused(40401)
        return [one.number for one in found]

    def version(self, subject: str, number: int, *, deleted: bool = False) -> Version:
        """``GET /subjects/{s}/versions/{v}``: a bare name is looked for in other contexts too (1.9)."""
        is_known = False
        for name in self._homes(subject):
            found = self.seen(name, deleted=deleted)
            is_known = is_known or bool(found)
            chosen = [one for one in found if number == one.number] if number != LATEST else self.live(name)
            if chosen:
                return chosen[-1]
        raise Refused(40402 if is_known else 40401)

    def content(self, context: str, schema_id: int) -> Content:
        """``GET /schemas/ids/{id}``: soft-deleted ones are found."""
        found = [one for one in self._of_context(context) if one.id == schema_id]
        if not found:
            raise Refused(40403)
        return found[0].content

    def referrers(self, subject: str, number: int, *, deleted: bool) -> list[int]:
        """``GET …/referencedby``: the target itself may be soft-deleted."""
        target = self.version(subject, number, deleted=True)
        users = self._users_of(target.subject, [target.number], live=not deleted, others=False)
        return sorted({one.id for one in users})

    def look_up(self, subject: str, sent: Sent, *, deleted: bool = False) -> Version:
        """``POST /subjects/{s}`` (1.6): a bare name that has no match is tried in other contexts."""
        is_known = False
        self._read(subject, sent)
        for name in self._homes(subject):
            rows = self.seen(name, deleted=deleted)
            is_known = is_known or bool(rows)
            content, _ = self._read(name, sent, quietly=True)
            found = content and self._find(content, sent, rows)
            if found:
                return found
        raise Refused(40403 if is_known else 40401)

    def is_compatible(self, subject: str, sent: Sent) -> bool:
        """``POST /compatibility/subjects/{s}/versions``."""
        content, whole = self._read(subject, sent)
        self._require_live(subject, content)
        return self._may_follow(subject, whole)

    # Registering (2.3).

    def register(self, subject: str, sent: Sent) -> Version:
        """``POST /subjects/{s}/versions``."""
        content, whole = self._read(subject, sent)
        found = self._find(content, sent, self._repeatable(subject, sent))
        if found:
            return found
        is_import = self._require_mode(subject, sent)
        self._require_live(subject, content)
        newest = max((one.number for one in self.all(subject)), default=0) + 1
        if not is_import:
            content = self._completed(subject, content, sent, newest)
            found = self._standing(content, self._repeatable(subject, sent)) if not sent.version else None
            if found:
                return found
            if not self._may_follow(subject, whole):
                raise Refused(40901)
        number = self._number(subject, sent, newest, is_import=is_import)
        schema_id = self._id(split(subject)[0], content, sent.id)
        return self._store(Version(subject, number, schema_id, content, whole))

    def _store(self, new: Version) -> Version:
        context = split(new.subject)[0]
        self.last_ids[context] = max(self.last_ids.get(context, 0), new.id)
        kept = [
            one
            for one in self.all(new.subject)
            if one.number != new.number and not self._is_replaced(one, new)
        ]
        self.subjects[new.subject] = [*kept, new]
        return new

    def _is_replaced(self, old: Version, new: Version) -> bool:
        """A new version stands in for soft-deleted ones of the same id, unless they are referred to."""
        return (
            old.is_deleted
            and old.id == new.id
            and old.number < new.number
            and not self._users_of(old.subject, [old.number], live=False, others=False)
        )

    def _read(self, subject: str, sent: Sent, *, quietly: bool = False) -> Any:
        """Return content and whole record; a reference must lead somewhere, be it soft-deleted."""
        sketch = sent.sketch
        if sent.normalize or self._config(subject).get("normalize"):
            sketch = sketch.normalized
        try:
            targets = [self._target(subject, one) for one in sent.references]
        except Refused:
            if quietly:
                return None, None
            raise
        known = {one.content.sketch.name: one.whole for one in targets}
        fields = tuple(
            (name, known.get(kind, kind), has_default) for name, kind, has_default in sketch.fields
        )
        references = tuple((_beside(subject, one.subject), one.number) for one in targets)
        return Content(sketch, references, sent.metadata), replace(sketch, fields=fields)

    def _target(self, subject: str, reference: Reference) -> Version:
        name, number = reference
        place = _within(subject, name)
        rows = self.live(place) if number == LATEST else self.all(place)
        found = [one for one in rows if number in {LATEST, one.number}]
        if not found:
            raise Refused(42201)
        return found[-1]

    def _require_live(self, subject: str, content: Content) -> None:
        for reference in content.references:
            if self._target(subject, reference).is_deleted:
                raise Refused(42201)

    def _repeatable(self, subject: str, sent: Sent) -> list[Version]:
        """The versions that a registration may only repeat (step 1)."""
        live = self.live(subject)
        if sent.id is None:
            return live if sent.version == 0 else live[-1:] if sent.version == LATEST else []
        return [one for one in live if one.id == sent.id and sent.version in {0, one.number}]

    def _find(self, content: Content, sent: Sent, rows: list[Version]) -> Version | None:
        """As it is sent, and with the metadata of the latest version where it has none (2.4)."""
        found = self._standing(content, rows)
        live = self.live(rows[0].subject) if rows else []
        if found or sent.metadata is not None or not live or live[-1].content.metadata is None:
            return found
        metadata = live[-1].content.metadata
        if sent.version > 0:
            metadata = _stamped(metadata, sent.version)
        return self._standing(replace(content, metadata=metadata), rows)

    def _standing(self, content: Content, rows: list[Version]) -> Version | None:
        for one in reversed(rows):
            if one.content == content:
                return one
        return next((one for one in reversed(rows) if content.stands_for(one.content, one.number)), None)

    def _completed(self, subject: str, content: Content, sent: Sent, number: int) -> Content:
        """Step 4: metadata of the latest version where none are sent, and the version they name."""
        live = self.live(subject)
        if content.metadata is None and live:
            content = replace(content, metadata=live[-1].content.metadata)
        if sent.version != 0 or VERSION in content.properties:
            content = replace(content, metadata=_stamped(content.metadata, number))
        return content

    def _require_mode(self, subject: str, sent: Sent) -> bool:
        self._require_writable(subject)
        is_import = self._is_import(subject)
        if is_import is (sent.id is None):
            raise Refused(42205)
        return is_import

    def _may_follow(self, subject: str, whole: Sketch) -> bool:
        """Step 8, and 5.1."""
        readers, depth = LEVELS[self._config(subject).get("compatibilityLevel") or "BACKWARD"]
        peers = self.live(subject)[-depth if depth else None :] if readers else []
        return all(
            whole.reads(old.whole) if reader == "new" else old.whole.reads(whole)
            for old in peers
            for reader in readers
        )

    def _number(self, subject: str, sent: Sent, newest: int, *, is_import: bool) -> int:
        """Step 9; what is live, or referred to, is not overwritten."""
        if sent.version <= 0:
            return newest
        if not is_import and sent.version != newest:
            raise Refused(42201)
        taken = [one for one in self.all(subject) if one.number == sent.version]
        if taken and (
            not taken[0].is_deleted or self._users_of(subject, [sent.version], live=False, others=False)
        ):
            raise Refused(42205)
        return sent.version

    def _id(self, context: str, content: Content, wanted: int | None) -> int:
        """Step 10: of the same content, the one that is asked for, or the next."""
        bound = {one.id: one.content for one in self._of_context(context)}
        if wanted is None:
            known = [schema_id for schema_id, one in bound.items() if one == content]
            return min(known, default=self.last_ids.get(context, 0) + 1)
        if bound.get(wanted, content) != content:
            raise Refused(42205)
        return wanted

    # Deleting (1.7, 1.9, 2.11).

    def delete_version(self, subject: str, number: int, *, permanent: bool = False) -> int:
        """``DELETE /subjects/{s}/versions/{v}``."""
        rows = self.live(subject) if number == LATEST else self.all(subject)
        if not self.all(subject):
            raise Refused(40401)
        found = _chosen(rows, number)
        if found.is_deleted and not permanent:
            raise Refused(40406)
        self._require_writable(subject)
        if self._users_of(subject, [found.number], live=not permanent, others=False):
            raise Refused(42206)
        if permanent and not found.is_deleted:
            raise Refused(40407)
        self._remove([found], permanent=permanent)
        return found.number

    def delete_subject(self, subject: str, *, permanent: bool = False) -> list[int]:
        """``DELETE /subjects/{s}``."""
        rows = self.all(subject) if permanent else self.live(subject)
        if not rows:
            raise Refused(40404 if self.all(subject) else 40401)
        self._require_writable(subject)
        numbers = [one.number for one in rows]
        if self._users_of(subject, numbers, live=not permanent, others=True):
            raise Refused(42206)
        if permanent and self.live(subject):
            raise Refused(40405)
        self._remove(rows, permanent=permanent)
        return numbers

    def _remove(self, rows: Iterable[Version], *, permanent: bool) -> None:
        for one in rows:
            one.is_deleted = True
            if permanent:
                self.subjects[one.subject].remove(one)
                if not self.subjects[one.subject]:
                    for rooms in (self.subjects, self.configs, self.modes):
                        rooms.pop(one.subject, None)

    def _users_of(self, subject: str, numbers: list[int], *, live: bool, others: bool) -> list[Version]:
        """Versions whose schema refers to one of these; ``others`` leaves out those of the same subject."""
        return [
            one
            for rows in self.subjects.values()
            for one in rows
            for name, number in one.content.references
            if _within(one.subject, name) == subject
            and number in numbers
            and not (live and one.is_deleted)
            and not (others and one.subject == subject)
        ]

    # Settings (2.5, 2.6).

    def put_config(self, place: str, changes: dict[str, Any]) -> dict[str, Any]:
        """``PUT /config/{s}``: absent keeps, null clears."""
        self._require_writable(place)
        if not changes:
            return self.configs.get(place, {})
        merged = {**self.configs.get(place, {}), **changes}
        self.configs[place] = {name: value for name, value in merged.items() if value is not None}
        return self.configs[place]

    def get_config(self, place: str, *, default: bool = False) -> dict[str, Any]:
        """``GET /config/{s}``: whole records, and the level of the server where one has none."""
        if default or _is_top(place):
            return {"compatibilityLevel": "BACKWARD", **self._config(place)}
        if place not in self.configs:
            raise Refused(40408)
        return self.configs[place]

    def delete_config(self, place: str) -> dict[str, Any]:
        """``DELETE /config/{s}``."""
        self._require_writable(place)
        if place not in self.configs and not _is_top(place):
            raise Refused(40401)
        return self.configs.pop(place, {"compatibilityLevel": "BACKWARD"})

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
        if place not in self.modes and not default and not _is_top(place):
            raise Refused(40409)
        return self._mode(place)

    def delete_mode(self, place: str, *, recursive: bool = False) -> str | None:
        """``DELETE /mode/{s}``; ``recursive`` takes a context or everything."""
        before = self.modes.pop(place, None)
        if recursive:
            for one in [one for one in self.modes if self._is_inside(one, place)]:
                del self.modes[one]
            return before
        if before is None and not _is_top(place):
            raise Refused(40401)
        return before or "READWRITE"

    def _make_room(self, place: str) -> None:
        inside = [one for one in self.subjects if self._is_inside(one, place)]
        if any(self.live(one) for one in inside):
            raise Refused(42205)
        for one in inside:
            if self._users_of(one, [row.number for row in self.all(one)], live=False, others=True):
                raise Refused(42206)
        for one in inside:
            self._remove(self.all(one), permanent=True)

    def _is_inside(self, subject: str, place: str) -> bool:
        context, name = split(place)
        return context == GLOBAL or subject == place or (not name and split(subject)[0] == context)

    def _require_writable(self, place: str) -> None:
        if self._mode(place) == "READONLY":
            raise Refused(42205)

    def _is_import(self, subject: str) -> bool:
        return self._mode(subject) in IMPORTS

    def _mode(self, place: str) -> str:
        return next((self.modes[one] for one in _inherited(place) if one in self.modes), "READWRITE")

    def _config(self, place: str) -> dict[str, Any]:
        """The whole record of the nearest place that has one."""
        return next((self.configs[one] for one in _inherited(place) if one in self.configs), {})

    def _homes(self, subject: str) -> Iterator[str]:
        """The subject, and those of the same name in other contexts where no context is named."""
        yield subject
        context, name = split(subject)
        if context == DEFAULT:
            yield from sorted(one for one in self.subjects if split(one)[1] == name and one != subject)

    def _of_context(self, context: str) -> list[Version]:
        return [one for name, rows in self.subjects.items() if split(name)[0] == context for one in rows]


def _chosen(rows: list[Version], number: int) -> Version:
    found = [one for one in rows if number in {LATEST, one.number}]
    if not found:
        raise Refused(40402)
    return found[-1]


def _inherited(place: str) -> Iterator[str]:
    """The places whose settings hold for a place, nearest first."""
    context, name = split(place)
    if name:
        yield place
    yield join(context, "")
    yield join(GLOBAL, "")


def _is_top(place: str) -> bool:
    return place in {"", join(GLOBAL, "")}


def _within(subject: str, name: str) -> str:
    """What a reference in a schema of a subject means by a name."""
    return join(*split(name)) if name.startswith(":.") else join(split(subject)[0], name)


def _beside(subject: str, target: str) -> str:
    """How a reference to a subject is stored: bare within the context, qualified otherwise."""
    context, name = split(target)
    return name if context == split(subject)[0] else f":{context}:{name}"


def _stamped(metadata: Metadata | None, number: int) -> Metadata:
    return tuple(sorted({**dict(metadata or ()), VERSION: str(number)}.items()))
