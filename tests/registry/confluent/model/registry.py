"""A registry in memory, written from what is promised of Confluent's, and from nothing of ours.

It knows records of whole numbers and texts in three formats, and nothing of transport, rights or storage.
Each method is named after a call, returns what the call is about and raises `Refused` with the code that
clients see. Numbers are sections of the specification that the dialect follows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from tests.registry.confluent.model.contracts import RESERVED, VERSION, Metadata, RuleSet, merged
from tests.registry.confluent.model.names import beside, split, within
from tests.registry.confluent.model.reading import Reads
from tests.registry.confluent.model.settings import LEVEL, Settings
from tests.registry.confluent.model.sketches import REFERENCE_NAMES
from tests.registry.confluent.model.values import (
    LATEST,
    Amended,
    Content,
    Refused,
    Sent,
    Version,
)

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
ADDED: Final = ("defaultMetadata", "overrideMetadata", "defaultRuleSet", "overrideRuleSet")


class Registry(Settings, Reads):
    """What writes, checks and looks up. Methods that are called by clients follow aliases first."""

    def look_up(self, subject: str, sent: Sent, *, deleted: bool = False) -> Version:
        """``POST /subjects/{s}`` (1.6): a bare name that has no match is tried in other contexts."""
        is_known, subject = False, self.behind(subject)
        self._require_sound(sent)
        self._read(subject, sent)
        for name in self.homes(subject):
            rows = self.seen(name, deleted=deleted)
            is_known = is_known or bool(rows)
            rows = rows[-1:] if sent.version == LATEST else rows
            try:
                content = self._read(name, sent)
            except Refused:
                continue
            found = self._find(name, content, sent, rows)
            if found:
                return found
        raise Refused(40403 if is_known else 40401)

    def is_compatible(self, subject: str, sent: Sent, number: int | None = None) -> bool:
        """``POST /compatibility/subjects/{s}/versions``, or ``/{v}`` (1.13)."""
        subject = self.behind(subject)
        self._require_sound(sent)
        content = self._completed(subject, self._read(subject, sent), sent)
        self._require_live(subject, content)
        if number is None:
            return self._may_follow(subject, content, self.live(subject))
        rows = [one for one in self.live(subject) if number in {LATEST, one.number}]
        if not rows and number != LATEST:
            raise Refused(40402)
        return self._may_follow(subject, content, rows[-1:])

    # Registering (2.3).

    def register(self, subject: str, sent: Sent) -> Version:
        """``POST /subjects/{s}/versions``."""
        self._require_sound(sent)
        subject = self.behind(subject)
        content = None if sent.sketch is None else self._read(subject, sent)
        if content and not self._adds(subject):
            found = self._find(subject, content, sent, self._repeatable(subject, sent))
            if found:
                return found
        is_import = self._require_mode(subject, sent)
        content = content or self._repeated(subject, sent)
        return self._taken(subject, content, sent, is_import=is_import)

    def amend(self, subject: str, number: int, sent: Amended) -> Version:
        """``POST …/{v}/tags`` without tags (1.9): a version again, with other metadata and rules."""
        if sent.rule_set is not None and (sent.merged is not None or sent.dropped):
            raise Refused(42210)
        subject = self.behind(subject)
        if not self.live(subject):
            raise Refused(40401)
        old = _chosen(self.live(subject), number)
        rules = old.content.rule_set if sent.rule_set is None else sent.rule_set
        if sent.merged is not None or sent.dropped:
            rules = (sent.merged or RuleSet()).over(rules or RuleSet()).without(sent.dropped)
        again = Sent(
            old.content.whole,
            metadata=old.content.metadata if sent.metadata is None else sent.metadata,
            rule_set=rules,
            version=sent.version,
        )
        self._require_sound(again)
        content = replace(old.content, metadata=again.metadata, rule_set=again.rule_set)
        if not self._adds(subject):
            found = self._find(subject, content, again, self._repeatable(subject, again))
            if found:
                return found
        return self._taken(subject, content, again, is_import=self._require_mode(subject, again))

    def _taken(self, subject: str, content: Content, sent: Sent, *, is_import: bool) -> Version:
        self._require_live(subject, content)
        newest = max((one.number for one in self.all(subject)), default=0) + 1
        if not is_import:
            content = self._completed(subject, content, sent)
            # Before it is told its version: with defaults in a config each call would make a new one.
            found = None if sent.version else self._standing(content, self._repeatable(subject, sent))
            if found:
                return found
            if sent.version != 0 or VERSION in content.properties:
                content = replace(content, metadata=(content.metadata or Metadata()).named(newest))
            if not self._may_follow(subject, content, self.live(subject)):
                raise Refused(40901)
        number = self._number(subject, sent, newest, is_import=is_import)
        schema_id = self._id(split(subject)[0], content, sent.id)
        return self._store(Version(subject, number, schema_id, content))

    def _store(self, new: Version) -> Version:
        context = split(new.subject)[0]
        self.contexts.add(context)
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
            and not self.users_of(old.subject, [old.number], live=False)
        )

    def _require_sound(self, sent: Sent) -> None:
        if sent.rule_set is not None and not sent.rule_set.is_sound:
            raise Refused(42210)

    def _adds(self, subject: str) -> bool:
        """Tell whether the config adds metadata or rules, so that nothing sent is complete."""
        return any(self.config(subject).get(name) is not None for name in ADDED)

    def _repeated(self, subject: str, sent: Sent) -> Content:
        """Metadata or rules alone: the schema is that of the latest version (step 4)."""
        live = self.live(subject)
        if not live or self.is_import(subject):
            raise Refused(42201)
        return replace(live[-1].content, metadata=sent.metadata, rule_set=sent.rule_set)

    def _read(self, subject: str, sent: Sent) -> Content:
        """Step 5; a reference must lead somewhere, be it soft-deleted."""
        sketch = sent.sketch
        assert sketch
        normalize = sent.normalize or bool(self.config(subject).get("normalize"))
        targets = [(name, self._target(subject, place, number)) for name, place, number in sent.references]
        references = [(name, beside(subject, one.subject), one.number) for name, one in targets]
        if normalize:
            references = sorted(set(references), key=lambda one: (one[1], one[2]))
        known = {name: one.content.whole for name, one in targets}
        named = known.get(REFERENCE_NAMES[sketch.format])
        if named is None and any(kind == "R" for _, kind, _ in sketch.fields):
            raise Refused(42201)
        fields = tuple((name, named if kind == "R" else kind, has) for name, kind, has in sketch.fields)
        text = sketch.text(normalize=normalize)
        return Content(
            text,
            sketch.format,
            meaning=sketch.text(normalize=True) if sketch.format == "AVRO" else text,
            whole=replace(sketch, fields=fields),
            references=tuple(references),
            metadata=sent.metadata,
            rule_set=sent.rule_set,
        )

    def _target(self, subject: str, name: str, number: int) -> Version:
        place = within(subject, name)
        rows = self.live(place) if number == LATEST else self.all(place)
        found = [one for one in rows if number in {LATEST, one.number}]
        if not found:
            raise Refused(42201)
        return found[-1]

    def _require_live(self, subject: str, content: Content) -> None:
        for _, name, number in content.references:
            if self._target(subject, name, number).is_deleted:
                raise Refused(42201)

    def _repeatable(self, subject: str, sent: Sent) -> list[Version]:
        """The versions that a registration may only repeat (step 1)."""
        live = self.live(subject)
        if sent.id is None:
            return live if sent.version == 0 else live[-1:] if sent.version == LATEST else []
        return [one for one in live if one.id == sent.id and sent.version in {0, one.number}]

    def _find(self, subject: str, content: Content, sent: Sent, rows: list[Version]) -> Version | None:
        """As it is sent, and with what the config and the latest version add to it (2.4)."""
        found = self._standing(content, rows)
        if found or not rows or (sent.metadata is not None and sent.rule_set is not None):
            return found
        content = self._completed(subject, content, sent)
        if sent.version > 0 and sent.metadata is None:
            content = replace(content, metadata=(content.metadata or Metadata()).named(sent.version))
        return self._standing(content, rows)

    def _standing(self, content: Content, rows: list[Version]) -> Version | None:
        for one in reversed(rows):
            if one.content == content:
                return one
        return next((one for one in reversed(rows) if content.stands_for(one.content, one.number)), None)

    def _completed(self, subject: str, content: Content, sent: Sent) -> Content:
        """Defaults, what is sent or else the latest version's, overrides (step 4)."""
        live, config = self.live(subject), self.config(subject)
        latest = live[-1].content if live else None
        parts: dict[str, Any] = {}
        for name, member in (("metadata", "Metadata"), ("rule_set", "RuleSet")):
            mine = getattr(content, name)
            mine = getattr(latest, name, None) if mine is None else mine
            mine = merged(config.get(f"default{member}"), mine)
            parts[name] = merged(mine, config.get(f"override{member}"))
        content = replace(content, **parts)
        self._require_sound(replace(sent, rule_set=content.rule_set))
        return content

    def _require_mode(self, subject: str, sent: Sent) -> bool:
        self.require_writable(subject)
        is_import = self.is_import(subject)
        if is_import is (sent.id is None):
            raise Refused(42205)
        return is_import

    def _may_follow(self, subject: str, content: Content, live: list[Version]) -> bool:
        """Step 8, and 5.1, 5.5 and 5.6."""
        config = self.config(subject)
        if config.get("validateFields") and live and not _keeps_reserved(content, live[-1].content):
            return False
        group = config.get("compatibilityGroup")
        peers = [
            one.content
            for one in live
            if not group or one.content.properties.get(group) == content.properties.get(group)
        ]
        readers, depth = LEVELS[config.get(LEVEL) or "BACKWARD"]
        return all(
            content.whole.reads(old.whole) if reader == "new" else old.whole.reads(content.whole)
            for old in (peers[-depth if depth else None :] if readers else [])
            for reader in readers
        )

    def _number(self, subject: str, sent: Sent, newest: int, *, is_import: bool) -> int:
        """Step 9; what is live, or referred to, is not overwritten."""
        if sent.version <= 0:
            return newest
        if not is_import and sent.version != newest:
            raise Refused(42201)
        taken = [one for one in self.all(subject) if one.number == sent.version]
        if taken and (not taken[0].is_deleted or self.users_of(subject, [sent.version], live=False)):
            raise Refused(42205)
        return sent.version

    def _id(self, context: str, content: Content, wanted: int | None) -> int:
        """Step 10: of the same content, the one that is asked for, or the next."""
        bound = {one.id: one.content for one in self.of_context(context)}
        if wanted is None:
            known = [schema_id for schema_id, one in bound.items() if one == content]
            return min(known, default=self.last_ids.get(context, 0) + 1)
        if bound.get(wanted, content) != content:
            raise Refused(42205)
        return wanted

    # Deleting (1.7, 1.9, 2.11).

    def delete_version(self, subject: str, number: int, *, permanent: bool = False) -> int:
        """``DELETE /subjects/{s}/versions/{v}``."""
        subject = self.behind(subject)
        rows = self.live(subject) if number == LATEST else self.all(subject)
        if not self.all(subject):
            raise Refused(40401)
        found = _chosen(rows, number)
        if found.is_deleted and not permanent:
            raise Refused(40406)
        self.require_writable(subject)
        if self.users_of(subject, [found.number], live=not permanent):
            raise Refused(42206)
        if permanent and not found.is_deleted:
            raise Refused(40407)
        self.remove([found], permanent=permanent)
        return found.number

    def delete_subject(self, subject: str, *, permanent: bool = False) -> list[int]:
        """``DELETE /subjects/{s}``."""
        subject = self.behind(subject)
        rows = self.all(subject) if permanent else self.live(subject)
        if not rows:
            raise Refused(40404 if self.all(subject) else 40401)
        self.require_writable(subject)
        numbers = [one.number for one in rows]
        if self.users_of(subject, numbers, live=not permanent, others=True):
            raise Refused(42206)
        if permanent and self.live(subject):
            raise Refused(40405)
        self.remove(rows, permanent=permanent)
        return numbers


def _chosen(rows: list[Version], number: int) -> Version:
    found = [one for one in rows if number in {LATEST, one.number}]
    if not found:
        raise Refused(40402)
    return found[-1]


def _keeps_reserved(content: Content, old: Content) -> bool:
    """No name leaves the list of reserved fields, and no field has one of them (5.6)."""
    now, before = (set(_reserved(one)) for one in (content, old))
    return before <= now and not now & {name for name, _, _ in content.whole.fields}


def _reserved(content: Content) -> list[str]:
    written = content.properties.get(RESERVED, "")
    return [one.strip() for one in written.split(",") if one.strip()]
