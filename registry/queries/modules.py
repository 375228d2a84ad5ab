"""Modules and their versions. Who may not read a module does not see that it is there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from django.db import connection

from accord.formats.protobuf.filing import FiledFile
from accord.model import DEFAULT_CONTEXT, SubjectName
from registry.module_errors import ModuleNotFound, ModuleVersionDisabled, ModuleVersionNotFound
from registry.module_records import ModuleRow, ModuleVersionRow
from registry.queries.places import namespace_of
from registry.queries.visibility import cover_of, covered
from registry.records import LATEST, Page
from registry.version_states import Life, VersionState
from tenants.access import require

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from accord_server.kit.scope import Scope

READ: Final = "desc.read"
WRITE: Final = "desc.write"
# The names of modules are covered by grants as those of subjects in the default context are.
PLACED: Final = f"(SELECT '{DEFAULT_CONTEXT}' AS context, module.name AS name)"
MODULES: Final = f"""
SELECT module.name, max(version.number) FILTER (WHERE version.state <> 'disabled'), count(*),
    max(version.created_at)
FROM registry_module AS module
CROSS JOIN LATERAL {PLACED} AS subject
JOIN registry_moduleversion AS version ON version.module_id = module.id
WHERE module.tenant_id = %(tenant)s AND module.namespace_id = %(namespace)s AND module.name > %(after)s
    AND {covered()}
GROUP BY module.id ORDER BY module.name LIMIT %(limit)s
"""  # noqa: S608  # put together from the constants above
FOUND: Final = f"""
SELECT module.name, max(version.number) FILTER (WHERE version.state <> 'disabled') AS latest,
    count(*) AS versions, max(version.created_at) AS updated
FROM registry_module AS module
CROSS JOIN LATERAL {PLACED} AS subject
JOIN registry_moduleversion AS version ON version.module_id = module.id
WHERE module.tenant_id = %(tenant)s AND module.namespace_id = %(namespace)s
    AND position(lower(%(text)s) IN lower(module.name)) > 0 AND {covered()}
GROUP BY module.id
"""  # noqa: S608  # put together from the constants above
FOUND_PAGE: Final = f"{FOUND} ORDER BY module.name LIMIT %(limit)s OFFSET %(offset)s"
FOUND_TOTAL: Final = f"SELECT count(*) FROM ({FOUND}) AS found"  # noqa: S608  # see above
VERSIONS: Final = """
SELECT module.name, version.number, listed.digest, listed.id, version.level, version.created_at,
    version.created_by, version.properties, version.state, version.state_changed_at
