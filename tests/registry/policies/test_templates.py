"""Templates: what a namespace begins with, asked for when it is made or later."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.policy.documents.templates import TEMPLATES, templates
from accord_server.kit import tenancy
from registry.policy_errors import TemplateNotFound
from registry.queries.policies import list_bindings
from tenants.errors import SlugTaken
from tenants.principals import operator_scope
from tenants.queries import resolve_place
from tenants.services import create_namespace
from tenants.services.demo import seed
from tests.registry.client import record
from tests.registry.policies.asking import NAMESPACE, TENANT

if TYPE_CHECKING:
    from tests.cast import Actor
    from tests.registry.client import Registry
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db


def test_a_template_is_stored_once_and_bound(native: Native) -> None:
    names = [one["name"] for one in native.ok("GET", f"{NAMESPACE}/policy-templates")["items"]]
    assert names == [name for name in TEMPLATES if name in templates()]
    for _ in range(2):
        bound = native.ok("POST", f"{NAMESPACE}/policy-templates", {"template": "drop-in"})
        assert (bound["policy"], bound["version"], bound["place"]["reach"]) == ("drop-in", 1, "namespace")
    missing = native.call("POST", f"{NAMESPACE}/policy-templates", {"template": "none"})
    assert (missing.status_code, missing.json()["code"]) == (404, "template_not_found")


def test_a_namespace_begins_with_the_template_it_asks_for(native: Native, alice: Actor) -> None:
    create_namespace(operator_scope(alice.tenant.ref), slug="fresh", template="drop-in")
    bound = native.ok("GET", f"{TENANT}/namespaces/fresh/policy-binding")
    assert (bound["policy"], bound["namespace"]) == ("drop-in", "fresh")


def test_without_the_template_it_asks_for_there_is_no_namespace(alice: Actor) -> None:
    operator = operator_scope(alice.tenant.ref)
    for unknown in ("none", ""):
        with pytest.raises(TemplateNotFound):
            create_namespace(operator, slug="fresh", template=unknown)
    create_namespace(operator, slug="fresh", template=None)
    with pytest.raises(SlugTaken):
        create_namespace(operator, slug="fresh", template="drop-in")


def test_the_demo_begins_with_both_templates(db: None) -> None:
    seed()
    tenant = resolve_place("demo", None)
    assert tenant is not None
    with tenancy.tenant_context(tenant.tenant.id):
        found = list_bindings(operator_scope(tenant.tenant), limit=9).rows
    assert {one.namespace: one.policy for one in found} == {"default": "drop-in", "sandbox": "queue-safe"}


def avro(kind: str) -> dict[str, Any]:
    """A record whose number is of this kind."""
    return record({"name": "n", "type": kind})


def closed(kind: str) -> dict[str, Any]:
    """A closed object whose number is of this kind."""
    return {"type": "object", "properties": {"n": {"type": kind}}, "additionalProperties": False}


# What Confluent's registry lets pass and yet means another number: to a wider type where new readers read old
# data, to a narrower one where old readers read new data.
RETYPED = [
    ("AVRO", avro("int"), avro("long"), "BACKWARD"),
    ("AVRO", avro("long"), avro("int"), "FORWARD"),
    ("JSON", closed("integer"), closed("number"), "BACKWARD"),
    ("JSON", closed("number"), closed("integer"), "FORWARD"),
]


@pytest.mark.parametrize(("kind", "old", "new", "level"), RETYPED)
def test_another_type_of_number_warns_under_drop_in(
    native: Native, api: Registry, kind: str, old: Any, new: Any, level: str
) -> None:
    native.ok("POST", f"{NAMESPACE}/policy-templates", {"template": "drop-in"})
    api.level("s", level)
    for schema in (old, new):
        api.registered("s", schema, schemaType=kind)
    newest = native.ok("GET", f"{NAMESPACE}/subjects/s/history")["items"][0]["verdict"]
    assert (newest["outcome"], newest["findings"]) == ("allowed", {"block": 0, "warn": 1, "info": 0})


@pytest.mark.parametrize(("kind", "old", "new", "level"), RETYPED)
def test_another_type_of_number_is_refused_under_queue_safe(
    native: Native, api: Registry, kind: str, old: Any, new: Any, level: str
) -> None:
    native.ok("POST", f"{NAMESPACE}/policy-templates", {"template": "queue-safe"})
    api.registered("s", old, schemaType=kind)
    assert api.register("s", new, schemaType=kind).error == (409, 40901)
    api.level("s", level)
    assert api.register("s", new, schemaType=kind).error == (409, 40901)
