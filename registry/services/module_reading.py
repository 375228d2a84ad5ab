"""What is read of stored sets: whole or cut down, texts by themselves or in an archive, and what is there."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from accord.formats.protobuf.descriptors import FileDescriptorProto, OptionReader
from accord.formats.protobuf.filing import filed
from accord.formats.protobuf.needed import needed
from accord.formats.protobuf.sets import file_text
from accord.formats.protobuf.skimming import set_entry
from accord.policy.explanation import sentence_of
from registry.module_errors import NotInSet
from registry.queries.modules import get_module_version
from registry.queries.proto_files import stored_sets
from registry.services.heavy import turn_for
from registry.services.module_judging import SetNodes, differences
from registry.services.uploading import weight_of_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from accord.formats.protobuf.descriptors import DescriptorProto
    from accord.formats.protobuf.filing import FiledFile
    from accord.model import Direction, Finding
    from accord_server.kit.scope import Scope
    from registry.module_records import ModuleVersionRow

Json = dict[str, Any]
# Archives of the same files are the same bytes.
EPOCH: Final = (1980, 1, 1, 0, 0, 0)
MOST_DIFFERENCES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Which part of a set is wanted: all of it, or what one message or service needs.

    ``has_notes`` adds what files note of their texts, ``has_imports`` what they import.
    """

    name: str = ""
    has_notes: bool = False
    has_imports: bool = True


def files_of(scope: Scope, row: ModuleVersionRow, *, notes: bool = False) -> tuple[FiledFile, ...]:
    """Return the files of a version, imports first."""
    return stored_sets(scope, {row.set_key}, notes=notes)[row.set_key]


def selected(files: Sequence[FiledFile], wanted: Selection) -> bytes:
    """Return a part of a set as a serialized ``FileDescriptorSet``.

    Raises:
        NotInSet: It has no such message, enum or service.
        TooBusy: It is large, and so are others just now.
    """
    if wanted.name:
        with turn_for(weight_of_files(files)):
            cut = needed([one.descriptor for one in files], wanted.name)
        if cut is None:
            raise NotInSet("message, enum or service", wanted.name)
        files = [filed(one) for one in cut]
    kept = (one for one in files if wanted.has_imports or not one.is_import)
    return b"".join(set_entry(one.data, one.notes if wanted.has_notes else b"") for one in kept)


def text_of(scope: Scope, row: ModuleVersionRow, path: str) -> str:
    """Return a file of a version as text: as it was sent, or as somebody might have written it.

    Raises:
        NotInSet: It has no such file.
        TooBusy: It is large, and so are others just now.
    """
    files = stored_sets(scope, {row.set_key}, texts=True)[row.set_key]
    if path not in {one.path for one in files}:
        raise NotInSet("file", path)
    return _texts(files, [path])[path]


def archive_of(scope: Scope, row: ModuleVersionRow, *, has_imports: bool = False) -> bytes:
    """Return the texts of a version as a zip archive: always the same bytes for the same files.

    Raises:
        TooBusy: It is large, and so are others just now.
    """
    files = stored_sets(scope, {row.set_key}, texts=True)[row.set_key]
    paths = sorted(one.path for one in files if has_imports or not one.is_import)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in _texts(files, paths).items():
            archive.writestr(zipfile.ZipInfo(path, EPOCH), text, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def files_data(files: Iterable[FiledFile]) -> list[Json]:
    """Return a list of files as JSON values."""
    return [
        {
            "path": one.path,
            "package": one.package,
            "digest": one.digest.hex(),
            "bytes": len(one.data),
            "is_import": one.is_import,
        }
        for one in files
    ]


def packages_data(files: Iterable[FiledFile]) -> list[Json]:
    """Return the packages with their files."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in files:
        found[one.package].append(one.path)
    return [{"name": name, "files": sorted(found[name])} for name in sorted(found)]


def messages_data(files: Iterable[FiledFile], text: str = "") -> list[Json]:
    """Return the messages and enums, nested ones as well, with their files; entries of maps are left out.

    With a text, those that have it in their name or in that of a field or value, which are named then; upper
    and lower case are alike.
    """
    wanted = text.lower()
    return [
        {"name": name, "kind": kind, "file": file.name} | ({"fields": fields} if wanted else {})
        for file in (one.descriptor for one in files)
        for name, kind, names in _types(file, f"{file.package}." if file.package else "")
        if (fields := [one for one in names if wanted in one.lower()]) or wanted in name.lower()
    ]


def services_data(files: Iterable[FiledFile]) -> list[Json]:
    """Return the services with their methods and files."""
    return [
        {
            "name": f"{file.package}.{service.name}".removeprefix("."),
            "file": file.name,
            "methods": [
                {
                    "name": one.name,
                    "input": one.input_type.removeprefix("."),
                    "output": one.output_type.removeprefix("."),
                    "client_streaming": one.client_streaming,
                    "server_streaming": one.server_streaming,
                }
                for one in service.method
            ],
        }
        for file in (one.descriptor for one in files)
        for service in file.service
    ]


def difference_data(scope: Scope, module: str, old: int | str, new: int | str) -> Json:
    """Return what differs between two versions of a module: their files, and what that means for readers.

    Raises:
        ModuleNotFound, ModuleVersionNotFound: One of them is not there, or may not be read.
        TooBusy: They are large, and so are others just now.
    """
    before, after = (get_module_version(scope, module, one) for one in (old, new))
    sets = stored_sets(scope, {before.set_key, after.set_key})
    was, is_ = sets[before.set_key], sets[after.set_key]
    with turn_for(weight_of_files((*was, *is_))):
        found = differences(SetNodes(is_), SetNodes(was))
    told = [_difference(side, one) for side, findings in found.items() for one in findings]
    return {
        "module": module,
        "old": before.number,
        "new": after.number,
        "files": _changed_files(was, is_),
        "differences": told[:MOST_DIFFERENCES],
        "left_out": max(0, len(told) - MOST_DIFFERENCES),
    }


def _types(
    holder: FileDescriptorProto | DescriptorProto, before: str
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the name and kind of each type, and the names of its fields or values."""
    yield from ((before + enum.name, "enum", [one.name for one in enum.value]) for enum in holder.enum_type)
    for message in holder.message_type if isinstance(holder, FileDescriptorProto) else holder.nested_type:
        if not message.options.map_entry:
            yield before + message.name, "message", [one.name for one in message.field]
            yield from _types(message, f"{before}{message.name}.")


def _texts(files: Sequence[FiledFile], paths: Sequence[str]) -> dict[str, str]:
    known = {one.path: one for one in files}
    with turn_for(sum(len(known[path].data) for path in paths)):
        protos = {one.path: one.descriptor for one in files}
        # One for all of them: making it takes as long as the set is large.
        options = OptionReader(protos.values())
        return {path: known[path].text or file_text(protos[path], options) for path in paths}


def _changed_files(was: Sequence[FiledFile], is_: Sequence[FiledFile]) -> Json:
    old, new = ({one.path: one.digest for one in files} for files in (was, is_))
    return {
        "added": sorted(new.keys() - old.keys()),
        "removed": sorted(old.keys() - new.keys()),
        "changed": sorted(path for path in new.keys() & old.keys() if new[path] != old[path]),
    }


def _difference(side: Direction, one: Finding) -> Json:
    return {
        "direction": side,
        "rule": one.rule,
        "severity": one.severity,
        "path": one.path,
        "sentence": sentence_of(one, side),
    }
