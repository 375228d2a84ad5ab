"""Changes made over HTTP, one after the other, by callers who write down what was acknowledged.

A stream does its step again until the platform answers; whatever was cut off in between, the step finds out.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import requests
from celery import Celery
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.e2e.platform import Platform

TIMEOUT_S = 30
PAUSE_S = 0.05
SERVER_ERROR = 500


class Unanswered(Exception):
    """The platform said that it cannot answer now."""


@dataclass
class Caller:
    """Calls of the native API and the registry with the token of the run."""

    platform: Platform
    token: str = ""

    def __post_init__(self) -> None:
        """Hold connections open, as clients do."""
        self.token = self.token or self.platform.token
        self._session = requests.Session()

    def send(
        self, method: str, path: str, data: bytes = b"", kind: str = "application/json", **headers: str
    ) -> requests.Response:
        """Send a request; raises `Unanswered` and `requests.RequestException` where there is no answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": kind, **named}
        url = self.platform.run["url"] + path
        answer = self._session.request(method, url, data=data, headers=sent, timeout=TIMEOUT_S)
        if answer.status_code >= SERVER_ERROR:
            raise Unanswered(answer.text)
        return answer

    def ok(self, method: str, path: str, body: object = None, **headers: str) -> Any:
        """Send a request that cannot be refused and return its value."""
        data = b"" if body is None else json.dumps(body).encode()
        answer = self.send(method, path, data, **headers)
        assert answer.ok, (method, path, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    @property
    def tenant(self) -> str:
        """The address of the tenant of the run."""
        return f"/api/v1/tenants/{self.platform.run['tenant']}"

    def verify_audit(self) -> None:
        """Hold the whole audit log of the tenant against its seals."""
        verdict = self.ok("GET", f"{self.tenant}/audit/verification")
        while verdict["is_good"] and not verdict["is_whole"]:
            query = f"checkpoint={verdict['checkpoint']}"
            verdict = self.ok("GET", f"{self.tenant}/audit/verification?{query}")
        assert (verdict["is_good"], verdict["is_whole"]) == (True, True), verdict


class Queue:
    """The queue that workers of the platform take their tasks from."""

    def __init__(self, platform: Platform) -> None:
        broker = platform.environment()["ACCORD_REDIS_URL"]
        self._app = Celery("faults", broker=broker, set_as_current=False)

    def send(self, task: str) -> None:
        """Ask for a task to be done, far sooner than the schedule does."""
        self._app.send_task(task, queue="jobs", ignore_result=True)


@dataclass
class Stream(ABC):
    """One kind of change; ``done`` counts the steps that were acknowledged, ``cut`` those that were not."""

    caller: Caller
    name: str = field(default_factory=lambda: f"s{uuid4().hex[:10]}")
    done: int = 0
    cut: int = 0

    @property
    def tenant(self) -> str:
        """The address of the tenant."""
        return self.caller.tenant

    @abstractmethod
    def step(self) -> None:
        """Make the next change, or find out what became of the one before."""

    def flow(self, stop: threading.Event) -> None:
        """Make one change after the other."""
        while not stop.is_set():
            try:
                self.step()
            except (requests.RequestException, Unanswered):
                self.cut += 1
                stop.wait(PAUSE_S)
            else:
                self.done += 1


@dataclass
class Uploads(Stream):
    """Sets of descriptors: each version of a module has one field more."""

    digests: list[str] = field(default_factory=list)

    @property
    def module(self) -> str:
        """The address of the module."""
        run = self.caller.platform.run
        return f"/sr/{run['tenant']}/{run['namespace']}/descriptors/modules/{self.name}"

    def step(self) -> None:
        """Upload the next version; the same set again is the same version."""
        number = len(self.digests) + 1
        data = grown_set(self.name, number)
        answer = self.caller.send("POST", f"{self.module}/versions", data, "application/octet-stream")
        assert answer.ok, answer.text
        assert answer.json()["version"] == number
        self.digests.append(answer.json()["digest"])

    def check(self) -> int:
        """Hold what is there against what was acknowledged; return how many versions there are."""
        there = self.caller.ok("GET", f"{self.module}/versions")
        assert there == list(range(1, len(there) + 1))
        assert len(there) - len(self.digests) in (0, 1)
        for number, digest in enumerate(self.digests, 1):
            version = f"{self.module}/versions/{number}"
            assert self.caller.ok("GET", version)["digest"] == digest
            found = FileDescriptorSet.FromString(self.caller.send("GET", f"{version}/set").content)
            assert [len(one.message_type[0].field) for one in found.file] == [1, number]
        return len(there)


@dataclass
class Policies(Stream):
    """Versions of one policy, each with its number in the description."""

    versions: int = 0

    @property
    def policy(self) -> str:
        """The address of the policy."""
        return f"{self.tenant}/policies/{self.name}"

    def step(self) -> None:
        """Store the next version, for the one that is known."""
        number = self.versions + 1
        body = json.dumps({"name": self.name, "description": f"change {number}"}).encode()
        if number == 1:
            answer = self.caller.send("POST", f"{self.tenant}/policies", body)
        else:
            answer = self.caller.send("PUT", self.policy, body, If_Match=f'"{self.versions}"')
        if not answer.ok:  # it was stored, and the answer was lost
            assert answer.status_code in (409, 412), answer.text
            assert self.description() == f"change {number}"
        self.versions = number

    def description(self, version: str = "") -> str:
        """What a version says, or the newest."""
        path = f"{self.policy}/versions/{version}" if version else self.policy
        return str(self.caller.ok("GET", path)["document"]["description"])

    def check(self) -> int:
        """Hold what is there against what was acknowledged; return how many versions there are."""
        newest = int(self.caller.ok("GET", self.policy)["version"])
        assert newest - self.versions in (0, 1)
        assert [self.description(str(number)) for number in range(1, newest + 1)] == [
            f"change {number}" for number in range(1, newest + 1)
        ]
        return newest


@dataclass
class Rolls(Stream):
    """A token that gets another secret, then loses the older one."""

    key: str = ""
    value: str = ""
    ended: list[str] = field(default_factory=list)

    @property
    def token(self) -> str:
        """The address of the token."""
        return f"{self.tenant}/tokens/{self.key}"

    def step(self) -> None:
        """Issue the token, or roll it and end what was before."""
        if not self.key:
            self._issue()
            return
        if len(self.caller.ok("GET", self.token)["secrets"]) > 1:  # rolled, and the answer was lost
            self.caller.ok("POST", f"{self.token}/drop-new-secret", {})
        before, self.value = self.value, self.caller.ok("POST", f"{self.token}/roll", {})["token"]
        self.caller.ok("POST", f"{self.token}/drop-old-secret", {})
        self.ended.append(before)

    def works(self, value: str) -> bool:
        """Tell whether a secret opens what the token may read."""
        return Caller(self.caller.platform, value).send("GET", self.tenant).ok

    def check(self) -> None:
        """The last secret that was told works, and none that was ended does."""
        assert self.works(self.value)
        assert not any(map(self.works, self.ended[-3:]))

    def _issue(self) -> None:
        grants = [{"actions": ["tenant.read"]}]
        wanted = {"owner": "service:demo-client", "kind": "service", "name": self.name, "grants": grants}
        made = self.caller.ok("POST", f"{self.tenant}/tokens", wanted)
        self.key, self.value = made["key_id"], made["token"]


@dataclass
class Exports(Stream):
    """Whole exports of the audit log; ``old`` are objects of records that each must hold."""

    old: frozenset[str] = frozenset()
    records: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    def step(self) -> None:
        """Export the log; what arrives whole is whole, and says of a record what it said before."""
        lines = self.caller.send("GET", f"{self.tenant}/audit/export").text.splitlines()
        found = {one["id"]: one for one in map(json.loads, lines)}
        assert self.old <= {one["object_name"] for one in found.values()}
        assert all(found[number] == one for number, one in self.records.items())
        self.records = found

    def check(self) -> None:
        """Nothing that was exported is gone or another."""
        self.step()
        self.caller.verify_audit()


@dataclass
class Sealings(Stream):
    """Asks the worker to seal the audit log, far more often than the schedule does."""

    def __post_init__(self) -> None:
        """Speak to the queue of the platform."""
        self._queue = Queue(self.caller.platform)

    def step(self) -> None:
        """Ask once."""
        self._queue.send("tenants.seal_audit")
        threading.Event().wait(0.2)


def grown_set(package: str, fields: int) -> bytes:
    """A set of two files: one stays the same, the other has a message with so many fields."""
    files = [
        _file(f"{package}/base.proto", package, "Base", 1),
        _file(f"{package}/grown.proto", package, "Grown", fields),
    ]
    return FileDescriptorSet(file=files).SerializeToString()


def _file(path: str, package: str, message: str, fields: int) -> FileDescriptorProto:
    file = FileDescriptorProto(name=path, package=package, syntax="proto3")
    made = file.message_type.add(name=message)
    for number in range(1, fields + 1):
        kind, label = FieldDescriptorProto.TYPE_STRING, FieldDescriptorProto.LABEL_OPTIONAL
        made.field.add(name=f"f{number}", number=number, type=kind, label=label)
    return file
