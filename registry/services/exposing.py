"""Files of modules as subjects: for clients that know Confluent's interface.

What a file imports is registered first, each under its import path, as Confluent's own serializers do; files
that are built in need nothing. Files are stored once: the subjects of imports have the files of the module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.formats.protobuf.builtin import is_built_in
from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from registry.module_errors import InvalidUpload, NotInSet
from registry.queries.proto_files import stored_sets
from registry.records import RegisterVersion
from registry.services.module_judging import SetNodes
from registry.services.registration import register_version

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.module_records import ModuleVersionRow
    from registry.records import VersionRecord

# Each is judged and registered by itself, and none of the server's few threads is held for long.
MOST_EXPOSED: Final = 100
TOO_MANY: Final = (
    "{0} imports {1} files, directly or not, and one call makes subjects of {2} at most, itself included;"
    " expose a file that imports fewer, or put what it needs into fewer files"
)


def expose_file(scope: Scope, row: ModuleVersionRow, path: str, subject: str) -> list[VersionRecord]:
    """Register a file of a version under a subject, after all that it imports; return these in order.

    Each is registered by the policy in force for its subject. Doing it again changes nothing, so that what
    was begun can be finished.

    Raises:
        NotInSet: The version has no such file.
        InvalidUpload: The file needs more others than one call registers.
        InvalidSubject and what else `register_version` raises: A file is refused; those before it stay.
    """
    nodes = SetNodes(stored_sets(scope, {row.set_key}, texts=True)[row.set_key])
    if path not in nodes.protos:
        raise NotInSet("file", path)
    made: dict[str, VersionRecord] = {}
    needed = _behind(nodes, path)
    if len(needed) > MOST_EXPOSED:
        raise InvalidUpload(TOO_MANY.format(path, len(needed) - 1, MOST_EXPOSED))
    for one in needed:
        home = parse_subject(subject if one == path else one)
        references = tuple(
            Reference(name, made[name].subject.qualified, made[name].number)
            for name in nodes.protos[one].dependency
            if name in made
        )
        source = SchemaText(Format.PROTOBUF, nodes.text(one), references)
        made[one] = register_version(scope, RegisterVersion(home, source)).version
    return list(made.values())


def _behind(nodes: SetNodes, path: str) -> list[str]:
    """Return a file and all that it imports, imports first and without what is built in."""
    found = {path}
    for name in reversed(nodes.protos):
        if name in found:
            found.update(nodes.protos[name].dependency)
    return [name for name in nodes.protos if name in found and not is_built_in(name)]
