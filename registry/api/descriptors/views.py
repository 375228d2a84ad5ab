"""The views: parse, one call, render."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.filing import set_digest
from registry.api.descriptors import serializers
from registry.api.descriptors.calls import SET_TYPE, Bytes, Created, Told, Unchanged
from registry.api.life_headers import life_headers
from registry.module_errors import InvalidUpload
from registry.queries.modules import (
    get_module_version,
    list_modules,
    readable_digests,
    readable_versions,
    served,
)
from registry.records import LATEST
from registry.services import module_reading as reading
from registry.services.exposing import expose_file
from registry.services.forms import version_files
from registry.services.gathering import MOST_DIGESTS
from registry.services.module_reading import Selection
from registry.services.uploading import check_set, delete_module_version, lint_set, upload_set

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from accord.formats.protobuf.filing import FiledFile
    from registry.api.descriptors import shapes
    from registry.api.descriptors.calls import Call
    from registry.api.descriptors.serializers import Json
    from registry.module_records import ModuleVersionRow

LARGEST_BATCH: Final = 1_000
TEXT_TYPE: Final = "text/plain; charset=utf-8"
ZIP_TYPE: Final = "application/zip"


def get_modules(call: Call) -> shapes.ModulesShape:
    """``GET /modules``: by name; ``next`` is where the list goes on."""
    limit = call.number("limit", 100, LARGEST_BATCH)
    after = str(call.query.get("after", "")).replace("\0", "")
    rows = list_modules(call.scope, after=after, limit=limit)
    return {
        "modules": [serializers.module_data(one) for one in rows],
        "next": rows[-1].name if len(rows) == limit else None,
    }


def get_versions(call: Call) -> list[int]:
    """``GET /modules/{module}/versions``: the numbers, oldest first."""
    return [one.number for one in readable_versions(call.scope, call.module)]


def post_version(call: Call) -> Created | shapes.UploadedShape:
    """``POST /modules/{module}/versions``."""
    made = upload_set(call.scope, call.upload)
    shown = serializers.version_data(made.version)
    document: shapes.UploadedShape = {**shown, "is_new": made.is_new}  # type: ignore[typeddict-item]  # a version alone has no judgement
    if made.judgement is not None:
        document["judgement"] = serializers.judgement_data(made.judgement)
    return Created(document) if made.is_new else document


def get_version(call: Call) -> Told:
    """``GET /modules/{module}/versions/{version}``."""
    row = _row(call)
    return Told(serializers.version_data(row), life_headers(row.life))


def delete_module(call: Call) -> shapes.DeletedShape:
    """``DELETE /modules/{module}``."""
    return {"deleted": delete_module_version(call.scope, call.module, None)}


def delete_version(call: Call) -> shapes.DeletedShape:
    """``DELETE /modules/{module}/versions/{version}``."""
    version = call.version
    if version == LATEST:
        version = get_module_version(call.scope, call.module, LATEST).number
    return {"deleted": delete_module_version(call.scope, call.module, int(version))}


def get_set(call: Call) -> Bytes | Unchanged:
    """``GET /modules/{module}/versions/{version}/set``."""
    row, wanted = _served(call), _selection(call)
    tag = _set_tag(call, row.digest, wanted)
    if call.has(tag):
        return Unchanged(tag, headers=life_headers(row.life))
    files = reading.files_of(call.scope, row, notes=wanted.has_notes)
    return Bytes(reading.selected(files, wanted), SET_TYPE, tag, headers=life_headers(row.life))


def get_subject_set(call: Call) -> Bytes | Unchanged:
    """``GET /subjects/{subject}/versions/{version}``."""
    found, wanted = version_files(call.scope, call.subject, call.version), _selection(call)
    tag, headers = _set_tag(call, set_digest(found.files), wanted), life_headers(found.life)
    if call.has(tag):
        return Unchanged(tag, headers)
    return Bytes(reading.selected(found.files, wanted), SET_TYPE, tag, headers=headers)


def get_files(call: Call) -> Told:
    """``GET /modules/{module}/versions/{version}/files``."""
    row = _row(call)
    return Told(reading.files_data(_files(call, row)), life_headers(row.life))


def get_file(call: Call) -> Bytes | Unchanged:
    """``GET /modules/{module}/versions/{version}/files/{path}``."""
    row = _served(call)
    tag, headers = call.tag(row.digest, "file", call.values["path"]), life_headers(row.life)
    if call.has(tag):
        return Unchanged(tag, headers)
    text = reading.text_of(call.scope, row, call.values["path"])
    return Bytes(text.encode(), TEXT_TYPE, tag, headers=headers)


def get_archive(call: Call) -> Bytes | Unchanged:
    """``GET /modules/{module}/versions/{version}/zip``."""
    row, has_imports = _served(call), call.flag("imports")
    tag, headers = call.tag(row.digest, "zip", has_imports), life_headers(row.life)
    if call.has(tag):
        return Unchanged(tag, headers)
    data = reading.archive_of(call.scope, row, has_imports=has_imports)
    return Bytes(data, ZIP_TYPE, tag, f"{row.module}-{row.number}.zip", headers)


def get_packages(call: Call) -> Told:
    """``GET /modules/{module}/versions/{version}/packages``."""
    row = _row(call)
    return Told(reading.packages_data(_files(call, row)), life_headers(row.life))


def get_messages(call: Call) -> Told:
    """``GET /modules/{module}/versions/{version}/messages``: with ``q``, those that have it in a name."""
    row = _row(call)
    found = reading.messages_data(_files(call, row), str(call.query.get("q", "")))
    return Told(found, life_headers(row.life))


def get_services(call: Call) -> Told:
    """``GET /modules/{module}/versions/{version}/services``."""
    row = _row(call)
    return Told(reading.services_data(_files(call, row)), life_headers(row.life))


def get_diff(call: Call) -> Json:
    """``GET /modules/{module}/diff``: the versions ``from`` and ``to``."""
    return reading.difference_data(call.scope, call.module, call.side("from", ""), call.side("to", LATEST))


def post_check(call: Call) -> shapes.JudgementShape:
    """``POST /modules/{module}/check``."""
    return serializers.judgement_data(check_set(call.scope, call.upload))


def post_lint(call: Call) -> shapes.LintedShape:
    """``POST /modules/{module}/lint``."""
    found = lint_set(call.scope, call.upload)
    lint = [serializers.lint_data(one) for one in found.findings]
    return {"use": list(found.use), "is_asked": found.is_asked, "lint": lint}


def post_digests(call: Call) -> shapes.MissingShape:
    """``POST /digests``: which of these files would have to be sent."""
    digests = serializers.digests_of(call.json)
    if len(digests) > MOST_DIGESTS:
        raise InvalidUpload(f"{len(digests)} digests are named, {MOST_DIGESTS} are allowed")
    known = readable_digests(call.scope, digests)
    return {"missing": [one.hex() for one in dict.fromkeys(digests) if one not in known]}


def post_subject(call: Call) -> shapes.ExposedShape:
    """``POST /modules/{module}/versions/{version}/subjects``."""
    row, body = _served(call), call.json
    made = expose_file(call.scope, row, *(_text(body, name) for name in ("file", "subject")))
    return {
        "registered": [
            {"subject": one.subject.qualified, "version": one.number, "id": one.schema.id} for one in made
        ]
    }


def _text(body: Json, name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str) or not value:
        raise InvalidUpload(f"{name} is missing: name the file of the module, and the subject it becomes")
    return value


def _row(call: Call) -> ModuleVersionRow:
    return get_module_version(call.scope, call.module, call.version)


def _served(call: Call) -> ModuleVersionRow:
    return served(_row(call))


def _files(call: Call, row: ModuleVersionRow) -> Sequence[FiledFile]:
    files: Iterable[FiledFile] = reading.files_of(call.scope, row)
    has_imports = call.flag("imports")
    return [one for one in files if has_imports or not one.is_import]


def _selection(call: Call) -> Selection:
    name = str(call.query.get("message", call.query.get("service", "")))
    return Selection(name, call.flag("notes"), call.flag("imports", default=True))


def _set_tag(call: Call, digest: bytes, wanted: Selection) -> str:
    return call.tag(digest) if wanted == Selection() else call.tag(digest, wanted)
