"""A web process that is killed while it stores a batch: nothing of the batch stays, and it is sent again."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.db import transaction

from accord.client import ClientSettings, RegistryClient, RegistryUnreachable
from accord.client.namespaces import Document, bring, start_import
from accord.model import SubjectName
from registry import services
from registry.models import Schema, SchemaReference, Version
from registry.queries.imports import list_imports
from registry.queries.locks import lock_counters
from tests.registry.imports.bringing import line, uses
from tests.registry.threads import wait_for_waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, TokenFor
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db(transaction=True)
BASE = {"type": "record", "name": "Base", "fields": []}
USER = {"type": "record", "name": "User", "fields": [{"name": "base", "type": "Base"}]}
USERS = 50
LINES = [
    line("base", 1, BASE, id=1),
    *(
        line(f"u{one}", 1, {**USER, "doc": str(one)}, id=one + 2, **uses("Base", "base"))
        for one in range(USERS)
    ),
]
NO_PATIENCE = ClientSettings(backoff=0, retries=0)


def test_a_batch_outlives_the_server_that_stored_it(
    granian_server: Callable[..., RunningProcess], alice: Actor, token_for: TokenFor, scope: Scope
) -> None:
    token = token_for(alice)
    services.change_mode(scope, SubjectName("", ".__GLOBAL"), "IMPORT", force=True)

    def send(server: RunningProcess) -> Document:
        with RegistryClient(f"{server.url}/sr/north/default", token, settings=NO_PATIENCE) as client:
            run = str(start_import(client, {"source": "x", "register": len(LINES)})["id"])
            return bring(client, run, "versions", "".join(json.dumps(one) + "\n" for one in LINES))

    killed = granian_server()
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        # The last lock of a batch, taken when its subjects and texts are written already.
        lock_counters(scope, ["."])
        sending = pool.submit(send, killed)
        wait_for_waiting()
        killed.kill()
        with pytest.raises(RegistryUnreachable):
            sending.result()
    told = send(granian_server())
    assert (told["registered"], told["present"], told["refused"]) == (len(LINES), 0, [])
    assert Version.objects.scoped(scope).count() == Schema.objects.scoped(scope).count() == len(LINES)
    assert SchemaReference.objects.scoped(scope).count() == USERS
    (run,) = list_imports(scope, limit=5).rows
    assert (run.state, run.registered, run.present, run.refused) == ("running", len(LINES), 0, 0)
