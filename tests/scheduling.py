"""Which tests stay together, and what begins first.

Tests of one group share what is dear to start (a browser, a JVM, a platform), so one worker runs them all.
The longest groups begin first: a long one at the end would leave the other worker idle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]  # ships no types

if TYPE_CHECKING:
    from xdist.remote import Producer  # type: ignore[import-untyped]  # ships no types

# Folders and files, the longest first; whatever is not named is a group by file, in the order of the run.
FIRST: Final = (
    "tests/pipeline/",
    "tests/browser/",
    "tests/accord_server/kit/test_worker.py",
    "tests/registry/test_delegated_servers.py",
    "tests/registry/test_check_runs.py",
    "tests/contract/test_native_refusals.py",
    "tests/registry/confluent/test_model.py",
    "tests/oracle/test_buf.py",
    "tests/registry/dry_runs/test_life.py",
    "tests/accord_server/test_wsgi.py",
    "tests/accord_server/kit/test_intake_slow_senders.py",
    "tests/accord/formats/jsonschema/test_hostile.py",
    "tests/registry/test_visibility.py",
    "tests/accord/cli/test_action.py",
    "tests/accord_server/dev/test_postgres.py",
    "tests/contract/test_confluent_refusals.py",
    "tests/accord/policy/test_json_properties.py",
    "tests/accord/policy/test_properties.py",
    "tests/accord/policy/test_protobuf_readability.py",
    "tests/accord/rules/test_cases.py",
)
# Those who stop and kill a platform; the others of the folder use one that runs for them all.
OWN_PLATFORM: Final = (
    "tests/e2e/test_make_run.py",
    "tests/e2e/test_faults.py",
    "tests/e2e/test_own_servers.py",
)
E2E: Final = "tests/e2e/"


def group_of(nodeid: str) -> str:
    """Return the name of the group that a test belongs to."""
    file = nodeid.partition("::")[0]
    if file in OWN_PLATFORM:
        return OWN_PLATFORM[0]
    return next((group for group in (*FIRST, E2E) if file.startswith(group)), file)


def place_of(nodeid: str) -> int:
    """Return the place of a test's group in the queue."""
    group = group_of(nodeid)
    return FIRST.index(group) if group in FIRST else len(FIRST)


class Groups(LoadScopeScheduling):  # type: ignore[misc]  # xdist ships no types
    """Gives each worker one group after another, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        config.option.loadscopereorder = False
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest groups first; the sort keeps what was shuffled before."""
    items.sort(key=lambda item: place_of(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Groups:
    """Let the workers of every run take groups."""
    return Groups(config, log)