FROM registry_module AS module
JOIN registry_moduleversion AS version ON version.module_id = module.id
JOIN registry_descriptorset AS listed ON listed.id = version.set_id
WHERE module.tenant_id = %(tenant)s AND module.namespace_id = %(namespace)s AND module.name = %(name)s
"""
ALL_VERSIONS: Final = f"{VERSIONS} ORDER BY version.number"
ONE_VERSION: Final = f"{VERSIONS} AND version.number = %(number)s"
LATEST_VERSION: Final = f"{VERSIONS} AND version.state <> 'disabled' ORDER BY version.number DESC LIMIT 1"
# Files that the caller may read in some module of the namespace: what others have is nobody's business.
READABLE: Final = f"""
SELECT file.digest, file.path, file.package, {{descriptor}}
FROM registry_protofile AS file
WHERE file.tenant_id = %(tenant)s AND file.digest = ANY(%(digests)s) AND EXISTS (
    SELECT FROM registry_descriptorsetentry AS entry
    JOIN registry_moduleversion AS version ON version.set_id = entry.set_id
    JOIN registry_module AS module ON module.id = version.module_id
    CROSS JOIN LATERAL {PLACED} AS subject
    WHERE entry.file_id = file.id AND module.namespace_id = %(namespace)s AND {covered()}
)
"""  # noqa: S608  # put together from the constants above
READABLE_DIGESTS: Final = READABLE.format(descriptor="''::bytea")
READABLE_FILES: Final = READABLE.format(descriptor="file.descriptor")
ADD_MODULE: Final = """
INSERT INTO registry_module AS known (tenant_id, namespace_id, name, newest, created_at)
VALUES (%s, %s, %s, 0, now())
ON CONFLICT (namespace_id, name) DO UPDATE SET name = known.name
RETURNING id, newest
"""

LOCK_MODULE: Final = """
SELECT id FROM registry_module
WHERE tenant_id = %(tenant)s AND namespace_id = %(namespace)s AND name = %(name)s FOR UPDATE
"""
VERSION_KEYS: Final = "SELECT id, number FROM registry_moduleversion WHERE tenant_id = %s AND module_id = %s"


def module_name(name: str) -> SubjectName:
    """Return the name that grants and policies cover a module by."""
    return SubjectName(name, DEFAULT_CONTEXT)


def admit_to_module(scope: Scope, name: str, right: str) -> None:
    """Refuse unless the right is held on the module; one that may not be read looks missing.

    Raises:
        ModuleNotFound: The module may not even be read.
        RightMissing: It may be read, and the right is missing.
    """
    subject = module_name(name)
    if not scope.may(right, subject) and not scope.may(READ, subject):
        raise ModuleNotFound(name)
    require(scope, right, subject)


def list_modules(scope: Scope, *, after: str = "", limit: int) -> list[ModuleRow]:
    """Return the modules that have versions and may be read, by name, after one of them."""
    values = {**_where(scope), **cover_of(scope, (READ,)).parameters(), "after": after, "limit": limit}
    return [ModuleRow(*row) for row in _rows(MODULES, values)]


def search_modules(scope: Scope, *, text: str = "", number: int = 1, size: int) -> Page[ModuleRow]:
    """Return one page of the modules that may be read and whose name holds the text, by name."""
    values = {
        **_where(scope),
        **cover_of(scope, (READ,)).parameters(),
        "text": text.replace("\0", ""),
        "limit": size,
        "offset": (number - 1) * size,
    }
    ((total,),) = _rows(FOUND_TOTAL, values)
    return Page(tuple(ModuleRow(*row) for row in _rows(FOUND_PAGE, values)), total, number, size)


def module_versions(scope: Scope, name: str) -> list[ModuleVersionRow]:
    """Return the versions of a module, oldest first: none where there is no module."""
    return [_version(*row) for row in _rows(ALL_VERSIONS, {**_where(scope), "name": name})]


def readable_versions(scope: Scope, name: str) -> list[ModuleVersionRow]:
    """Return the versions of a module, oldest first.

    Raises:
        ModuleNotFound: There are none, or none that may be read.
    """
    admit_to_module(scope, name, READ)
    found = module_versions(scope, name)
    if not found:
        raise ModuleNotFound(name)
    return found


def version_among(rows: Iterable[ModuleVersionRow], name: str, number: int) -> ModuleVersionRow:
    """Return one of the versions of a module.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: There is no module, or no such version.
    """
    found = {one.number: one for one in rows}
    if not found:
        raise ModuleNotFound(name)
    if number not in found:
        raise ModuleVersionNotFound(str(number))
    return found[number]


def get_module_version(scope: Scope, name: str, number: int | str) -> ModuleVersionRow:
    """Return one version of a module, or the latest of those that are not disabled.

    Raises:
        ModuleNotFound: There is no such module, or none that may be read.
        ModuleVersionNotFound: It has no such version, or all are disabled.
    """
    admit_to_module(scope, name, READ)
    values = {**_where(scope), "name": name, "number": 0 if number == LATEST else number}
    rows = _rows(LATEST_VERSION if number == LATEST else ONE_VERSION, values)
    if rows:
        return _version(*rows[0])
    if not module_versions(scope, name):
        raise ModuleNotFound(name)
    raise ModuleVersionNotFound(str(number))


def served(row: ModuleVersionRow) -> ModuleVersionRow:
    """Return a version that is handed out and built upon.

    Raises:
        ModuleVersionDisabled: It is disabled.
    """
    if row.is_disabled:
        raise ModuleVersionDisabled(row.module, row.number)
    return row


def readable_digests(scope: Scope, digests: Collection[bytes]) -> set[bytes]:
    """Return the digests of files that the caller may read in some module of the namespace."""
    return {bytes(row[0]) for row in _readable(READABLE_DIGESTS, scope, digests)}


def readable_files(scope: Scope, digests: Collection[bytes]) -> dict[bytes, FiledFile]:
    """Return those files by digest."""
    return {
        bytes(digest): FiledFile(path, package, bytes(data))
        for digest, path, package, data in _readable(READABLE_FILES, scope, digests)
    }


def lock_or_add_module(scope: Scope, name: str) -> tuple[int, int]:
    """Lock the module's row, adding it if need be; return its key and the highest number it ever gave."""
    ((key, newest),) = _rows(ADD_MODULE, [scope.tenant.id, namespace_of(scope), name])
    return int(key), int(newest)


def lock_module(scope: Scope, name: str, number: int | None) -> dict[int, int]:
    """Lock a module and return one of its versions, or all, by row key.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: There is nothing there.
    """
    locked = _rows(LOCK_MODULE, {**_where(scope), "name": name})
    rows = _rows(VERSION_KEYS, [scope.tenant.id, locked[0][0]]) if locked else []
    found = {key: its for key, its in rows if number in {None, its}}
    if not rows:
        raise ModuleNotFound(name)
    if not found:
        raise ModuleVersionNotFound(str(number))
    return found


def _readable(statement: str, scope: Scope, digests: Collection[bytes]) -> list[tuple[Any, ...]]:
    cover = cover_of(scope, (READ,)).parameters()
    return _rows(statement, {**_where(scope), **cover, "digests": list(digests)})


def _where(scope: Scope) -> dict[str, Any]:
    return {"tenant": scope.tenant.id, "namespace": namespace_of(scope)}


def _rows(statement: str, values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # by name or by place
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


def _version(module: str, number: int, digest: Any, *rest: Any) -> ModuleVersionRow:  # noqa: ANN401  # a row
    set_key, level, created_at, created_by, properties, state, since = rest
    said, life = json.loads(properties), Life(VersionState(state), since)
    return ModuleVersionRow(module, number, bytes(digest), set_key, level, created_at, created_by, said, life)
