"""The archive of a tenant: all that it has, as of one moment, in a zip of JSON lines.

The tables are found in the models (`tenants.owned`), so that none is forgotten; what is withheld is named.
"""

from __future__ import annotations

import base64
import json
import zipfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Final

from django.db import connection, transaction
from django.utils import timezone

from accord.model import SubjectName
from accord.transfer.copies import Copy
from accord.transfer.records import CopiedPlace, CopiedVersion, Key
from accord.transfer.writing import write
from accord_server.kit import tenancy
from accord_server.kit.models import Delivery, KeptAnswer, Outbox
from registry.models import Config, ExportPart, Mode, TenantExport, Version
from registry.queries.rows import references_of
from registry.sealing import SEALED
from tenants.models import Invitation, Namespace, Tenant, TokenSecret
from tenants.owned import owned_models

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tenants.owned import OwnedModel

FORMAT: Final = "accord-tenant"
FORMAT_VERSION: Final = 1
ROWS_AT_ONCE: Final = 500
# Digests of secrets; what is still to be done and what was answered, which is nobody's content; archives.
WITHHELD_TABLES: Final = frozenset({TokenSecret, Outbox, Delivery, KeptAnswer, TenantExport, ExportPart})
WITHHELD_COLUMNS: Final[Mapping[OwnedModel, frozenset[str]]] = {Invitation: frozenset({"digest"})}
ONE_MOMENT: Final = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


def exported_models() -> tuple[OwnedModel, ...]:
    """Return the models whose rows are written, those before that others refer to."""
    return tuple(model for model in reversed(owned_models()) if model not in WITHHELD_TABLES)


def columns_of(model: OwnedModel) -> list[str]:
    """Return the columns that are written."""
    withheld = WITHHELD_COLUMNS.get(model, frozenset())
    fields = [one for one in model._meta.concrete_fields if one.name != "tenant"]
    return [one.attname for one in fields if one.attname not in withheld]


def write_archive(scope: Scope, stream: IO[bytes], note: Callable[[int, int], None]) -> dict[str, int]:
    """Write the whole tenant, as of now; return how many rows of each table there are.

    Nothing may have been asked of the connection in a transaction that is still open. ``note`` is called
    again and again with the number of finished files, and of all; what it raises ends the work.
    """
    with (
        tenancy.tenant_context(scope.tenant.id),
        _one_moment(),
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        return _Archive(scope, archive, note).write()


@contextmanager
def _one_moment() -> Iterator[None]:
    """See the database as it is now, whatever is written meanwhile."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute(ONE_MOMENT)
        yield


class _Archive:
    """An archive while it is written, file by file."""

    def __init__(self, scope: Scope, archive: zipfile.ZipFile, note: Callable[[int, int], None]) -> None:
        self._scope = scope
        self._archive = archive
        self._note = note
        self._done = 0
        self._total = 0

    def write(self) -> dict[str, int]:
        """Write all files, the one that tells of the others last."""
        begun = timezone.now()
        tenant = Tenant.objects.filter(id=self._scope.tenant.id).values().get()
        namespaces = list(Namespace.objects.scoped(self._scope).order_by("slug").values_list("id", "slug"))
        every = exported_models()
        self._total = len(every) + len(namespaces) + 2
        with self._file("tenant.json") as file:
            file.write(_line(tenant))
        rows = {model._meta.db_table: self._table(model) for model in every}
        for namespace_id, slug in namespaces:
            self._namespace(namespace_id, slug)
        with self._file("manifest.json") as file:
            file.write(_line(self._manifest(begun.isoformat(), rows, [slug for _, slug in namespaces])))
        return rows

    def _manifest(self, begun: str, rows: dict[str, int], namespaces: list[str]) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "formatVersion": FORMAT_VERSION,
            "tenant": self._scope.tenant.slug,
            "at": begun,
            "tables": rows,
            "namespaces": namespaces,
        }

    @contextmanager
    def _file(self, name: str) -> Iterator[IO[bytes]]:
        with self._archive.open(name, "w", force_zip64=True) as file:
            yield file
        self._done += 1
        self._note(self._done, self._total)

    def _table(self, model: OwnedModel) -> int:
        rows = model.objects.scoped(self._scope).order_by("pk").values(*columns_of(model))
        count = 0
        with self._file(f"tables/{model._meta.db_table}.jsonl") as file:
            for count, row in enumerate(rows.iterator(chunk_size=ROWS_AT_ONCE), start=1):
                file.write(_line(row))
                self._breathe(count)
        return count

    def _namespace(self, namespace_id: UUID, slug: str) -> None:
        """Write a namespace as `accord export` does, for `accord import`."""
        with (
            Copy(f"{self._scope.tenant.slug}/{slug}") as copy,
            self._file(f"namespaces/{slug}.jsonl") as file,
        ):
            for count, version in enumerate(self._versions(namespace_id), start=1):
                copy.add(version)
                self._breathe(count)
            for place in self._places(namespace_id):
                copy.add_place(place)
            write(copy, file)

    def _versions(self, namespace_id: UUID) -> Iterator[CopiedVersion]:
        rows = Version.objects.scoped(self._scope).filter(subject__namespace_id=namespace_id)
        whole = rows.select_related("subject", "schema__content", "schema__contract")
        for row in whole.iterator(chunk_size=ROWS_AT_ONCE):
            yield _copied(row)

    def _places(self, namespace_id: UUID) -> Iterator[CopiedPlace]:
        where = {"namespace_id": namespace_id}
        found: dict[SubjectName, dict[str, Any]] = {}
        for row in Config.objects.scoped(self._scope).filter(**where):
            found.setdefault(SubjectName(row.name, row.context), {})["config"] = _clear(row.record)
        for mode in Mode.objects.scoped(self._scope).filter(**where):
            found.setdefault(SubjectName(mode.name, mode.context), {})["mode"] = mode.mode
        for place, values in found.items():
            yield CopiedPlace(place, **values)

    def _breathe(self, count: int) -> None:
        if count % ROWS_AT_ONCE == 0:
            self._note(self._done, self._total)


def _copied(row: Version) -> CopiedVersion:
    schema, subject = row.schema, row.subject
    contract = schema.contract
    return CopiedVersion(
        key=Key(SubjectName(subject.name, subject.context), row.number),
        id=schema.number,
        guid=str(schema.guid),
        format=schema.content.format,
        text=schema.content.text,
        references=references_of(schema.references),
        metadata=_clear(contract.metadata) if contract else None,
        rule_set=contract.rule_set if contract else None,
        is_deleted=row.deleted_at is not None,
    )


def _clear(value: Any) -> Any:  # noqa: ANN401  # whatever JSON holds
    """Return a value without what is stored sealed: an archive is no place for it."""
    if isinstance(value, dict):
        return {name: _clear(inner) for name, inner in value.items() if name != SEALED}
    return value


def _line(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, separators=(",", ":"), default=_plain).encode() + b"\n"


def _plain(value: Any) -> str:  # noqa: ANN401  # whatever a column holds beside what JSON knows
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
