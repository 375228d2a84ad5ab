"""What of a set a message or service needs: the smallest set that stands by itself.

A file is cut down to those of its messages, enums, services and extensions that are needed, each whole; it
imports directly where these lie. Extensions are needed where something needed uses them as its options.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from accord.formats.protobuf.builtin import is_built_in
from accord.formats.protobuf.descriptors import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    all_options,
    unknown_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from accord.formats.protobuf.descriptors import (
        EnumDescriptorProto,
        Message,
        ServiceDescriptorProto,
    )

    Declaration: TypeAlias = (
        "DescriptorProto | EnumDescriptorProto | ServiceDescriptorProto | FieldDescriptorProto"
    )

OPTIONS: Final = "google.protobuf."
PARTS: Final = ("message_type", "enum_type", "service", "extension")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A declaration of the top level of a file, which is needed whole or not at all."""

    path: str
    part: str
    at: int
    file: FileDescriptorProto = field(compare=False, repr=False)

    @property
    def declared(self) -> Declaration:
        """The declaration itself."""
        found: Declaration = getattr(self.file, self.part)[self.at]
        return found


@dataclass(slots=True)
class _Index:
    """The units of a set: by the full names that they declare, and by the options that extensions are."""

    names: dict[str, _Unit] = field(default_factory=dict)
    options: dict[tuple[str, int], _Unit] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[FileDescriptorProto]) -> _Index:
        index = cls()
        for file in files:
            before = f"{file.package}." if file.package else ""
            for part in PARTS:
                for at, declared in enumerate(getattr(file, part)):
                    index._add(declared, before, _Unit(file.name, part, at, file))
        return index

    def _add(self, declared: Declaration, before: str, unit: _Unit) -> None:
        if isinstance(declared, FieldDescriptorProto):
            self._extension(declared, unit)
        elif isinstance(declared, DescriptorProto):
            self._message(declared, before, unit)
        else:
            self.names[before + declared.name] = unit

    def _message(self, message: DescriptorProto, before: str, unit: _Unit) -> None:
        waiting = [(message, before)]
        while waiting:
            one, outer = waiting.pop()
            name = outer + one.name
            self.names[name] = unit
            self.names.update((f"{name}.{enum.name}", unit) for enum in one.enum_type)
            for extension in one.extension:
                self._extension(extension, unit)
            waiting += [(nested, f"{name}.") for nested in one.nested_type]

    def _extension(self, extension: FieldDescriptorProto, unit: _Unit) -> None:
        self.options[extension.extendee.removeprefix("."), extension.number] = unit

    def needs(self, one: Message) -> Iterator[_Unit]:
        """Yield the units of which a declaration speaks."""
        for name in _types(one):
            yield self.names[name.removeprefix(".")]
        for _, options in all_options(one):
            yield from self.of_options(options)

    def of_options(self, options: Message) -> Iterator[_Unit]:
        """Yield the extensions that options are; one that nobody declares stays a number."""
        kind = f"{OPTIONS}{options.DESCRIPTOR.name}"
        found = (self.options.get((kind, number)) for number in unknown_numbers(options))
        yield from (unit for unit in found if unit is not None)


def needed(files: Sequence[FileDescriptorProto], name: str) -> tuple[FileDescriptorProto, ...] | None:
    """Return what the message, enum or service of a full name needs, imports first; None if there is none.

    ``files`` are those of a whole set, imports first.
    """
    index = _Index.of(files)
    start = index.names.get(name.removeprefix("."))
    if start is None:
        return None
    uses = _reached(index, start)
    imports: dict[str, set[str]] = {unit.path: set() for unit in uses}
    for unit, others in uses.items():
        imports[unit.path].update(one.path for one in others)
    whole = _built_in(files, imports)
    return tuple(
        file if file.name in whole else _cut(file, uses.keys(), imports[file.name])
        for file in files
        if file.name in imports or file.name in whole
    )


def _built_in(files: Sequence[FileDescriptorProto], wanted: Iterable[str]) -> set[str]:
    """Return the built-in files that are needed: programs have them already, and take no others."""
    found = {path for path in wanted if is_built_in(path)}
    for file in reversed(files):
        if file.name in found:
            found.update(file.dependency)
    return found


def _reached(index: _Index, start: _Unit) -> dict[_Unit, tuple[_Unit, ...]]:
    """Return what is needed, each with what it needs itself; a file brings the options of its own."""
    found: dict[_Unit, tuple[_Unit, ...]] = {}
    waiting = [start]
    while waiting:
        unit = waiting.pop()
        if unit not in found:
            found[unit] = (*index.needs(unit.declared), *index.of_options(unit.file.options))
            waiting += found[unit]
    return found


def _types(one: Message) -> Iterator[str]:
    """Yield the names of the types that a declaration and all inside it speak of."""
    for part, value in one.ListFields():
        if part.name in {"type_name", "extendee", "input_type", "output_type"}:
            yield str(value)
        elif part.message_type is not None and part.name != "options":
            for inner in value if part.is_repeated else (value,):
                yield from _types(inner)


def _cut(file: FileDescriptorProto, kept: Container[_Unit], imports: set[str]) -> FileDescriptorProto:
    made = FileDescriptorProto()
    made.CopyFrom(file)
    for part in ("dependency", "public_dependency", "weak_dependency", "option_dependency", *PARTS):
        made.ClearField(part)
    made.dependency.extend(sorted(imports - {file.name}))
    for part in PARTS:
        declared = enumerate(getattr(file, part))
        getattr(made, part).extend(one for at, one in declared if _Unit(file.name, part, at, file) in kept)
    return made
