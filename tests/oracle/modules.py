"""Random Protobuf modules and edits of them, for comparing our findings with Buf's."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

SYNTAXES = ('syntax = "proto2";', 'syntax = "proto3";', 'syntax = "proto3";', 'edition = "2023";')
SIGNED = ("int32", "int64", "sint32", "sint64", "sfixed32", "sfixed64")
SCALARS = (*SIGNED, "uint32", "uint64", "fixed32", "fixed64", "bool", "string", "bytes", "float", "double")
KEYS = ("string", "int32", "int64", "bool")
NAMES = ("alpha", "beta", "gamma", "delta_x", "omega", "kappa_2", "sigma")
MEMBERS = 6


@dataclass
class FieldText:
    """A field: ``label`` is a word of the language or empty, ``oneof`` the name of the oneof it is in."""

    name: str
    number: int
    type: str
    label: str = ""
    oneof: str = ""
    options: dict[str, str] = field(default_factory=dict)

    def line(self) -> str:
        """The declaration."""
        options = ", ".join(f"{name} = {value}" for name, value in self.options.items())
        label = f"{self.label} " if self.label else ""
        return f"{label}{self.type} {self.name} = {self.number}{f' [{options}]' if options else ''};"


@dataclass
class EnumText:
    """An enum; values are names and numbers in order."""

    name: str
    values: list[tuple[str, int]]
    reserved: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The declaration, line by line."""
        numbers = [number for _, number in self.values]
        options = dict(self.options)
        if len(set(numbers)) < len(numbers):
            options["allow_alias"] = "true"
        inner = [f"option {name} = {value};" for name, value in options.items()]
        inner += [f"reserved {what};" for what in self.reserved]
        inner += [f"{name} = {number};" for name, number in self.values]
        return block(f"enum {self.name}", inner)


