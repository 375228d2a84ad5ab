"""The verbs against the real server: the command line and the interface give the same verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.accord.cli.schemas import AS_TEXT, BARE, NEEDS_NOTE, WITH_NOTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    from tests.accord.cli.conftest import Program, Repository
    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)
NAMESPACE = "/sr/north/default"


class Live:
    """The program with an address and a token of its own."""

    def __init__(self, accord: Program, url: str, token: str) -> None:
        self.accord, self.url, self.token = accord, url, token

    def __call__(self, *arguments: str) -> Result:
        return self.accord(*arguments, "--url", self.url, "--token", self.token)


@pytest.fixture
def live(
    granian_server: Callable[..., RunningProcess],
    accord: Program,
    alice: Actor,
    token_for: TokenFor,
    repository: Repository,
) -> tuple[Live, Live]:
    """The program as an administrator, and as a job that may read and check alone."""
    url = granian_server().url + NAMESPACE
    job = token_for(alice, "subject.read", "compat.check")
    return Live(accord, url, token_for(alice)), Live(accord, url, job)


SCHEMAS = [(BARE, WITH_NOTE, 0), (BARE, NEEDS_NOTE, 1), (NEEDS_NOTE, BARE, 0), (BARE, AS_TEXT, 1)]


def test_a_check_says_what_the_registry_says(live: tuple[Live, Live], repository: Repository) -> None:
    admin, job = live
    for number, (old, new, code) in enumerate(SCHEMAS):
        subject = f"s{number}"
        assert admin("register", subject, str(repository.write("old.avsc", old))).exit_code == 0
        repository.write("new.avsc", new)
        for ask in (admin, job):
            result = ask("check", "--against", f"registry:{subject}", "new.avsc")
            assert result.exit_code == code, result.stdout
            assert ("new.avsc:1:" in result.stdout) is bool(code)
        assert admin("register", subject, "new.avsc").exit_code == code


def test_a_subject_is_read_and_compared(live: tuple[Live, Live], repository: Repository) -> None:
    admin, job = live
    for schema in (BARE, WITH_NOTE):
        assert admin("register", "s", str(repository.write("a.avsc", schema))).exit_code == 0
    assert job("can-read", "a.avsc", "--subject", "s").exit_code == 0
    repository.write("a.avsc", AS_TEXT)
    assert job("can-read", "a.avsc", "--subject", "s").exit_code == 1
    assert job("diff", "registry:s@1", "registry:s@1").stdout == "nothing differs\n"
