"""Bringing lines of an export into a namespace: in batches over the native API, and one by one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tests.registry.client import Registry, segment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.registry.client import Answer

Line = dict[str, Any]
NDJSON = "application/x-ndjson"
BODY_MEMBERS = ("schema", "schemaType", "references", "metadata", "ruleSet", "id", "version")


def line(subject: str, version: int, schema: object, /, *, id: int, **more: Any) -> Line:  # noqa: A002  # as the member is called
    """Make a line of an export; a schema that is no text is written as JSON."""
    context, _, name = subject.partition("/") if subject.startswith(".") else ("", "", subject)
    text = schema if isinstance(schema, str) else json.dumps(schema)
    place = {"kind": "version", "context": context or ".", "subject": name, "version": version}
    return {**place, "id": id, "schemaType": "AVRO", "schema": text, "deleted": False, **more}


def uses(name: str, subject: str, version: int = 1) -> dict[str, Any]:
    """Make the member of a line that refers to one version."""
    return {"references": [{"name": name, "subject": subject, "version": version}]}


@dataclass(frozen=True)
class Bringer:
    """Whoever imports into one namespace of *north*."""

    token: str
    namespace: str = "default"

    @property
    def registry(self) -> Registry:
        """The namespace as Confluent's clients see it."""
        return Registry(self.token, f"/sr/north/{self.namespace}")

    def call(
        self, method: str, path: str = "", body: object = None, kind: str = "application/json"
    ) -> Answer:
        """Call the native interface below the imports."""
        there = Registry(self.token, f"/api/v1/tenants/north/namespaces/{self.namespace}/imports")
        return there.call(method, path, body, Content_Type=kind, Accept="application/json")

    def ok(self, method: str, path: str = "", body: object = None, status: int = 200) -> Any:
        """Call, which must succeed, and return the value."""
        answer = self.call(method, path, body)
        assert answer.status == status, answer.raw
        return answer.body

    def begun(self, source: str = "elsewhere", **planned: int) -> str:
        """Begin an import, open every context for it and return its path."""
        self.open()
        return "/" + str(self.ok("POST", "", {"source": source, **planned}, status=201)["id"])

    def open(self) -> None:
        """Let everything take imports."""
        self.registry.ok("PUT", "/mode/:.__GLOBAL:?force=true", {"mode": "IMPORT"})

    def send(self, run: str, lines: Iterable[Line], what: str = "versions") -> Answer:
        """Send one batch."""
        body = b"".join(json.dumps(one).encode() + b"\n" for one in lines)
        return self.call("POST", f"{run}/{what}", body, kind=NDJSON)

    def brought(self, run: str, lines: Iterable[Line], what: str = "versions") -> Any:
        """Send one batch, which must be taken, and return what became of it."""
        answer = self.send(run, lines, what)
        assert answer.status == 200, answer.raw
        return answer.body

    def one_by_one(self, lines: Iterable[Line]) -> list[Answer]:
        """Register the lines as clients of Confluent do, and delete what is deleted."""
        lines = list(lines)
        self.open()
        answers = [self._register(one) for one in lines]
        for one in reversed(lines):
            if one["deleted"]:
                self.registry.delete(f"/subjects/{_shown(one)}/versions/{one['version']}")
        return answers

    def _register(self, one: Line) -> Answer:
        body = {name: one[name] for name in BODY_MEMBERS if name in one}
        return self.registry.call("POST", f"/subjects/{_shown(one)}/versions", body)


def _shown(one: Line) -> str:
    return segment(one["subject"] if one["context"] == "." else f":{one['context']}:{one['subject']}")
