"""What can be read of the model's registry (1.4 to 1.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.registry.confluent.model.names import DEFAULT, begins, join, split
from tests.registry.confluent.model.stored import Stored
from tests.registry.confluent.model.values import LATEST, Refused, Version

if TYPE_CHECKING:
    from collections.abc import Iterable


class Reads(Stored):
    """Lists, versions, and schemas by id and GUID."""

    def names(self, prefix: str = ":*:", *, deleted: bool = False, deleted_only: bool = False) -> list[str]:
        """``GET /subjects``; a subject with one live version is live."""
        live = {name for name, found in self.subjects.items() if any(not one.is_deleted for one in found)}
        gone = self.subjects.keys() - live
        chosen = gone if deleted_only else live | gone if deleted else live
        return sorted(one for one in chosen if begins(one, prefix))

    def known_contexts(self, prefix: str = "") -> list[str]:
        """``GET /contexts``: the default one first."""
        return [one for one in (DEFAULT, *sorted(self.contexts - {DEFAULT})) if one.startswith(prefix)]

    def drop_context(self, context: str) -> None:
        """``DELETE /contexts/{c}``; an unknown one needs no dropping."""
        if self.of_context(context):
            raise Refused(42211)
        self.contexts.discard(context)

    def numbers(self, subject: str, *, deleted: bool = False, deleted_only: bool = False) -> list[int]:
        """``GET /subjects/{s}/versions``."""
        found = self.seen(self.behind(subject), deleted=deleted or deleted_only)
        if not found:
            raise Refused(40401)
        return [one.number for one in found if one.is_deleted or not deleted_only]

    def signed_numbers(self, subject: str) -> list[int]:
        """``GET …/versions?deletedAsNegative=true``: soft-deleted ones are below zero."""
        found = self.all(self.behind(subject))
        if not found:
            raise Refused(40401)
        return [-one.number if one.is_deleted else one.number for one in found]

    def version(self, subject: str, number: int, *, deleted: bool = False) -> Version:
        """``GET /subjects/{s}/versions/{v}``: a bare name is looked for in other contexts too (1.9)."""
        is_known = False
        for name in self.homes(self.behind(subject)):
            found = self.seen(name, deleted=deleted)
            is_known = is_known or bool(found)
            chosen = [one for one in found if number == one.number] if number != LATEST else self.live(name)
            if chosen:
                return chosen[-1]
        raise Refused(40402 if is_known else 40401)

    def with_property(self, subject: str, pair: tuple[str, str], *, deleted: bool) -> Version:
        """``GET /subjects/{s}/metadata``: the newest version that has it (1.8)."""
        rows = self.seen(self.behind(subject), deleted=deleted)
        if not rows:
            raise Refused(40401)
        found = [one for one in rows if pair in one.content.properties.items()]
        if not found:
            raise Refused(40403)
        return found[-1]

    def referrers(self, subject: str, number: int, *, deleted: bool) -> list[int]:
        """``GET …/referencedby``: the target itself may be soft-deleted."""
        target = self.version(subject, number, deleted=True)
        return sorted({one.id for one in self.users_of(target.subject, [target.number], live=not deleted)})

    def every_schema(
        self, prefix: str, *, deleted: bool, latest: bool = False, rule_type: str = "", aliases: bool = False
    ) -> list[dict[str, Any]]:
        """``GET /schemas``: by subject and number; an alias that is asked for brings its subject (1.10)."""
        other_names: dict[str, list[str]] = {}
        for one in sorted(self.configs):
            if aliases and self.behind(one) != one:
                other_names.setdefault(self.behind(one), []).append(one)
        found = [
            one
            for name in sorted(self.subjects)
            if begins(name, prefix) or any(begins(other, prefix) for other in other_names.get(name, ()))
            for one in self.seen(name, deleted=deleted)[-1 if latest else 0 :]
            if not rule_type or (one.content.rule_set and rule_type in one.content.rule_set.types)
        ]
        return [
            {**one.shown, **({"aliases": other_names[one.subject]} if one.subject in other_names else {})}
            for one in found
        ]

    def by_id(self, schema_id: int, subject: str = "", *, max_id: bool = False) -> dict[str, Any]:
        """``GET /schemas/ids/{id}``: soft-deleted ones are found; the subject chooses the context (1.11)."""
        found = self._uses(schema_id, subject)
        _, name = split(self.behind(subject))
        named = sorted(
            (one for one in found if split(one.subject)[1] == name),
            key=lambda one: (not one.is_deleted, one.number),
        )
        answer = {**found[0].content.shown, "deleted": all(one.is_deleted for one in found)}
        if name and named:
            chosen = named[-1]
            answer |= {"subject": chosen.subject, "version": chosen.number, "deleted": chosen.is_deleted}
        if max_id:
            answer["maxId"] = self.last_ids[split(found[0].subject)[0]]
        return answer

    def uses(self, schema_id: int, subject: str, *, deleted: bool) -> list[dict[str, Any]]:
        """``GET /schemas/ids/{id}/versions``."""
        found = self._uses(schema_id, subject)
        return [
            {"subject": one.subject, "version": one.number} for one in found if deleted or not one.is_deleted
        ]

    def ids_of(self, guid: str) -> list[dict[str, Any]]:
        """``GET /schemas/guids/{guid}/ids``: in every context (1.12)."""
        pairs = {(split(one.subject)[0], one.id) for one in self._everything() if one.content.guid == guid}
        return [{"context": context, "id": number} for context, number in sorted(pairs)]

    def _everything(self) -> Iterable[Version]:
        return (one for rows in self.subjects.values() for one in rows)

    def _uses(self, schema_id: int, subject: str) -> list[Version]:
        """Every use of an id in the one context that the subject means."""
        context, name = split(self.behind(subject))
        if context != DEFAULT or not name:
            contexts = [context]
        else:
            contexts = [DEFAULT, *sorted(self.contexts - {DEFAULT})]
        for one in contexts:
            found = [use for use in self.of_context(one) if use.id == schema_id]
            if found and (not name or join(one, name) in {use.subject for use in found}):
                return found
        found = [use for use in self.of_context(DEFAULT) if use.id == schema_id]
        if found and context == DEFAULT:
            return found
        raise Refused(40403)
