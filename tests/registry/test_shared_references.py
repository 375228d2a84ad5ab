"""What many schemas refer to is parsed once for all of them, and weighs once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats.avro import references
from accord.formats.avro.parse import parse_text
from accord.formats.forms import Form
from accord.model import SubjectName
from registry import services
from registry.records import CheckCandidate, LookUpVersion
from registry.services.memory import MODELS, PAIRS
from tests.registry.client import optional, record
from tests.registry.texts import register, source

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db

BIG = record(*(f"field_{number}" for number in range(400)), name="Big")
REFERENCE = ("Big", "big", 1)


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch, scope: Scope) -> list[str]:
    """The referenced texts that were parsed, as it goes on; *big* is registered."""
    register(scope, "big", BIG)
    parsed: list[str] = []

    def noted(text: str, **options: Any) -> Any:
        parsed.append(text)
        return parse_text(text, **options)

    monkeypatch.setattr(references, "parse_text", noted)
    return parsed


def user(number: int) -> dict[str, Any]:
    return record({"name": "big", "type": "Big"}, optional(f"own_{number}"), name="User")


@pytest.mark.parametrize(
    "ask",
    [
        lambda scope: register(scope, "s", user(1), REFERENCE),
        lambda scope: register(scope, "other", user(2), REFERENCE),
        lambda scope: services.look_up_version(
            scope, LookUpVersion(SubjectName("s"), source(user(1), REFERENCE))
        ),
        lambda scope: services.check_compatibility(
            scope, CheckCandidate(SubjectName("s"), source(user(3), REFERENCE))
        ),
        lambda scope: services.version_in_form(scope, SubjectName("s"), 1, Form.RESOLVED),
    ],
    ids=["repeat", "register", "look up", "check", "write out"],
)
def test_the_second_request_parses_no_reference(
    scope: Scope, parses: list[str], ask: Callable[[Scope], object]
) -> None:
    register(scope, "s", user(1), REFERENCE)
    assert len(parses) == 1
    ask(scope)
    assert len(parses) == 1


def test_the_second_request_reads_no_referenced_text(
    scope: Scope, parses: list[str], django_assert_num_queries: Callable[..., Any]
) -> None:
    register(scope, "s", user(1), REFERENCE)
    with django_assert_num_queries(2):
        register(scope, "s", user(1), REFERENCE)


def test_stored_versions_share_with_candidates(scope: Scope, parses: list[str]) -> None:
    services.change_config(scope, SubjectName("s"), {"compatibilityLevel": "FULL_TRANSITIVE"})
    for number in range(4):
        register(scope, "s", user(number), REFERENCE)
    MODELS.clear()
    PAIRS.clear()
    parses.clear()
    register(scope, "s", user(9), REFERENCE)
    assert len(parses) == 1


def test_another_list_of_references_is_another_matter(scope: Scope, parses: list[str]) -> None:
    register(scope, "s", user(1), REFERENCE)
    register(scope, "part", record("x", name="Part"))
    both = record({"name": "big", "type": "Big"}, {"name": "part", "type": "Part"}, name="Both")
    register(scope, "both", both, REFERENCE, ("Part", "part", 1))
    assert len(parses) == 3


def test_many_models_over_one_big_reference_weigh_it_once(scope: Scope, parses: list[str]) -> None:
    MODELS.clear()
    register(scope, "u0", user(0), REFERENCE)
    first = MODELS.weight
    for number in range(1, 20):
        register(scope, f"u{number}", user(number), REFERENCE)
    assert first > len(parses[0])
    assert MODELS.weight - first < 20 * 200 < len(parses[0])


def test_models_that_share_nothing_weigh_all_they_keep(scope: Scope, parses: list[str]) -> None:
    """Each list of references that differs keeps types of its own alive."""
    MODELS.clear()
    count = 5
    for number in range(count):
        register(scope, f"part-{number}", record("x", name=f"Part{number}"))
        register(scope, f"u{number}", user(number), REFERENCE, (f"Part{number}", f"part-{number}", 1))
    assert MODELS.weight > count * len(parses[0])
