"""What an outsider does who knows nothing but the served OpenAPI documents.

Addresses, methods and bodies come from the documents, by the names of operations; only what a person would
fill in is said here. At the end there is a token that may check and not register.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import requests

if TYPE_CHECKING:
    from tests.e2e.platform import Platform

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
TIMEOUT_S = 60
DOCUMENTS = ("native", "confluent", "descriptors")


@dataclass
class Outsider:
    """Somebody who has the address of a platform, reads its documents, and writes down what answers say."""

    url: str
    known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fetch the documents, without any token."""
        self._operations = {
            operation["operationId"]: (document, path, method, operation)
            for document in (self._fetched(name) for name in DOCUMENTS)
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        }

    def _fetched(self, name: str) -> Any:
        answer = requests.get(f"{self.url}/api/docs/{name}.json", timeout=TIMEOUT_S)
        assert answer.status_code == 200
        return answer.json()

    def call(self, operation_id: str, token: str, **said: object) -> requests.Response:
        """Do what a document describes; the body is its example with what is said besides."""
        document, path, method, operation = self._operations[operation_id]
        sent: dict[str, Any] = {}
        if "requestBody" in operation:
            sent["json"] = {**operation["requestBody"]["content"]["application/json"]["example"], **said}
        address = (document["servers"][0]["url"] + path).format(**self.known)
        (scheme,) = operation.get("security", document.get("security"))[0]
        assert document["components"]["securitySchemes"][scheme]["scheme"] == "bearer"
        headers = {"Authorization": f"Bearer {token}"}
        answer = requests.request(method, self.url + address, headers=headers, timeout=TIMEOUT_S, **sent)
        assert str(answer.status_code) in operation["responses"], (operation_id, answer.text)
        return answer

    def done(self, operation_id: str, token: str, **said: object) -> Any:
        """Do it with success; return what came back."""
        answer = self.call(operation_id, token, **said)
        assert answer.status_code < 300, (operation_id, answer.text)
        return answer.json()


@pytest.fixture(scope="module")
def operator(platform: Platform) -> str:
    """A token of an operator, made on the machine as the reference says."""
    words = ["make", "-s", "manage", "ARGS=issue_operator_token outsider --lifetime 1h"]
    variables = {**os.environ, "ACCORD_STATE": str(platform.folder)}
    run = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.fixture(scope="module")
def outsider(platform: Platform) -> Outsider:
    """Somebody before a platform of which nothing is known but the address."""
    return Outsider(str(platform.run["url"]))


@pytest.fixture(scope="module")
def ci_token(outsider: Outsider, operator: str) -> str:
    """The token at the end of the walk, each step an example of the documents."""
    tenant = outsider.done("post-tenants", operator, slug="outside", name="Outside")
    outsider.known["tenant"] = tenant["slug"]
    namespace = outsider.done("post-namespaces", operator)
    outsider.known["namespace"] = namespace["slug"]
    account = outsider.done("post-accounts", operator)
    outsider.done("post-role-bindings", operator, principal=account["principal"])
    outsider.known["subject"] = "orders-value"
    return str(outsider.done("post-tokens", operator, owner=account["principal"])["token"])


def test_the_token_checks_over_every_interface(outsider: Outsider, ci_token: str) -> None:
    assert outsider.done("post-verdict", ci_token)["verdict"] == "allowed"
    assert outsider.done("postCompatibilitySubjectsSubjectVersions", ci_token)["is_compatible"] is True
    outsider.known["module"] = "shop"
    assert outsider.done("descriptors-post-check", ci_token)["is_allowed"] is True


def test_it_registers_over_none_and_is_told_what_is_missing(outsider: Outsider, ci_token: str) -> None:
    refused = outsider.call("postSubjectsSubjectVersions", ci_token)
    assert (refused.status_code, refused.json()["message"]) == (403, "This needs the right 'subject.write'.")
    outsider.known["module"] = "shop"
    refused = outsider.call("descriptors-post-version", ci_token)
    assert (refused.status_code, refused.json()["code"]) == (403, "right_missing")
    assert "'desc.write'" in refused.json()["detail"]


def test_it_makes_nothing_else(outsider: Outsider, ci_token: str) -> None:
    refused = outsider.call("post-tokens", ci_token)
    assert (refused.status_code, refused.json()["detail"]) == (403, "This needs the right 'token.manage'.")
    refused = outsider.call("post-tenants", ci_token)
    assert (refused.status_code, "issue_operator_token" in refused.json()["detail"]) == (401, True)


def test_a_slip_is_answered_with_the_place_and_what_to_write(
    outsider: Outsider, ci_token: str, operator: str
) -> None:
    assert ci_token
    wrong = outsider.call("post-tokens", operator, grants=[{}]).json()
    assert wrong["errors"] == [
        {"pointer": "#/grants/0", "detail": "Give either actions or preset.", "code": "invalid"}
    ]
    wrong = outsider.call("post-tokens", operator, owner="ci").json()
    assert "service:NAME" in wrong["detail"]
    wrong = outsider.call("post-namespaces", operator, slug="other", template="safe").json()
    assert "queue-safe" in wrong["detail"]
