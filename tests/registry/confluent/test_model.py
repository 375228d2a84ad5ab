"""Random calls to the registry and to a model of it must have the same answers."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests import factories
from tests.registry.client import Registry as Client
from tests.registry.client import segment
from tests.registry.confluent.model.registry import Registry
from tests.registry.confluent.model.values import LATEST, VERSION, Refused, Sent, Sketch, Version, join, split

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor, TokenFor
    from tests.registry.client import Answer

pytestmark = pytest.mark.django_db

# `make soak` asks for more. The run that guards a change is the same each time, so that it blames the change.
SEQUENCES = int(os.environ.get("SEQUENCES", "0"))
IN_EVERY_RUN = 200
STEPS = 10

PARTS = ("a", ":.c:a", "b")
WHOLES = ("u", ":.c:u")
CONTEXTS = (".", ".c")
PLACES = (*PARTS, *WHOLES, "", ":.c:", ":.__GLOBAL:")
A, B = ("a", "int", False), ("b", "int", True)
SKETCHES = (
    Sketch("R", (A,)),
    Sketch("R", (A, B)),
    Sketch("R", (A, ("b", "int", False))),
    Sketch("R", (("a", "string", False),)),
    Sketch("R", (A,), (("y", 1), ("x", 2))),
    Sketch("R", (A,), (("x", 2), ("y", 1))),
)
WHOLE = Sketch("U", (("r", "R", False),))
METADATA = (None, None, None, (), (("k", "1"),), (("k", "2"),), ((VERSION, "1"),))
NAMES = st.sampled_from(PARTS + WHOLES)
NUMBERS = st.sampled_from((1, 1, 2, 2, 3, LATEST))
FLAGS = st.booleans()
PART = st.builds(
    Sent,
    st.sampled_from(SKETCHES),
    metadata=st.sampled_from(METADATA),
    version=st.sampled_from((0, 0, 0, 0, -1, 1, 2, 3)),
    normalize=st.sampled_from((False, False, True)),
)
REFERENCE = st.tuples(st.sampled_from(("a", "b", ":.:a", ":.c:a")), st.sampled_from((1, 2, LATEST)))
BY_REFERENCE = st.builds(Sent, st.just(WHOLE), st.tuples(REFERENCE))
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "compatibilityLevel": st.sampled_from(("NONE", "BACKWARD", "FORWARD", "FULL_TRANSITIVE", None)),
        "normalize": st.sampled_from((True, None)),
    },
)


def body_of(sent: Sent) -> dict[str, Any]:
    """The body that a client sends."""
    members: dict[str, Any] = {"schema": sent.sketch.text, "version": sent.version or None, "id": sent.id}
    if sent.references:
        members["references"] = [
            {"name": "R", "subject": one, "version": number} for one, number in sent.references
        ]
    if sent.metadata is not None:
        members["metadata"] = {"properties": dict(sent.metadata)}
    return members


def shown(version: Version, *, named: bool) -> dict[str, Any]:
    """The answer about a version; only reads and look-ups name the subject."""
    content = version.content
    answer: dict[str, Any] = {"id": version.id, "version": version.number, "schema": content.sketch.text}
    if named:
        answer["subject"] = version.subject
    if content.references:
        answer["references"] = body_of(Sent(content.sketch, content.references))["references"]
    if content.metadata:
        answer["metadata"] = {"properties": dict(content.metadata)}
    return answer


def as_updated(record: dict[str, Any]) -> dict[str, Any]:
    """A config as updates spell it."""
    return {
        ("compatibility" if name == "compatibilityLevel" else name): value for name, value in record.items()
    }


class Calls(RuleBasedStateMachine):
    """Each rule sends a call and expects what the model says."""

    api: Client

    def __init__(self, api: Client) -> None:
        super().__init__()
        self.api = api
        self.model = Registry()

    def expect(self, told: Callable[[], Any], method: str, path: str, body: object = None) -> None:
        try:
            expected = 200, told()
        except Refused as refusal:
            expected = refusal.code // 100, refusal.code
        answer = self.api.call(method, path, body)
        assert (answer.status, _value(answer)) == expected, (method, path, body)

    @initialize(sent=st.lists(st.tuples(st.sampled_from(PARTS), PART), min_size=1, max_size=4))
    def begin(self, sent: list[tuple[str, Sent]]) -> None:
        """Begin with something: most calls find nothing otherwise."""
        for subject, one in sent:
            self._register(subject, one)

    @rule(subject=st.sampled_from(PARTS), sent=PART)
    def register(self, subject: str, sent: Sent) -> None:
        self._register(subject, sent)

    @rule(subject=st.sampled_from(WHOLES), sent=BY_REFERENCE)
    def register_with_references(self, subject: str, sent: Sent) -> None:
        self._register(subject, sent)

    @rule(
        subject=st.sampled_from(PARTS),
        sent=st.builds(
            Sent,
            st.sampled_from(SKETCHES[:4]),
            metadata=st.sampled_from((None, (("k", "1"),))),
            version=st.sampled_from((0, 0, 1, 2, 3)),
            id=st.integers(1, 4),
        ),
    )
    def register_with_an_id(self, subject: str, sent: Sent) -> None:
        self._register(subject, sent)

    def _register(self, subject: str, sent: Sent) -> None:
        path = f"/subjects/{segment(subject)}/versions{'?normalize=true' if sent.normalize else ''}"
        told = lambda: shown(self.model.register(subject, sent), named=False)  # noqa: E731  # it is short
        self.expect(told, "POST", path, body_of(sent))

    @rule(subject=NAMES, sent=PART | BY_REFERENCE, deleted=FLAGS)
    def look_up(self, subject: str, sent: Sent, deleted: bool) -> None:
        query = f"?deleted={deleted}&normalize={sent.normalize}"
        self.expect(
            lambda: shown(self.model.look_up(subject, sent, deleted=deleted), named=True),
            "POST",
            f"/subjects/{segment(subject)}{query}",
            body_of(sent),
        )

    @rule(subject=NAMES, sent=PART | BY_REFERENCE)
    def check(self, subject: str, sent: Sent) -> None:
        self.expect(
            lambda: {"is_compatible": self.model.is_compatible(subject, sent)},
            "POST",
            f"/compatibility/subjects/{segment(subject)}/versions?normalize={sent.normalize}",
            body_of(sent),
        )

    @rule(subject=NAMES, number=NUMBERS, permanent=FLAGS)
    def delete_version(self, subject: str, number: int, permanent: bool) -> None:
        self.expect(
            lambda: self.model.delete_version(subject, number, permanent=permanent),
            "DELETE",
            f"/subjects/{segment(subject)}/versions/{number}?permanent={permanent}",
        )

    @rule(subject=NAMES, permanent=FLAGS)
    def delete_subject(self, subject: str, permanent: bool) -> None:
        self.expect(
            lambda: self.model.delete_subject(subject, permanent=permanent),
            "DELETE",
            f"/subjects/{segment(subject)}?permanent={permanent}",
        )

    @rule(place=st.sampled_from(PLACES), changes=CHANGES)
    def put_config(self, place: str, changes: dict[str, Any]) -> None:
        self.expect(
            lambda: as_updated(self.model.put_config(place, changes)),
            "PUT",
            f"/config/{segment(place)}",
            as_updated(changes),
        )

    @rule(place=st.sampled_from(PLACES), default=FLAGS)
    def get_config(self, place: str, default: bool) -> None:
        self.expect(
            lambda: self.model.get_config(place, default=default),
            "GET",
            f"/config/{segment(place)}?defaultToGlobal={default}",
        )

    @rule(place=st.sampled_from(PLACES))
    def delete_config(self, place: str) -> None:
        self.expect(lambda: self.model.delete_config(place), "DELETE", f"/config/{segment(place)}")

    @rule(
        place=st.sampled_from(PLACES),
        mode=st.sampled_from(("READWRITE", "READONLY", "IMPORT", "IMPORT", "FORWARD", None)),
        force=FLAGS,
    )
    def put_mode(self, place: str, mode: str | None, force: bool) -> None:
        def told() -> dict[str, Any]:
            self.model.put_mode(place, mode, force=force)
            return {} if mode is None else {"mode": mode}

        self.expect(told, "PUT", f"/mode/{segment(place)}?force={force}", {"mode": mode})

    @rule(place=st.sampled_from(PLACES), default=FLAGS)
    def get_mode(self, place: str, default: bool) -> None:
        self.expect(
            lambda: {"mode": self.model.get_mode(place, default=default)},
            "GET",
            f"/mode/{segment(place)}?defaultToGlobal={default}",
        )

    @rule(place=st.sampled_from(PLACES), recursive=FLAGS)
    def delete_mode(self, place: str, recursive: bool) -> None:
        recursive = recursive and not split(place)[1]

        def told() -> dict[str, Any]:
            before = self.model.delete_mode(place, recursive=recursive)
            return {} if before is None else {"mode": before}

        self.expect(told, "DELETE", f"/mode/{segment(place)}?recursive={recursive}")

    @rule(subject=NAMES, number=NUMBERS, deleted=FLAGS)
    def read_version(self, subject: str, number: int, deleted: bool) -> None:
        self.expect(
            lambda: shown(self.model.version(subject, number, deleted=deleted), named=True),
            "GET",
            f"/subjects/{segment(subject)}/versions/{number}?deleted={deleted}",
        )

    @rule(subject=st.sampled_from(PARTS), number=st.sampled_from((1, 2)), deleted=FLAGS)
    def read_referrers(self, subject: str, number: int, deleted: bool) -> None:
        self.expect(
            lambda: self.model.referrers(subject, number, deleted=deleted),
            "GET",
            f"/subjects/{segment(subject)}/versions/{number}/referencedby?deleted={deleted}",
        )

    def teardown(self) -> None:
        """Whatever was called, all that is stored is the same."""
        for deleted in (True, False):
            self.expect(lambda: self.model.names(deleted=deleted), "GET", f"/subjects?deleted={deleted}")  # noqa: B023  # called at once
        for subject in self.model.subjects:
            path = f"/subjects/{segment(subject)}/versions"
            self.expect(lambda: self.model.numbers(subject, deleted=True), "GET", f"{path}?deleted=true")  # noqa: B023  # called at once
        for context, last in self.model.last_ids.items():
            for schema_id in range(1, last + 2):
                self._read_by_id(context, schema_id)

    def _read_by_id(self, context: str, schema_id: int) -> None:
        answer = self.api.get(
            f"/schemas/ids/{schema_id}/schema?subject={segment(join(context, '') or ':.:')}"
        )
        try:
            text = self.model.content(context, schema_id).sketch.text
        except Refused:
            assert answer.error == (404, 40403)
        else:
            assert answer.raw.decode() == text


def _value(answer: Answer) -> Any:
    return answer.body if answer.status == 200 else answer.code


@pytest.mark.timeout(0)
def test_the_registry_answers_as_its_model_does(alice: Actor, token_for: TokenFor) -> None:
    numbers, token = count(1), token_for(alice)

    class Machine(Calls):
        """Each sequence has a namespace of its own."""

        def __init__(self) -> None:
            namespace = factories.make_namespace(alice.tenant, f"calls-{next(numbers)}")
            super().__init__(Client(token, prefix=f"/sr/{alice.tenant.slug}/{namespace.slug}"))

    run_state_machine_as_test(
        Machine,
        settings=hypothesis.settings(
            max_examples=SEQUENCES or IN_EVERY_RUN,
            stateful_step_count=STEPS,
            derandomize=not SEQUENCES,
            database=None,
            report_multiple_bugs=False,
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
