"""Last uses travel from the process through Redis to the token's row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.conf import settings

from accord_server.kit import tenancy
from accord_server.kit.redis_door import redis_client
from tenants.callers import clean_address, clean_text
from tenants.models import Token
from tenants.principals import operator_scope
from tenants.services import uses
from tenants.services.uses import LOCK, flush_uses
from tenants.tasks import flush_token_uses
from tenants.usage import COUNTS, LATEST, Usage, Use
from tests.cast import issued_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tenants.records import IssuedToken
    from tests.cast import Actor


@pytest.fixture
def clean_redis(redis_url: str) -> Iterator[None]:
    # Other tests of this process leave uses of tokens that are gone; they do no harm.
    with redis_client() as redis:
        redis.flushdb()
        yield
        redis.flushdb()


def use_of(actor: Actor, issued: IssuedToken, *, address: str = "192.0.2.1", client: str = "java") -> Use:
    return Use(actor.tenant.id, issued.record.key_id, address, client)


def count(usage: Usage, actor: Actor, issued: IssuedToken) -> None:
    usage.note(use_of(actor, issued))
    assert usage.push()


def stored(actor: Actor, issued: IssuedToken) -> Token:
    with tenancy.tenant_context(actor.tenant.id):
        rows = Token.objects.scoped(operator_scope(actor.tenant.ref))
        found: Token = rows.get(key_id=issued.record.key_id)
        return found


def test_uses_are_counted_and_the_last_one_told(alice: Actor, clean_redis: None) -> None:
    issued, usage = issued_for(alice), Usage()
    for client in ("java", "python"):
        usage.note(use_of(alice, issued, client=client))
    assert usage.push()
    assert flush_token_uses() >= 1
    row = stored(alice, issued)

    assert (row.use_count, row.last_client, row.last_address) == (2, "python", "192.0.2.1")
    assert row.last_used_at is not None


def test_uses_of_two_processes_add_up(alice: Actor, mallory: Actor, clean_redis: None) -> None:
    hers, theirs = issued_for(alice), issued_for(mallory)
    for usage in (Usage(), Usage()):
        usage.note(use_of(alice, hers))
        usage.note(use_of(mallory, theirs))
        usage.push()

    flush_uses()
    assert (stored(alice, hers).use_count, stored(mallory, theirs).use_count) == (2, 2)


def test_a_second_run_counts_nothing_twice(alice: Actor, clean_redis: None) -> None:
    issued, usage = issued_for(alice), Usage()
    usage.note(use_of(alice, issued))
    usage.push()

    flush_uses()
    flush_uses()

    assert stored(alice, issued).use_count == 1


def test_what_a_dying_run_set_aside_is_stored_by_the_next(alice: Actor, clean_redis: None) -> None:
    issued, usage = issued_for(alice), Usage()
    usage.note(use_of(alice, issued))
    usage.push()
    with redis_client() as redis:
        redis.rename(COUNTS, COUNTS + ":aside")
        redis.rename(LATEST, LATEST + ":aside")
    usage.note(use_of(alice, issued))
    usage.push()

    flush_uses()
    assert stored(alice, issued).use_count == 1
    flush_uses()
    assert stored(alice, issued).use_count == 2


def test_only_one_run_at_a_time(clean_redis: None, alice: Actor) -> None:
    issued, usage = issued_for(alice), Usage()
    usage.note(use_of(alice, issued))
    usage.push()
    with redis_client() as redis:
        redis.set(LOCK, "another run")

    assert flush_uses() == 0
    assert stored(alice, issued).use_count == 0


def test_a_run_that_outlives_its_lock_counts_nothing_twice(
    alice: Actor, clean_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it stores, its lock ends, and others store the same and then more."""
    issued, usage = issued_for(alice), Usage()
    store = uses._store  # noqa: SLF001  # the moment at which the others come

    def overtaken(*what: Any) -> None:
        monkeypatch.setattr(uses, "_store", store)
        with redis_client() as redis:
            redis.delete(LOCK)
        flush_uses()
        count(usage, alice, issued)
        flush_uses()
        count(usage, alice, issued)
        with redis_client() as redis:
            redis.rename(COUNTS, COUNTS + ":aside")
            redis.set(LOCK, "a third run")
        store(*what)

    monkeypatch.setattr(uses, "_store", overtaken)
    count(usage, alice, issued)
    flush_uses()

    assert stored(alice, issued).use_count == 2
    with redis_client() as redis:
        assert redis.get(LOCK) == "a third run"
        redis.delete(LOCK)
    flush_uses()
    assert stored(alice, issued).use_count == 3


def test_a_run_that_dies_before_it_forgets_counts_nothing_twice(
    alice: Actor, clean_redis: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    issued = issued_for(alice)
    count(Usage(), alice, issued)
    with monkeypatch.context() as moment:
        moment.setattr(uses, "_forget", lambda *_: None)
        flush_uses()
    flush_uses()

    assert stored(alice, issued).use_count == 1


def test_limited_uses_are_counted_once_where_they_are_spent(alice: Actor, clean_redis: None) -> None:
    issued, usage = issued_for(alice, max_uses=3), Usage()
    usage.note(use_of(alice, issued))
    usage.push()
    flush_uses()

    assert stored(alice, issued).use_count == 0
    assert stored(alice, issued).last_client == "java"


def test_without_redis_the_counts_wait(alice: Actor, clean_redis: None, redis_url: str) -> None:
    issued, usage = issued_for(alice), Usage()
    usage.note(use_of(alice, issued))
    settings.ACCORD_REDIS_URL = "redis://127.0.0.1:1/0"
    try:
        assert not usage.push()
    finally:
        settings.ACCORD_REDIS_URL = redis_url
    usage.note(use_of(alice, issued, client="later"))

    assert usage.push()
    flush_uses()
    assert (stored(alice, issued).use_count, stored(alice, issued).last_client) == (2, "later")


def test_uses_of_a_token_that_is_gone_are_forgotten(db: None, clean_redis: None) -> None:
    usage = Usage()
    gone = Use(uuid4(), "0" * 12, None, "")
    usage.note(gone)
    usage.push()
    flush_uses()

    with redis_client() as redis:
        assert not redis.hexists(COUNTS, gone.field)
        assert not redis.hexists(COUNTS + ":aside", gone.field)


def test_the_process_holds_a_limited_number_of_tokens(clean_redis: None) -> None:
    usage = Usage(capacity=2)
    for number in range(4):
        usage.note(Use(UUID(int=1), f"k{number}", None, ""))
    usage.note(Use(UUID(int=1), "k0", None, ""))
    usage.push()

    with redis_client() as redis:
        counts = redis.hmget(COUNTS, [f"{UUID(int=1)}:k{number}" for number in range(4)])
    assert counts == ["2", "1", None, None]


@pytest.mark.parametrize(
    ("given", "kept"),
    [("192.0.2.1", "192.0.2.1"), ("2001:DB8::1", "2001:db8::1"), ("fe80::1%eth0", "fe80::1")],
)
def test_an_address_is_stored_in_one_spelling(given: str, kept: str) -> None:
    assert clean_address(given) == kept


@pytest.mark.parametrize("given", [None, "", "localhost", "1.2.3.4:80", "1.2.3.4, 5.6.7.8", "\x00"])
def test_what_is_no_address_is_none(given: str | None) -> None:
    assert clean_address(given) is None


def test_text_is_made_fit_for_the_database() -> None:
    assert clean_text("a\x00b\ud800" + "c" * 50, 5) == "ab?cc"
