"""Templates: what a namespace begins with, asked for when it is made or later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.policy.documents.templates import TEMPLATES, templates
from registry.policy_errors import TemplateNotFound
from tenants.errors import SlugTaken
from tenants.principals import operator_scope
from tenants.services import create_namespace
from tests.registry.policies.asking import NAMESPACE, TENANT

if TYPE_CHECKING:
    from tests.cast import Actor
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db


def test_a_template_is_stored_once_and_bound(native: Native) -> None:
    names = [one["name"] for one in native.ok("GET", f"{NAMESPACE}/templates")["items"]]
    assert names == [name for name in TEMPLATES if name in templates()]
    for _ in range(2):
        bound = native.ok("POST", f"{NAMESPACE}/templates", {"template": "drop-in"})
        assert (bound["policy"], bound["version"], bound["place"]["reach"]) == ("drop-in", 1, "namespace")
    missing = native.call("POST", f"{NAMESPACE}/templates", {"template": "none"})
    assert (missing.status_code, missing.json()["code"]) == (404, "template_not_found")


def test_a_namespace_begins_with_the_template_it_asks_for(native: Native, alice: Actor) -> None:
    create_namespace(operator_scope(alice.tenant.ref), slug="fresh", template="drop-in")
    bound = native.ok("GET", f"{TENANT}/namespaces/fresh/policy-binding")
    assert (bound["policy"], bound["namespace"]) == ("drop-in", "fresh")


def test_without_the_template_it_asks_for_there_is_no_namespace(alice: Actor) -> None:
    operator = operator_scope(alice.tenant.ref)
    with pytest.raises(TemplateNotFound):
        create_namespace(operator, slug="fresh", template="none")
    create_namespace(operator, slug="fresh")
    with pytest.raises(SlugTaken):
        create_namespace(operator, slug="fresh", template="drop-in")
