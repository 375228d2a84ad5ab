"""Protobuf schemas as they were compiled when they were registered: read, and never compiled again.

What a schema imports is parsed once for all schemas that import the same files, and lies in the memory of
the models: it weighs there once.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from accord.formats.identity import digest
from accord.formats.protobuf.descriptors import FileDescriptorProto
from accord.formats.protobuf.schema import canonical_of
from accord.model import Format
from accord_server.kit.cache import Part
from registry.queries.proto_files import descriptors_of, set_of_text, set_outlines
from registry.records import Referenced
from registry.services.memory import BEHIND, Behind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.model import SchemaText
    from accord_server.kit.scope import Scope
    from registry.queries.proto_files import SetOutline
    from registry.services.memory import Key


class CompiledSchema(NamedTuple):
    """What a schema was compiled to, imports first; ``parts`` is what others have in memory as well."""

    files: tuple[FileDescriptorProto, ...]
    warnings: tuple[Diagnostic, ...]
    parts: tuple[Part, ...]

    @property
    def imported(self) -> Referenced:
        """How much it imports."""
        return Referenced(sum(one.weight for one in self.parts), len(self.files) - 1)


def compiled_before(scope: Scope, source: SchemaText) -> CompiledSchema | None:
    """Return what a Protobuf text was compiled to when a schema of the namespace was registered with it.

    Two statements and a third; none for what is no Protobuf text.
    """
    text = canonical_of(source.text) if source.format is Format.PROTOBUF else None
    key = None if text is None else set_of_text(scope, digest(text), source.references)
    return None if key is None else CompiledSchemas(scope, (key,)).of(key)


class CompiledSchemas:
    """Sets of files, read when the first of them is asked for: two statements, however many there are."""

    def __init__(self, scope: Scope, set_keys: Collection[int]) -> None:
        self._scope = scope
        self._set_keys = set_keys

    def of(self, set_key: int) -> CompiledSchema:
        """Return one of the sets."""
        *imports, own = self._outlines[set_key].file_keys
        behind = self._behind(tuple(imports))
        files = cast("tuple[FileDescriptorProto, ...]", behind.types)
        return CompiledSchema(
            (*files, self._file(own)), self._outlines[set_key].warnings, (behind.part,) if imports else ()
        )

    @cached_property
    def _outlines(self) -> Mapping[int, SetOutline]:
        return set_outlines(self._scope, self._set_keys)

    @cached_property
    def _data(self) -> Mapping[int, bytes]:
        """The descriptors of all sets, but for imports that are remembered."""
        wanted: set[int] = set()
        for *imports, own in (one.file_keys for one in self._outlines.values()):
            wanted.add(own)
            if BEHIND.recall(self._key(tuple(imports))) is None:
                wanted.update(imports)
        return descriptors_of(self._scope, wanted)

    def _behind(self, imports: tuple[int, ...]) -> Behind:
        key = self._key(imports)
        known = BEHIND.recall(key)
        if known is not None:
            return known
        missing = {one for one in imports if one not in self._data}
        # What was remembered a moment ago may be forgotten by now.
        data = {**self._data, **descriptors_of(self._scope, missing)} if missing else self._data
        part = Part(sum(len(data[one]) for one in imports))
        made = Behind(tuple(FileDescriptorProto.FromString(data[one]) for one in imports), part, len(imports))
        if imports:
            BEHIND.keep(key, made, parts=(part,))
        return made

    def _file(self, key: int) -> FileDescriptorProto:
        return FileDescriptorProto.FromString(self._data[key])

    def _key(self, imports: tuple[int, ...]) -> Key:
        return (self._scope.tenant.id, "compiled", *imports)
