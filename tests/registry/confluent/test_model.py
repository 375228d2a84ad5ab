"""Random calls to the registry and to a model of it must have the same answers."""

from __future__ import annotations

import os
from itertools import count
from typing import TYPE_CHECKING

import hypothesis
import pytest
from django.db import transaction
from hypothesis.stateful import run_state_machine_as_test

from accord.formats.protobuf import service
from tests import factories
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import Registry as Client
from tests.registry.confluent.model.machine import Calls

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

# `make soak` asks for more. The run that guards a change is the same each time, so that it blames the change.
SEQUENCES = int(os.environ.get("SEQUENCES", "0"))
IN_EVERY_RUN = 200
STEPS = 10


@pytest.fixture(autouse=True)
def _compiler() -> None:
    service.use(COMPILER)


@pytest.mark.timeout(0)
def test_the_registry_answers_as_its_model_does(alice: Actor, token_for: TokenFor) -> None:
    numbers, token = count(1), token_for(alice)

    class Machine(Calls):
        """Each sequence has a namespace of its own and leaves nothing: PostgreSQL plans for what it knows."""

        def __init__(self) -> None:
            self.point = transaction.savepoint()
            namespace = factories.make_namespace(alice.tenant, f"calls-{next(numbers)}")
            super().__init__(Client(token, prefix=f"/sr/{alice.tenant.slug}/{namespace.slug}"))

        def teardown(self) -> None:
            try:
                super().teardown()
            finally:
                transaction.savepoint_rollback(self.point)

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
