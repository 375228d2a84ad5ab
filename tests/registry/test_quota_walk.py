"""Whatever happens, what was counted is what is there; and however many come at once, none too many."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from accord.errors import AccordError
from accord.model import Contract, Format, Metadata, SchemaText, SubjectName
from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef
from registry import services
from registry.module_records import UploadSet
from registry.records import RegisterVersion
from registry.services.collecting import collect_unused
from registry.services.restoring import restore_subject
from registry.services.uploading import delete_module_version, upload_set
from tenants import services as people
from tenants.errors import QuotaReached
from tenants.queries.quotas import in_use
from tenants.services import quotas
from tests.cast import issued_for
from tests.registry.descriptors.asking import ORDER, TEXTS, compiled_set
from tests.registry.texts import grown, register, source
from tests.registry.threads import all_at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.cast import Actor
    from tests.registry.quota_limits import Limit

STEPS = 60
SUBJECTS = ("a", "b", "c")
WRITERS = 6


class Walk:
    """Steps that are taken in any order; one that cannot be taken changes nothing."""

    def __init__(self, scope: Scope, operator: Scope, actor: Actor, seed: int) -> None:
        self._scope = scope
        self._operator = operator
        self._actor = actor
        self._dice = random.Random(seed)
        self._tokens: list[str] = []

    def go(self) -> None:
        """Take one step."""
        step = self._dice.choice(self._steps())
        with suppress(AccordError):
            step()

    def _steps(self) -> list[Callable[[], object]]:
        subject, number = SubjectName(self._dice.choice(SUBJECTS)), self._dice.randrange(6)
        scope = self._scope
        return [
            lambda: register(scope, subject.name, grown(number)),
            lambda: self._carry(subject, number),
            lambda: self._compile(subject, number),
            lambda: services.soft_delete_subject(scope, subject),
            lambda: services.soft_delete_version(scope, subject, "latest"),
            lambda: services.purge_subject(scope, subject),
            lambda: restore_subject(scope, subject),
            lambda: upload_set(scope, UploadSet("shop", compiled_set(self._texts(number)))),
            lambda: delete_module_version(scope, "shop", None),
            lambda: collect_unused(scope),
            lambda: self._tokens.append(issued_for(self._actor).record.key_id),
            lambda: people.revoke_token(self._operator, key_id=self._tokens[0]) if self._tokens else None,
            self._turn_namespace,
            lambda: quotas.fold_tenant(self._operator),
        ]

    def _carry(self, subject: SubjectName, number: int) -> None:
        carried = Contract(Metadata(properties=(("n", str(number)),)))
        command = RegisterVersion(subject, source(grown(number)), contract=carried)
        services.register_version(self._scope, command)

    def _compile(self, subject: SubjectName, number: int) -> None:
        text = f'syntax = "proto3"; message M {{ string a = 1; int32 f = {number + 2}; }}'
        command = RegisterVersion(subject, SchemaText(Format.PROTOBUF, text))
        services.register_version(self._scope, command)

    def _texts(self, number: int) -> dict[str, str]:
        return {**TEXTS, "order.proto": ORDER % (f"string note = {number + 4};" if number < 2 else "")}

    def _turn_namespace(self) -> None:
        """Make a namespace, delete it or bring it back, whichever can be done."""
        with suppress(AccordError):
            record = people.create_namespace(self._operator, slug="spare", template=None)
            inside = replace(self._operator, namespace=NamespaceRef(record.id, "spare"))
            people.delete_namespace(inside, confirmed="spare", expected=None)
            return
        people.restore_namespace(self._operator, slug="spare")


@pytest.mark.django_db
@pytest.mark.parametrize("seed", [1, 2])
def test_after_a_walk_a_recount_finds_nothing_to_mend(
    scope: Scope, operator: Scope, alice: Actor, seed: int
) -> None:
    services.change_config(scope, SubjectName("", "."), {"compatibilityLevel": "NONE"})
    walk = Walk(scope, operator, alice, seed)
    for _ in range(STEPS):
        walk.go()
    tenancy.activate(operator.tenant.id)
    used = in_use(operator)
    assert quotas.recount_usage(operator) == []
    assert in_use(operator) == used
    assert min(used.values()) >= 0
    assert used["stored_bytes"] > 0


@pytest.mark.django_db(transaction=True)
def test_many_at_once_do_not_exceed_a_limit_together(scope: Scope, operator: Scope, limit: Limit) -> None:
    limit(versions=3)
    made = all_at_once(scope, lambda number: register(scope, f"s{number}", grown(number)), WRITERS)
    refused = [one for one in made if isinstance(one, QuotaReached)]
    tenancy.activate(operator.tenant.id)
    assert (len(refused), in_use(operator)["versions"]) == (WRITERS - 3, 3)
    assert {one.usage for one in refused} == {3}
    assert quotas.recount_usage(operator) == []
