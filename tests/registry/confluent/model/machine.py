"""Random calls: each is sent, and must be answered with what the model says."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from tests.registry.client import Registry as Client
from tests.registry.client import segment
from tests.registry.confluent.model import strategies as some
from tests.registry.confluent.model.names import split
from tests.registry.confluent.model.registry import Registry
from tests.registry.confluent.model.sketches import REFERENCE_NAMES
from tests.registry.confluent.model.values import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.registry.client import Answer
    from tests.registry.confluent.model.values import Amended, Sent

# What the 8.x line adds, and the moment that nobody can foretell.
NEW_MEMBERS = ("guid", "deleted")
MOMENT = "ts"


class Calls(RuleBasedStateMachine):
    """Each rule sends a call and expects what the model says."""

    def __init__(self, api: Client) -> None:
        super().__init__()
        self.api = api
        self.model = Registry()
        self.format = "AVRO"
        self.is_alike = True

    def expect(
        self, told: Callable[[], Any], method: str, path: str, body: object = None, **query: Any
    ) -> None:
        try:
            expected = 200, self._shaped(told())
        except Refused as refusal:
            expected = refusal.code // 100, refusal.code
        asked = f"{path}?{urlencode(query)}" if query else path
        answer = self.api.call(method, asked, body)
        found = answer.status, _value(answer)
        self.is_alike = found == expected
        assert found == expected, f"{method} {asked} {body}: {'; '.join(_apart(found, expected))}"

    def _shaped(self, value: Any) -> Any:
        """What the model says, as this client is answered."""
        if isinstance(value, list):
            return [self._shaped(one) for one in value]
        if not isinstance(value, dict) or "schema" not in value or self.api.new_members:
            return value
        is_plain = value["schemaType"] == "AVRO"
        left_out = {*NEW_MEMBERS, *(("schemaType",) if is_plain else ())}
        if "id" not in value:
            left_out |= {"subject", "version"}
        return {name: one for name, one in value.items() if name not in left_out}

    @initialize(
        format_=st.sampled_from(("AVRO", "AVRO", "JSON", "PROTOBUF")),
        is_new=some.FLAGS,
        sent=st.lists(st.tuples(st.sampled_from(some.PARTS), some.PART), min_size=1, max_size=4),
    )
    def begin(self, format_: str, is_new: bool, sent: list[tuple[str, Sent]]) -> None:
        """Begin with something: most calls find nothing otherwise."""
        self.format = format_
        self.api = replace(self.api, new_members=is_new)
        for subject, one in sent:
            self._register(subject, self._written(one))

    # Writing.

    @rule(subject=st.sampled_from(some.PARTS + some.OTHER_NAMES), sent=some.PART)
    def register(self, subject: str, sent: Sent) -> None:
        self._register(subject, self._written(sent))

    @rule(sent=some.PART, format_=st.sampled_from(("AVRO", "JSON", "PROTOBUF")))
    def register_in_any_format(self, sent: Sent, format_: str) -> None:
        """Nobody refers to this subject."""
        self._register("b", self._written(sent, format_))

    @rule(subject=st.sampled_from(some.WHOLES), sent=some.BY_REFERENCE)
    def register_with_references(self, subject: str, sent: Sent) -> None:
        self._register(subject, self._written(sent))

    @rule(subject=some.NAMES, sent=some.ONLY_CONTRACT)
    def register_metadata_and_rules(self, subject: str, sent: Sent) -> None:
        self._register(subject, sent)

    @rule(subject=st.sampled_from(some.PARTS), sent=some.IMPORTED)
    def register_with_an_id(self, subject: str, sent: Sent) -> None:
        self._register(subject, self._written(sent))

    @rule(subject=some.NAMES, number=some.NUMBERS, sent=some.AMENDED)
    def amend(self, subject: str, number: int, sent: Amended) -> None:
        self.expect(
            lambda: self.model.amend(subject, number, sent).registered,
            "POST",
            f"/subjects/{segment(subject)}/versions/{number}/tags",
            sent.body,
        )

    def _register(self, subject: str, sent: Sent) -> None:
        path = f"/subjects/{segment(subject)}/versions"
        self.expect(
            lambda: self.model.register(subject, sent).registered,
            "POST",
            path,
            sent.body,
            normalize=sent.normalize,
        )

    def _written(self, sent: Sent, format_: str = "") -> Sent:
        """What is sent, in the format of the sequence."""
        format_ = format_ or self.format
        named = tuple((REFERENCE_NAMES[format_], one, number) for _, one, number in sent.references)
        return replace(sent, sketch=sent.sketch and sent.sketch.of(format_), references=named)

    @rule(subject=some.NAMES, number=some.NUMBERS, permanent=some.FLAGS)
    def delete_version(self, subject: str, number: int, permanent: bool) -> None:
        self.expect(
            lambda: self.model.delete_version(subject, number, permanent=permanent),
            "DELETE",
            f"/subjects/{segment(subject)}/versions/{number}",
            permanent=permanent,
        )

    @rule(subject=some.NAMES, permanent=some.FLAGS)
    def delete_subject(self, subject: str, permanent: bool) -> None:
        self.expect(
            lambda: self.model.delete_subject(subject, permanent=permanent),
            "DELETE",
            f"/subjects/{segment(subject)}",
            permanent=permanent,
        )

    @rule(subject=some.NAMES)
    def delete_subject_for_good(self, subject: str) -> None:
        """Both steps at once: they seldom follow each other by chance."""
        for permanent in (False, True):
            self.delete_subject(subject, permanent)

    @rule(context=st.sampled_from(some.CONTEXTS[1:]))
    def drop_context(self, context: str) -> None:
        try:
            self.model.drop_context(context)
        except Refused as refusal:
            expected = refusal.code // 100
        else:
            expected = 204
        answer = self.api.delete(f"/contexts/{context}")
        self.is_alike = answer.status == expected
        assert self.is_alike, f"DELETE {context}: {answer.status} and not {expected}"

    # Checking and looking up.

    @rule(subject=some.NAMES, sent=some.PART | some.BY_REFERENCE, deleted=some.FLAGS)
    def look_up(self, subject: str, sent: Sent, deleted: bool) -> None:
        sent = self._written(sent)
        self.expect(
            lambda: self.model.look_up(subject, sent, deleted=deleted).shown,
            "POST",
            f"/subjects/{segment(subject)}",
            sent.body,
            deleted=deleted,
            normalize=sent.normalize,
        )

    @rule(subject=some.NAMES, sent=some.PART | some.BY_REFERENCE, number=st.none() | some.NUMBERS)
    def check(self, subject: str, sent: Sent, number: int | None) -> None:
        sent = self._written(sent)
        self.expect(
            lambda: {"is_compatible": self.model.is_compatible(subject, sent, number)},
            "POST",
            f"/compatibility/subjects/{segment(subject)}/versions{'' if number is None else f'/{number}'}",
            sent.body,
            normalize=sent.normalize,
        )

    # Settings.

    @rule(place=st.sampled_from(some.PLACES), changes=some.CHANGES)
    def put_config(self, place: str, changes: dict[str, Any]) -> None:
        self._put_config(place, changes)

    @rule(name=st.sampled_from(some.OTHER_NAMES), behind=some.ALIASES)
    def put_alias(self, name: str, behind: str | None) -> None:
        self._put_config(name, {"alias": behind})

    def _put_config(self, place: str, changes: dict[str, Any]) -> None:
        self.expect(
            lambda: _update(self.model.put_config(place, changes)),
            "PUT",
            f"/config/{segment(place)}",
            _update(changes),
        )

    @rule(place=st.sampled_from(some.PLACES), default=some.FLAGS)
    def get_config(self, place: str, default: bool) -> None:
        self.expect(
            lambda: _record(self.model.get_config(place, default=default)),
            "GET",
            f"/config/{segment(place)}",
            defaultToGlobal=default,
        )

    @rule(place=st.sampled_from(some.PLACES + some.OTHER_NAMES))
    def delete_config(self, place: str) -> None:
        self.expect(lambda: _record(self.model.delete_config(place)), "DELETE", f"/config/{segment(place)}")

    @rule(
        place=st.sampled_from(some.PLACES),
        mode=st.sampled_from(("READWRITE", "READONLY", "IMPORT", "IMPORT", "IMPORT", "FORWARD", None)),
        force=some.FLAGS,
    )
    def put_mode(self, place: str, mode: str | None, force: bool) -> None:
        def told() -> dict[str, Any]:
            self.model.put_mode(place, mode, force=force)
            return {} if mode is None else {"mode": mode}

        self.expect(told, "PUT", f"/mode/{segment(place)}", {"mode": mode}, force=force)

    @rule(place=st.sampled_from(some.PLACES), default=some.FLAGS)
    def get_mode(self, place: str, default: bool) -> None:
        self.expect(
            lambda: {"mode": self.model.get_mode(place, default=default)},
            "GET",
            f"/mode/{segment(place)}",
            defaultToGlobal=default,
        )

    @rule(place=st.sampled_from(some.PLACES), recursive=some.FLAGS)
    def delete_mode(self, place: str, recursive: bool) -> None:
        recursive = recursive and not split(place)[1]

        def told() -> dict[str, Any]:
            before = self.model.delete_mode(place, recursive=recursive)
            return {} if before is None else {"mode": before}

        self.expect(told, "DELETE", f"/mode/{segment(place)}", recursive=recursive)

    # Reading.

    @rule(subject=some.NAMES, number=some.NUMBERS, deleted=some.FLAGS)
    def read_version(self, subject: str, number: int, deleted: bool) -> None:
        path = f"/subjects/{segment(subject)}"
        self.expect(
            lambda: self.model.version(subject, number, deleted=deleted).shown,
            "GET",
            f"{path}/versions/{number}",
            deleted=deleted,
        )
        self.expect(
            lambda: self.model.with_property(subject, ("k", "1"), deleted=deleted).shown,
            "GET",
            f"{path}/metadata",
            key="k",
            value="1",
            deleted=deleted,
        )

    @rule(subject=some.NAMES, deleted=some.FLAGS, only=some.FLAGS, page=some.PAGE)
    def read_numbers(self, subject: str, deleted: bool, only: bool, page: tuple[int, int]) -> None:
        path, asked = f"/subjects/{segment(subject)}/versions", _page(page)
        told = partial(self.model.numbers, subject, deleted=deleted, deleted_only=only)
        self.expect(lambda: _sliced(told(), page), "GET", path, deleted=deleted, deletedOnly=only, **asked)
        signed = partial(self.model.signed_numbers, subject)
        self.expect(
            lambda: _sliced(signed(), page), "GET", path, deleted=deleted, deletedAsNegative=True, **asked
        )

    @rule(subject=st.sampled_from(("a", ":.c:a")), number=some.NUMBERS, deleted=some.FLAGS, page=some.PAGE)
    def read_referrers(self, subject: str, number: int, deleted: bool, page: tuple[int, int]) -> None:
        self.expect(
            lambda: _sliced(self.model.referrers(subject, number, deleted=deleted), page),
            "GET",
            f"/subjects/{segment(subject)}/versions/{number}/referencedby",
            deleted=deleted,
            **_page(page),
        )

    @rule(
        schema_id=st.integers(1, 4),
        subject=st.sampled_from(("", "a", "a", "u", "x", "n", ":.c:", ":.c:a", ":.c:x")),
        deleted=some.FLAGS,
        page=some.PAGE,
    )
    def read_schema(self, schema_id: int, subject: str, deleted: bool, page: tuple[int, int]) -> None:
        path = f"/schemas/ids/{schema_id}"
        told = partial(self.model.by_id, schema_id, subject, max_id=deleted)
        self.expect(told, "GET", path, subject=subject, fetchMaxId=deleted)
        pairs = partial(self.model.uses, schema_id, subject, deleted=deleted)
        asked = {"subject": subject, "deleted": deleted, **_page(page)}
        self.expect(lambda: _sliced(pairs(), page), "GET", f"{path}/versions", **asked)
        self.expect(
            lambda: _sliced(sorted({one["subject"] for one in pairs()}), page),
            "GET",
            f"{path}/subjects",
            **asked,
        )

    @rule(prefix=some.PREFIXES, deleted=some.FLAGS, only=some.FLAGS, page=some.PAGE)
    def list_names(self, prefix: str, deleted: bool, only: bool, page: tuple[int, int]) -> None:
        self.expect(
            lambda: _sliced(self.model.names(prefix, deleted=deleted, deleted_only=only), page),
            "GET",
            "/subjects",
            subjectPrefix=prefix,
            deleted=deleted,
            deletedOnly=only,
            **_page(page),
        )
        beginning = prefix[1:3] if prefix.startswith(":.") else ""
        self.expect(
            lambda: _sliced(self.model.known_contexts(beginning), page),
            "GET",
            "/contexts",
            contextPrefix=beginning,
            **_page(page),
        )

    @rule(
        prefix=some.PREFIXES,
        flags=st.tuples(some.FLAGS, some.FLAGS, some.FLAGS),
        rule_type=st.sampled_from(("", "", "CEL")),
        page=some.PAGE,
    )
    def list_schemas(
        self, prefix: str, flags: tuple[bool, bool, bool], rule_type: str, page: tuple[int, int]
    ) -> None:
        deleted, latest, aliases = flags
        told = partial(
            self.model.every_schema,
            prefix,
            deleted=deleted,
            latest=latest,
            rule_type=rule_type,
            aliases=aliases,
        )
        self.expect(
            lambda: _sliced(told(), page),
            "GET",
            "/schemas",
            subjectPrefix=prefix,
            deleted=deleted,
            latestOnly=latest,
            ruleType=rule_type,
            aliases=aliases,
            **_page(page),
        )

    def teardown(self) -> None:
        """Whatever was called, all that is stored is the same."""
        if not self.is_alike:
            return
        self.api = self.api.with_new_members()
        told = partial(self.model.every_schema, ":*:", deleted=True)
        self.expect(told, "GET", "/schemas", subjectPrefix=":*:", deleted=True)
        self.expect(self.model.known_contexts, "GET", "/contexts")
        for context, last in self.model.last_ids.items():
            known = {one.id for one in self.model.of_context(context)}
            for schema_id in {*range(1, last + 2)} - known:
                answer = self.api.get(f"/schemas/ids/{schema_id}?subject={segment(f':{context}:')}")
                assert answer.error == (404, 40403)
        guid = next((one.content.guid for rows in self.model.subjects.values() for one in rows), "0" * 32)
        self.expect(lambda: self.model.ids_of(guid), "GET", f"/schemas/guids/{guid}/ids")


def _apart(found: Any, expected: Any, place: str = "") -> Iterator[str]:
    """Yield the places at which two answers differ."""
    if isinstance(found, dict) and isinstance(expected, dict):
        for name in sorted(found.keys() | expected.keys()):
            yield from _apart(found.get(name), expected.get(name), f"{place}.{name}")
    elif (
        isinstance(found, list | tuple) and isinstance(expected, list | tuple) and len(found) == len(expected)
    ):
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            yield from _apart(one, other, f"{place}[{number}]")
    elif found != expected:
        yield f"{place} is {found!r} and not {expected!r}"


def _page(page: tuple[int, int]) -> dict[str, int]:
    return {"offset": page[0], "limit": page[1]}


def _sliced(found: list[Any], page: tuple[int, int]) -> list[Any]:
    offset, limit = page
    return found[offset : offset + limit if limit > 0 else None]


def _record(record: dict[str, Any]) -> dict[str, Any]:
    """A config as it is shown."""
    return {name: getattr(value, "shown", value) for name, value in record.items()}


def _update(record: dict[str, Any]) -> dict[str, Any]:
    """A config as updates spell it."""
    renamed = {
        ("compatibility" if name == "compatibilityLevel" else name): one for name, one in record.items()
    }
    return _record(renamed)


def _value(answer: Answer) -> Any:
    return _timeless(answer.body) if answer.status == 200 else answer.code


def _timeless(value: Any) -> Any:
    if isinstance(value, list):
        return [_timeless(one) for one in value]
    if isinstance(value, dict):
        return {name: one for name, one in value.items() if name != MOMENT}
    return value