@dataclass
class MessageText:
    """A message."""

    name: str
    fields: list[FieldText] = field(default_factory=list)
    messages: list[MessageText] = field(default_factory=list)
    enums: list[EnumText] = field(default_factory=list)
    reserved: list[str] = field(default_factory=list)
    extensions: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The declaration, line by line."""
        inner = [f"option {name} = {value};" for name, value in self.options.items()]
        inner += [f"reserved {what};" for what in self.reserved]
        inner += [f"extensions {what};" for what in self.extensions]
        for message in self.messages:
            inner += message.lines()
        for enum in self.enums:
            inner += enum.lines()
        for name in dict.fromkeys(one.oneof for one in self.fields):
            lines = [one.line() for one in self.fields if one.oneof == name]
            inner += block(f"oneof {name}", lines) if name else lines
        return block(f"message {self.name}", inner)


@dataclass
class ServiceText:
    """A service; methods by name, each the text behind it."""

    name: str
    methods: dict[str, str]

    def lines(self) -> list[str]:
        """The declaration, line by line."""
        return block(f"service {self.name}", [f"rpc {name}{rest}" for name, rest in self.methods.items()])


@dataclass
class FileText:
    """A file."""

    path: str
    syntax: str
    package: str
    imports: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    messages: list[MessageText] = field(default_factory=list)
    enums: list[EnumText] = field(default_factory=list)
    services: list[ServiceText] = field(default_factory=list)
    extends: dict[str, list[FieldText]] = field(default_factory=dict)

    def text(self) -> str:
        """The whole file."""
        lines = [self.syntax, f"package {self.package};"]
        lines += [f'import "{path}";' for path in self.imports]
        lines += [f"option {name} = {value};" for name, value in self.options.items()]
        held: list[MessageText | EnumText | ServiceText] = [*self.messages, *self.enums, *self.services]
        for one in held:
            lines += one.lines()
        for name, fields in self.extends.items():
            lines += block(f"extend {name}", [one.line() for one in fields]) if fields else []
        return "\n".join(lines) + "\n"


@dataclass
class Module:
    """Files that belong together, under a folder of their own."""

    files: list[FileText]

    def texts(self) -> dict[str, str]:
        """The files by path."""
        return {file.path: file.text() for file in self.files}

    def messages(self) -> list[MessageText]:
        """Every message, nested ones too."""
        found = [message for file in self.files for message in file.messages]
        for message in found:
            found += message.messages
        return found

    def enums(self) -> list[EnumText]:
        """Every enum, nested ones too."""
        nested = [enum for message in self.messages() for enum in message.enums]
        return [*(enum for file in self.files for enum in file.enums), *nested]

    def copied(self) -> Module:
        """A copy to edit."""
        return copy.deepcopy(self)


def block(head: str, inner: list[str]) -> list[str]:
    """A declaration with what is inside, one element a line."""
    return [f"{head} {{", *(f"  {line}" for line in inner), "}"]


class Maker:
    """Makes modules at random; ``number`` keeps their names apart."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.folder = f"g{number}"
        self.syntax = random.choice(SYNTAXES)

    def module(self) -> Module:
        """A module of one to three files."""
        files: list[FileText] = []
        for index in range(self.random.choice((1, 1, 2, 3))):
            package = self.random.choice((self.folder, self.folder, f"{self.folder}.sub"))
            syntax = self.syntax if self.random.random() < 0.8 else self.random.choice(SYNTAXES)
            file = FileText(f"{self.folder}/f{index}.proto", syntax, package)
            file.imports = [one.path for one in files]
            types = [f".{one.package}.{message.name}" for one in files for message in one.messages]
            self._fill(file, index, types)
            files.append(file)
        return Module(files)

    def _fill(self, file: FileText, index: int, types: list[str]) -> None:
        file.enums = [self.enum(f"E{index}{letter}") for letter in "AB"[: self.random.randint(0, 2)]]
        known = [*types, *(one.name for one in file.enums)]
        for letter in "MNO"[: self.random.randint(1, 3)]:
            file.messages.append(self.message(f"{letter}{index}", file.syntax, known))
            known.append(file.messages[-1].name)
        if self.random.random() < 0.4:
            methods = {
                name: self.method(file) for name in ("Get", "Put", "List")[: self.random.randint(1, 3)]
            }
            file.services.append(ServiceText(f"S{index}", methods))
        open_ = [one for one in file.messages if one.extensions]
        if open_:
            file.extends[open_[0].name] = [
                self.field(file.syntax, f"ext{index}_{number}", number, known) for number in (100, 101)
            ]
            for one in file.extends[open_[0].name]:
                one.label = "" if file.syntax.startswith("edition") else "optional"

    def enum(self, name: str) -> EnumText:
        """An enum whose first value is zero."""
        numbers = self.random.sample(range(1, 9), self.random.randint(1, 4))
        return EnumText(name, [(f"{name}_V{number}", number) for number in (0, *numbers)], ["20 to 29"])

    def method(self, file: FileText) -> str:
        """What stands behind the name of a method."""
        one, other = self.random.choice(file.messages).name, self.random.choice(file.messages).name
        flows = self.random.choice((("", ""), ("stream ", ""), ("", "stream "), ("", "")))
        options = self.random.choice((";", ";", " { option idempotency_level = NO_SIDE_EFFECTS; }"))
        return f"({flows[0]}{one}) returns ({flows[1]}{other}){options}"

    def message(self, name: str, syntax: str, known: list[str]) -> MessageText:
        """A message with fields, maybe a oneof, and nested types."""
        made = MessageText(name, reserved=["50 to 59, 70", '"gone"'])
        if self.random.random() < 0.3:
            made.enums.append(self.enum(f"{name}E"))
            known = [*known, f"{name}E"]
        if self.random.random() < 0.3:
            made.messages.append(MessageText(f"{name}In", [self.field(syntax, "inner", 1, [])]))
            known = [*known, f"{name}In"]
        for number in range(1, self.random.randint(2, MEMBERS)):
            made.fields.append(self.field(syntax, NAMES[number], number, known))
        if self.random.random() < 0.4:
            for number in (11, 12):
                made.fields.append(
                    FieldText(f"one_{number}", number, self.random.choice(SCALARS), oneof="pick")
                )
        if "proto3" not in syntax and self.random.random() < 0.3:
            made.extensions = ["100 to 199"]
        return made

    def field(self, syntax: str, name: str, number: int, known: list[str]) -> FieldText:
        """A field of any type, with a label that its syntax has."""
        if self.random.random() < 0.15:
            value = self.random.choice((*SCALARS, *known))
            return FieldText(name, number, f"map<{self.random.choice(KEYS)}, {value}>")
        made = FieldText(name, number, self.random.choice((*SCALARS, *known, *known)))
        made.label = self.label(syntax)
        return made

    def label(self, syntax: str) -> str:
        """A label that a syntax has."""
        if "proto2" in syntax:
            return self.random.choice(("optional", "optional", "required", "repeated"))
        if "proto3" in syntax:
            return self.random.choice(("", "", "optional", "repeated"))
        return self.random.choice(("", "", "repeated"))
