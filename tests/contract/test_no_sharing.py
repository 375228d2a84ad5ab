"""What another tenant or namespace stores changes nothing: no ids, no answers, no statements, no room saved.

Each call about a text, a file or a name that *north/default* knows is held against the same call about one
that nobody knows. References, aliases, dependencies and descriptions of files that lead there lead nowhere.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.identity import guid
from accord.formats.protobuf import service
from accord_server.kit import tenancy
from registry.models import Content, ProtoFile
from tenants.principals import operator_scope
from tests.accord.protobuf_texts import COMPILER
from tests.contract.alike import Renames, is_told_alike
from tests.contract.refusals import Caller, document
from tests.factories import make_namespace

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cast import Actor

pytestmark = pytest.mark.django_db

PLACES = ("south/default", "north/elsewhere")
AVRO = json.dumps({"type": "record", "name": "Known", "fields": []})
JSON_SCHEMA = json.dumps({"title": "Known", "type": "object"})
PROTO = 'syntax = "proto3"; message Known { string Known = 1; }'
TEXTS = {"AVRO": AVRO, "JSON": JSON_SCHEMA, "PROTOBUF": PROTO}
# What north/default calls its things, and what nothing is called anywhere.
NAMES: Renames = (("Known", "Other"), ("known", "other"))


def body_of(kind: str, text: str, *references: dict[str, Any]) -> dict[str, Any]:
    return {"schemaType": kind, "schema": text, "references": list(references)}


@pytest.fixture
def stored(alice: Actor, mallory: Actor, token_at: Callable[[str], str]) -> Caller:
    """Whoever may do everything in *north*, where one of each is stored."""
    service.use(COMPILER)
    make_namespace(alice.tenant, "elsewhere")
    caller = Caller(token_at("north"))
    for kind, text in TEXTS.items():
        path = f"/sr/north/default/subjects/known-{kind.lower()}/versions"
        assert caller.send("POST", path, body_of(kind, text)).status_code == 200
    path = "/sr/north/default/descriptors/modules/known/versions"
    assert caller.send("POST", path, {"texts": {"Known.proto": PROTO}}).status_code == 201
    return caller


def is_alike(caller: Caller, method: str, path: str, body: object = None, renames: Renames = NAMES) -> bool:
    """Tell whether a call about what *north* knows is answered as one about what nobody knows.

    A tenant stores a text once for all its namespaces, so within one a registration may take less.
    """
    other = Caller(caller.authorization, caller.place, renames)
    return is_told_alike(
        lambda: caller.send(method, path, body),
        lambda: other.send(method, path, body),
        renames,
        is_counted=caller.place.startswith("south"),
    )


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", TEXTS)
def test_a_text_that_others_have_is_new(
    stored: Caller, token_at: Callable[[str], str], place: str, kind: str
) -> None:
    caller, body = Caller(token_at(place), place), body_of(kind, TEXTS[kind])
    for call in ("subjects/s/versions", "subjects/s", "compatibility/subjects/s/versions/latest"):
        assert is_alike(caller, "POST", f"/sr/{place}/{call}", body)
    tenant, _, namespace = place.partition("/")
    assert is_alike(caller, "POST", f"/api/v1/tenants/{tenant}/namespaces/{namespace}/lint", body)


@pytest.mark.parametrize("place", PLACES)
def test_what_others_know_by_its_digest_is_unknown(
    stored: Caller, alice: Actor, token_at: Callable[[str], str], place: str
) -> None:
    with tenancy.tenant_context(alice.tenant.id):
        scope = operator_scope(alice.tenant.ref)
        digests = [bytes(one).hex() for one in Content.objects.scoped(scope).values_list("digest", flat=True)]
        files = [bytes(one).hex() for one in ProtoFile.objects.scoped(scope).values_list("digest", flat=True)]
    caller, (tenant, _, namespace) = Caller(token_at(place), place), place.partition("/")
    there = f"/api/v1/tenants/{tenant}/namespaces/{namespace}/schemas"
    for digest in digests:
        assert is_alike(caller, "GET", f"{there}/digests/{digest}", renames=((digest, "0" * 64),))
    names: Renames = ((str(guid(AVRO)), str(guid("nothing"))),)
    assert is_alike(caller, "GET", f"{there}/guids/{guid(AVRO)}", renames=names)
    assert is_alike(caller, "GET", f"/sr/{place}/schemas/guids/{guid(AVRO)}", renames=names)
    assert files
    asked = caller.send("POST", f"/sr/{place}/descriptors/digests", {"digests": files})
    assert document(asked) == {"missing": files}


def test_an_upload_that_leaves_out_files_of_others_is_refused(
    stored: Caller, alice: Actor, token_at: Callable[[str], str]
) -> None:
    with tenancy.tenant_context(alice.tenant.id):
        rows = ProtoFile.objects.scoped(operator_scope(alice.tenant.ref))
        digest = bytes(rows.values_list("digest", flat=True)[0]).hex()
    for place in PLACES:
        caller = Caller(token_at(place), place)
        path = f"/sr/{place}/descriptors/modules/mine/versions"
        assert is_alike(caller, "POST", path, {"digests": [digest]}, ((digest, "0" * 64),))


@pytest.mark.parametrize("place", PLACES)
def test_what_leads_to_others_leads_nowhere(
    stored: Caller, token_at: Callable[[str], str], place: str
) -> None:
    caller, (tenant, _, namespace) = Caller(token_at(place), place), place.partition("/")
    for kind, text in TEXTS.items():
        reference = {"name": "r", "subject": f"known-{kind.lower()}", "version": 1}
        for subject in (reference["subject"], f":.known:{reference['subject']}"):
            body = body_of(kind, text, {**reference, "subject": subject})
            for call in ("subjects/s/versions", "subjects/s", "compatibility/subjects/s/versions/latest"):
                assert is_alike(caller, "POST", f"/sr/{place}/{call}", body)
    for name in ("known-avro", ":.known:known-avro", ":.:known-avro"):
        assert is_alike(caller, "PUT", f"/sr/{place}/config/s", {"alias": name})
    upload = {"texts": {"mine.proto": 'syntax = "proto3"; import "Known.proto"; message M { Known k = 1; }'}}
    for query in ("", "?depends=known", "?depends=known@1"):
        path = f"/sr/{place}/descriptors/modules/mine/versions{query}"
        assert is_alike(caller, "POST", path, upload)
    exposed = {"file": "Known.proto", "subject": "s"}
    path = f"/sr/{place}/descriptors/modules/known/versions/1/subjects"
    assert is_alike(caller, "POST", path, exposed)
    control = f"/api/v1/tenants/{tenant}/namespaces/{namespace}"
    assert is_alike(caller, "PUT", f"{control}/subjects/s/policy-binding", {"policy": "known"})


def test_room_is_counted_as_if_one_were_alone(stored: Caller, token_at: Callable[[str], str]) -> None:
    """What *south* stores costs it the same whether *north* has it or not."""
    caller = Caller(token_at("south"), "south/default")

    def usage(name: str) -> Any:
        body = {"texts": {f"{name}.proto": PROTO.replace("Known", name)}}
        path = f"/sr/south/default/descriptors/modules/{name.lower()}/versions"
        assert caller.send("POST", path, body).status_code == 201
        return document(caller.send("GET", "/api/v1/tenants/south/quotas"))

    def used(found: Any) -> dict[str, int]:
        return {one["name"]: one["used"] for one in found["items"] if one["used"] is not None}

    before = used(document(caller.send("GET", "/api/v1/tenants/south/quotas")))
    first, second = used(usage("Known")), used(usage("Other"))
    assert {name: first[name] - before[name] for name in first} == {
        name: second[name] - first[name] for name in first
    }
