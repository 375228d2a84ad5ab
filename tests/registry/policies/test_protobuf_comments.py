"""Comments count in the text that somebody sends, normalized or not; what is stored has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord.formats.protobuf import service
from tests.accord.protobuf_texts import COMPILER
from tests.registry.dry_runs.asking import tried
from tests.registry.forgetting import forget_everything
from tests.registry.policies.asking import NAMESPACE

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.registry.client import Answer, Registry
    from tests.registry.policies.asking import Native

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("normalize", ["false", "true"])]

RULE = "FIELD_LOWER_SNAKE_CASE"
HOUSE = {"name": "house", "default": {"lint": {"use": [RULE], "severity": "block"}}}
OPEN = 'syntax = "proto3";\npackage p.v1;\n%s// An order.\nmessage M {\n'
BARE = OPEN + "  int32 badName = 1;\n%s}\n"
SILENCED = OPEN + f"  // buf:lint:ignore {RULE} because clients know it so\n  int32 badName = 1;\n%s}}\n"
PLAIN = ("", "")
# What is imported has to be used.
IMPORTED = ('import "dep.proto";\n', "  d.Dep dep = 2;\n")
DEP = 'syntax = "proto3";\npackage d;\nmessage Dep {\n  int32 id = 1;\n}\n'
REFERENCES = [{"name": "dep.proto", "subject": "dep", "version": 1}]


@pytest.fixture(autouse=True)
def _compiler() -> None:
    service.use(COMPILER)


def post(api: Registry, text: str, normalize: str = "false", **members: Any) -> Answer:
    body = {"schemaType": "PROTOBUF", "schema": text, **members}
    subject = members.pop("subject", "s")
    return api.call("POST", f"/subjects/{subject}/versions?normalize={normalize}", body)


@pytest.mark.parametrize(("parts", "references"), [(PLAIN, []), (IMPORTED, REFERENCES)])
def test_a_comment_silences_a_rule_of_the_text_as_sent(
    native: Native, api: Registry, normalize: str, parts: tuple[str, str], references: Any
) -> None:
    assert post(api, DEP, subject="dep").status == 200
    native.enforce(HOUSE)
    refused = post(api, BARE % parts, normalize, references=references)
    assert refused.error == (422, 42201)
    assert f"{RULE} at /" in refused.body["message"]
    assert f"(line {5 + len(references)}, column 3)" in refused.body["message"]
    assert post(api, SILENCED % parts, normalize, references=references).status == 200


def test_asking_without_registering_looks_at_the_text_as_sent_too(native: Native, normalize: str) -> None:
    native.enforce(HOUSE)
    body = {"schema": SILENCED % PLAIN, "format": "PROTOBUF", "normalize": normalize == "true"}
    assert native.ok("POST", f"{NAMESPACE}/subjects/s/lint", body)["findings"] == []
    assert native.ok("POST", f"{NAMESPACE}/subjects/s/verdict", body)["own"] == []
    documented = {**body, "use": ["COMMENT_MESSAGE", "COMMENT_FIELD"]}
    (missing,) = native.ok("POST", f"{NAMESPACE}/subjects/s/lint", documented)["findings"]
    assert (missing["rule"], missing["at"]) == ("COMMENT_FIELD", {"line": 6, "column": 3})


def test_docs_are_those_of_the_text_as_sent(native: Native, api: Registry, normalize: str) -> None:
    native.enforce({"name": "house", "default": {"required": {"docs": ["record"]}}})
    assert post(api, BARE.replace("// An order.", "") % PLAIN, normalize).error == (422, 42201)
    assert post(api, BARE % PLAIN, normalize).status == 200


@pytest.mark.parametrize("forgets", [False, True])
def test_a_dry_run_asks_no_stored_version_for_comments(
    native: Native, api: Registry, scope: Scope, normalize: str, *, forgets: bool
) -> None:
    assert post(api, SILENCED % PLAIN, normalize).status == 200
    if forgets:
        forget_everything()
    lint = {"use": ["COMMENTS"], "severity": "block"}
    asked = {"lint": lint, "required": {"docs": ["record", "field"]}}
    assert tried(native, scope, document={"name": "strict", "default": asked})[1] == []
    _, rows = tried(native, scope, document=HOUSE)
    assert [(subject, change) for subject, _, change, _ in rows] == [("s", "refused")]
