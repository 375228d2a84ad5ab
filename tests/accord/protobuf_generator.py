"""Made-up Protobuf files that compile: every kind of declaration, in all syntaxes, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache

HEADS = {
    "proto2": 'syntax = "proto2";',
    "proto3": 'syntax = "proto3";',
    "2023": 'edition = "2023";',
    "2024": 'edition = "2024";',
}
LABELS = {"proto2": ("optional ", "required ", "repeated "), "proto3": ("", "optional ", "repeated ")}
SCALARS = (
    *("int32", "int64", "uint32", "sint64", "fixed32", "sfixed64"),
    *("bool", "string", "bytes", "float", "double"),
)
KEYS = ("int32", "uint64", "bool", "string", "sfixed32")
DEFAULTS = {
    "int32": "-31",
    "string": "'it\\'s \\n \"x\"'",
    "bool": "true",
    "double": "-inf",
    "bytes": r'"\001\xff\\"',
}
COMMENTS = ("", "", "// said\n", "/* said\n * twice */\n", "\n\n// apart\n\n")
FILE_OPTIONS = (
    "option java_package = 'x' \".y\";",
    "option deprecated = true;",
    "option optimize_for = SPEED;",
)


@dataclass
class Writer:
    """One file on its way: its syntax, its chance, and the names that may be used as types."""

    chance: random.Random
    syntax: str
    package: str
    messages: list[str] = field(default_factory=list)
    enums: list[str] = field(default_factory=list)
    counter: int = 0

    def name(self, prefix: str) -> str:
        self.counter += 1
        return f"{prefix}{self.counter}"

    def often(self) -> bool:
        return self.chance.random() < 0.6

    def file(self) -> str:
        body = "".join(self.message(self.package, depth=0) for _ in range(3))
        body += self.enum(self.package) + self.service()
        options = "\n".join(self.chance.sample(FILE_OPTIONS, 2))
        return f"{HEADS[self.syntax]}\npackage {self.package};\n{options}\n{body}"

    def message(self, scope: str, *, depth: int) -> str:
        name = self.name("M")
        full = f"{scope}.{name}"
        self.messages.append(full)
        count = self.chance.randrange(3 - depth) if depth < 2 else 0
        inner = [self.message(full, depth=depth + 1) for _ in range(count)]
        inner += [self.enum(full)] if self.often() else []
        numbers = self.chance.sample(range(1, 500), 12)
        inner += [self.member(numbers[at]) for at in range(6)]
        inner.append(self.oneof(numbers[6:8]))
        inner += self.reserved() if self.often() else []
        inner += [self.group(numbers[8])] if self.syntax == "proto2" else []
        inner += self.extension(full) if self.syntax != "proto3" and self.often() else []
        self.chance.shuffle(inner)
        return f"{self.comment()}message {name} {{ {''.join(inner)} }}\n"

    def comment(self) -> str:
        return self.chance.choice(COMMENTS)

    def member(self, number: int) -> str:
        if self.often():
            return self.field(number)
        value = self.chance.choice((*SCALARS, *self.messages))
        return f"map<{self.chance.choice(KEYS)}, {self.spelled(value)}> {self.name('m')} = {number};\n"

    def field(self, number: int) -> str:
        label = self.chance.choice(LABELS.get(self.syntax, ("", "repeated ")))
        kind = self.chance.choice((*SCALARS, *self.messages, *self.enums))
        options = ["deprecated = true"] if self.often() else []
        options += [f"json_name = '{self.name('j')}'"] if self.often() else []
        has_default = kind in DEFAULTS and label in {"", "optional "} and self.syntax != "proto3"
        options += [f"default = {DEFAULTS[kind]}"] if has_default else []
        self.chance.shuffle(options)
        some = f" [{', '.join(options)}]" if options else ""
        declared = f"{label}{self.spelled(kind)} {self.name('f')}"
        spelled = number if self.often() else hex(number)
        return f"{self.comment()}{declared} = {spelled}{some}; // {number}\n"

    def oneof(self, numbers: list[int]) -> str:
        members = "".join(f"{self.chance.choice(SCALARS)} {self.name('o')} = {one};\n" for one in numbers)
        return f"{self.comment()}oneof {self.name('c')} {{ {members} }}\n"

    def group(self, number: int) -> str:
        label = self.chance.choice(("optional", "repeated"))
        return f"{label} group {self.name('G')} = {number} {{ {self.field(1)} }}\n"

    def reserved(self) -> list[str]:
        quote = "" if self.syntax.startswith("20") else self.chance.choice("'\"")
        names = ", ".join(f"{quote}{self.name('r')}{quote}" for _ in range(2))
        return ["reserved 1000, 1010 to 1020, 1030 to 1030, 100000 to max;\n", f"reserved {names};\n"]

    def extension(self, full: str) -> list[str]:
        label = "optional " if self.syntax == "proto2" else ""
        added = f"{label}int32 {self.name('x')} = 2001; repeated string {self.name('x')} = 2002;"
        return ["extensions 2000 to 2100, 3000;\n", f"extend {self.spelled(full)} {{ {added} }}\n"]

    def enum(self, scope: str) -> str:
        name = self.name("E")
        self.enums.append(f"{scope}.{name}")
        values = "".join(f"{self.name('V')} = {number};\n" for number in (0, 7, -3))
        alias = f"option allow_alias = true; {self.name('V')} = 7 [deprecated = true];\n"
        return f"{self.comment()}enum {name} {{ {values} {alias} reserved 20 to 22, -9 to -5, 100; }}\n"

    def service(self) -> str:
        one, other = self.spelled(self.messages[0]), self.spelled(self.messages[-1])
        body = "{ option idempotency_level = IDEMPOTENT; }"
        calls = f"rpc {self.name('Do')} ({one}) returns (stream {other});\n"
        calls += f"rpc {self.name('Do')} (stream {other}) returns ({one}) {body}\n"
        return f"service {self.name('S')} {{ option deprecated = true; {calls} }}\n"

    def spelled(self, name: str) -> str:
        """A type as somebody may write it: in full with or without the dot."""
        return f".{name}" if "." in name and self.often() else name


def generated(seed: int, syntax: str) -> str:
    """One file of a package of its own."""
    return Writer(random.Random(f"{seed}{syntax}"), syntax, f"gen{seed}.p{syntax}").file()


@cache
def generated_files(count: int) -> dict[str, str]:
    """Files of all syntaxes by path."""
    return {f"{syntax}/{seed}.proto": generated(seed, syntax) for seed in range(count) for syntax in HEADS}
