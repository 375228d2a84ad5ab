"""A namespace that is purged and a tenant that is exported at the same time, both held up in the middle."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import psycopg

from tests.e2e.streams import Caller, Queue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.e2e.platform import Platform

SUBJECTS = 3
# Both come by this table, when they have done something and have something left to do; nobody else does.
GATE = "registry_waiver"
HELD = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '{GATE}'::regclass"  # noqa: S608  # a text of ours
HERE = "(SELECT id FROM tenants_namespace WHERE slug = %(name)s)"
TENANT = "(SELECT id FROM tenants_tenant WHERE slug = %(tenant)s)"
WAITING = f"""
INSERT INTO registry_tenantexport (tenant_id, public_id, state, done, total, size, attempts, leased_until,
                                   error, created_at, created_by)
VALUES ({TENANT}, gen_random_uuid(), 'queued', 0, 0, 0, 0, now(), '', now(), 'operator:faults') RETURNING id
"""  # noqa: S608  # as above
# How many configs, which went before, and subjects, which go after; and whether the end has begun.
MIDDLE = f"""
SELECT (SELECT count(*) FROM registry_config WHERE namespace_id = {HERE}),
       (SELECT count(*) FROM registry_subject WHERE namespace_id = {HERE}),
       (SELECT count(*) FROM tenants_namespace WHERE slug = %(name)s AND purge_begun_at IS NOT NULL),
       (SELECT state FROM registry_tenantexport WHERE id = %(export)s)
"""  # noqa: S608  # as above
ENDED = """
SELECT (SELECT count(*) FROM tenants_namespace WHERE slug = %(name)s),
       (SELECT state FROM registry_tenantexport WHERE id = %(export)s)
"""
TOLD = f"""
SELECT action FROM tenants_auditrecord WHERE tenant_id = {TENANT} AND object_kind = 'namespace'
    AND object_name = %(name)s AND action LIKE 'namespace.purge%%' ORDER BY id
"""  # noqa: S608  # as above
# What was counted of each resource, and what is there of it.
COUNTED = f"""
SELECT coalesce(sum(part), 0) FROM (
    SELECT used AS part FROM tenants_quotatotal WHERE tenant_id = {TENANT} AND resource = %(what)s
    UNION ALL SELECT amount FROM tenants_quotadelta WHERE tenant_id = {TENANT} AND resource = %(what)s
) AS parts
"""  # noqa: S608  # as above
THERE = {
    "subjects": f"SELECT count(*) FROM registry_subject WHERE tenant_id = {TENANT}",  # noqa: S608  # as above
    "versions": f"""
        SELECT (SELECT count(*) FROM registry_version WHERE tenant_id = {TENANT})
             + (SELECT count(*) FROM registry_moduleversion WHERE tenant_id = {TENANT})
    """,  # noqa: S608  # as above
}
PARTS = "SELECT data FROM registry_exportpart WHERE export_id = %(export)s ORDER BY number"
DIGEST = "SELECT size, sha256 FROM registry_tenantexport WHERE id = %(export)s"
# Nobody waits for the lease of a worker that is known to be lost.
FREED = "UPDATE registry_tenantexport SET leased_until = now() WHERE id = %(export)s AND state = 'running'"


@dataclass
class Endings:
    """Both on their way, and what must have become of them."""

    platform: Platform
    caller: Caller
    name: str = field(default_factory=lambda: f"n{uuid4().hex[:10]}")
    export: int = 0

    def __post_init__(self) -> None:
        """Leave a namespace that is not to be kept, and an export that waits for a worker."""
        place = f"/sr/{self.platform.run['tenant']}/{self.name}"
        namespaces = f"{self.caller.tenant}/namespaces"
        self.caller.ok("POST", namespaces, {"slug": self.name, "template": None})
        for number in range(SUBJECTS):
            schema = {"type": "record", "name": f"R{number}", "namespace": self.name, "fields": []}
            path = f"{place}/subjects/s{number}"
            self.caller.ok("POST", f"{path}/versions", {"schema": json.dumps(schema)})
        self.caller.ok("PUT", f"{place}/config", {"compatibility": "NONE"})
        self.caller.ok("DELETE", f"{namespaces}/{self.name}?confirm={self.name}", If_Match="*")
        ((self.export,),) = self.rows(WAITING)

    @property
    def asked(self) -> dict[str, Any]:
        """What questions name."""
        return {"name": self.name, "tenant": self.platform.run["tenant"], "export": self.export}

    def rows(self, statement: str, **more: Any) -> Any:
        """Ask the database as the role that sees all tenants."""
        with psycopg.connect(self.platform.owner_url(), autocommit=True) as connection:
            found = connection.execute(statement.encode(), {**self.asked, **more})
            return found.fetchall() if found.description else []

    def push(self) -> None:
        """Have workers go on with both, far sooner than the schedule does."""
        queue = Queue(self.platform)
        queue.send("tenants.purge_deleted")
        queue.send("registry.write_exports")

    def free(self) -> None:
        """Wait for no lease of a worker that was killed; once, as the next one is not lost."""
        self.rows(FREED)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let neither get past the gate in the meantime."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.platform.owner_url()) as connection:
            connection.execute(f"LOCK TABLE {GATE} IN ACCESS EXCLUSIVE MODE")
            yield

    def begin(self) -> None:
        """Ask for both."""
        path = f"{self.caller.tenant}/deleted-namespaces/{self.name}/purge"
        self.caller.ok("POST", path, {"confirm": self.name})
        self.push()

    def are_held(self) -> bool:
        """Tell whether both wait at the gate."""
        return bool(self.rows(HELD) == [(2,)])

    def have_ended(self) -> bool:
        """Tell whether both are done."""
        return bool(self.rows(ENDED) == [(0, "done")])

    def check(self) -> None:
        """Nothing is half done: in the tables, the counts, the log and the archive."""
        assert [row[0] for row in self.rows(TOLD)] == ["namespace.purge", "namespace.purged"]
        for what, there in THERE.items():
            assert self.rows(COUNTED, what=what) == self.rows(there), what
        data = b"".join(bytes(row[0]) for row in self.rows(PARTS))
        ((size, digest),) = self.rows(DIGEST)
        assert (len(data), hashlib.sha256(data).digest()) == (size, bytes(digest))
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert archive.testzip() is None
            assert "manifest.json" in archive.namelist()
        self.caller.verify_audit()
