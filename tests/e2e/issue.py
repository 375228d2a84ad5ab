"""Tokens that open less than the run's own, issued as an operator would: ``python -m tests.e2e.issue``.

Run with the variables of the web process. A token's value is printed only here, so all are made at once.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import uuid4

import django

READING: Final = frozenset({"subject.list", "subject.read", "schema.read"})
LIVES: Final = timedelta(hours=1)


def main() -> None:
    """Print the tokens by name as one JSON object."""
    django.setup()  # nothing of ours can be imported before
    from accord_server.kit.scope import Grant, PrincipalKind
    from tenants import services
    from tenants.principals import operator_scope, principal_of
    from tenants.queries import resolve_place
    from tenants.records import IssueToken
    from tenants.rights import RIGHTS
    from tenants.selectors import parse_selector
    from tenants.tokens import TokenKind

    home, sandbox = resolve_place("demo", "default"), resolve_place("demo", "sandbox")
    assert home
    assert sandbox
    assert sandbox.namespace
    scope, every = operator_scope(home.tenant), frozenset(RIGHTS)
    orders = parse_selector("orders-*")
    assert orders
    owner = principal_of(PrincipalKind.SERVICE, "demo-client").key
    plain = IssueToken(owner, TokenKind.SERVICE, "for a test", (Grant(every),), lifetime=LIVES)
    commands = {
        "reader": replace(plain, grants=(Grant(READING),)),
        "orders": replace(plain, grants=(Grant(every, (orders,)),)),
        "sandbox": replace(plain, grants=(Grant(every, namespaces=frozenset({sandbox.namespace.id})),)),
        "once": replace(plain, max_uses=1),
    }
    tokens = {name: services.issue_token(scope, command=one).value for name, one in commands.items()}
    revoked = services.issue_token(scope, command=plain)
    services.revoke_token(scope, key_id=revoked.record.key_id)
    other = services.create_tenant(slug=f"other-{uuid4().hex[:8]}", template="drop-in")
    theirs = operator_scope(other.ref)
    services.create_service_account(theirs, slug="demo-client")
    services.bind_role(theirs, principal=owner, role="admin")
    foreign = services.issue_token(theirs, command=plain)
    json.dump(
        {**tokens, "revoked": revoked.value, "foreign": foreign.value, "tenant": other.slug}, sys.stdout
    )


if __name__ == "__main__":
    main()
