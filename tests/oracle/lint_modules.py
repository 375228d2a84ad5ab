"""Random Protobuf modules that keep and break lint rules, for comparing our findings with Buf's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.modules import block

if TYPE_CHECKING:
    from random import Random

SYNTAXES = ('syntax = "proto2";', 'syntax = "proto3";', 'syntax = "proto3";', 'edition = "2023";', "")
WORDS = (
    "user",
    "id",
    "HTTP",
    "list",
    "IPv4",
    "a1",
    "v2",
    "fooBAR",
    "x",
    "server2",
    "Acme",
    "y9z",
    "iOS",
    "API",
)
SCALARS = ("int32", "string", "bool", "bytes", "double")
VERSIONS = ("v1", "v1", "v1", "v2beta1", "v0", "v1alpha", "v1p1beta2", "v1testing", "v1p1", "vv1", "")
OPTIONS = {
    "go_package": ('"example.com/a"', '"example.com/b"'),
    "java_package": ('"com.a"', '"com.b"'),
    "java_multiple_files": ("true", "false"),
    "csharp_namespace": ('"A"', '"B"'),
    "php_namespace": ('"A"', '"B"'),
    "ruby_package": ('"A"', '"B"'),
    "swift_prefix": ('"A"', '"B"'),
}
EMPTY = "google.protobuf.Empty"
ANY = "google/protobuf/any.proto"
# COMMENT_ENUM_VALUE is not among them: Buf silences COMMENT_ENUM by it, since it compares prefixes.
SILENCED = (
    "COMMENT_FIELD",
    "COMMENT_ENUM",
    "COMMENT_MESSAGE",
    "FIELD_LOWER_SNAKE_CASE",
    "ENUM_VALUE_PREFIX",
    "ENUM_VALUE_UPPER_SNAKE_CASE",
    "RPC_REQUEST_STANDARD_NAME",
    "RPC_REQUEST_RESPONSE_UNIQUE",
    "MESSAGE_PASCAL_CASE",
    "PACKAGE_SAME_GO_PACKAGE",
    "PACKAGE_VERSION_SUFFIX",
    "PACKAGE_DIRECTORY_MATCH",
    "IMPORT_USED",
    "ENUM_NO_ALLOW_ALIAS",
)


class LintMaker:
    """Makes modules at random; ``number`` keeps their names apart."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.number = number
        self.folder = f"g{number}"
        self.count = 0

    def texts(self) -> dict[str, str]:
        """A module of one to four files, by path."""
        made: dict[str, str] = {}
        types: dict[str, str] = {}
        packages = [self.package() for _ in range(self.random.choice((1, 1, 2, 3)))]
        for index in range(self.random.choice((1, 1, 2, 3, 4))):
            package = self.random.choice(packages)
            path = f"{self.place(package)}/{self.file_name(index)}"
            made[path] = self.file(package, types, path)
        return made

    def is_so(self, chance: float) -> bool:
        """Tell true in so many cases."""
        return self.random.random() < chance

    def package(self) -> str:
        """A package, well named or not, or none."""
        if self.is_so(0.03):
            return ""
        middle = self.random.choice(("shop", "shop", "Shop", "shopItem", "shop_item"))
        return ".".join(one for one in (self.folder, middle, self.random.choice(VERSIONS)) if one)

    def place(self, package: str) -> str:
        """The folder of a file of a package: mostly where it belongs."""
        if not package or self.is_so(0.15):
            return f"{self.folder}/{self.random.choice(('other', 'shop/v1'))}"
        return package.replace(".", "/")

    def file_name(self, index: int) -> str:
        """The name of a file."""
        return f"{self.random.choice(('file', 'file', 'someFile', 'some-file', 'some.file'))}{index}.proto"

    def name(self, style: str) -> str:
        """A name that nothing else in the module has, mostly in the style that it should have."""
        self.count += 1
        words = [*self.random.sample(WORDS, self.random.choice((1, 1, 2, 3))), f"n{self.number}x{self.count}"]
        if self.is_so(0.2):
            style = self.random.choice(("snake", "pascal", "upper", "camel", "raw", "tail"))
        match style:
            case "snake":
                return "_".join(words).lower()
            case "upper":
                return "_".join(words).upper()
            case "pascal":
                return "".join(word[0].upper() + word[1:] for word in words)
            case "camel":
                return words[0] + "".join(word[0].upper() + word[1:] for word in words[1:])
            case "tail":
                return f"{'_'.join(words)}_"
        return "_".join(words)

    def said(self) -> list[str]:
        """What stands in front of a declaration."""
        rule = self.random.choice(SILENCED)
        return self.random.choice(
            (
                ["// Says something."],
                ["// Says something."],
                ["/* Says", " * more. */"],
                [],
                ["// Detached.", ""],
                [f"// buf:lint:ignore {rule}"],
                [f"// buf:lint:ignore {rule} for a reason", "// Says something."],
                [f"//buf:lint:ignore {rule}"],
                ["//", "//   "],
                [f"// mentions buf:lint:ignore {rule}"],
            )
        )

    def file(self, package: str, types: dict[str, str], path: str) -> str:
        """One file, which may use the types of those before it."""
        syntax = self.random.choice(SYNTAXES)
        lines = [*self.said(), syntax] if syntax else []
        lines += [*self.said(), f"package {package};"] if package else []
        inner = self.body(package, types, syntax or "proto2")
        text = "\n".join(inner)
        used = dict.fromkeys(place for name, place in types.items() if f".{name}" in text)
        unused = [place for place in sorted(set(types.values()) - used.keys()) if self.is_so(0.2)]
        imports = [*used, *unused]
        imports += ["google/protobuf/empty.proto"] if EMPTY in text else []
        imports += [ANY] if self.is_so(0.1) else []
        for one in imports:
            kind = self.random.choice(("", "", "", "", "", "public ", "weak "))
            lines += [*self.said(), f'import {kind}"{one}";']
        for option, values in OPTIONS.items():
            if self.is_so(0.2):
                lines += [*self.said(), f"option {option} = {self.random.choice(values)};"]
        for name in self.declared:
            types[f"{package}.{name}".strip(".")] = path
        return "\n".join([*lines, *inner, ""])

    def body(self, package: str, types: dict[str, str], syntax: str) -> list[str]:
        """The declarations of a file."""
        self.declared: list[str] = []
        known = [f".{name}" for name in types]
        lines: list[str] = []
        for _ in range(self.random.randint(0, 2)):
            lines += [*self.said(), *self.enum(syntax)]
        for _ in range(self.random.randint(1, 3)):
            name = self.name("pascal")
            lines += [*self.said(), *self.message(name, known, syntax)]
            self.declared.append(name)
            known.append(f".{package}.{name}" if package else f".{name}")
        if self.is_so(0.5):
            lines += [*self.said(), *self.service(known)]
        if "proto3" not in syntax and self.is_so(0.3):
            name = self.name("pascal")
            lines += block(f"message {name}", ["extensions 100 to 200;"])
            label = "optional " if "proto2" in syntax else ""
            inner = [*self.said(), f"{label}int32 {self.name('snake')} = 100;"]
            lines += [*self.said(), *block(f"extend {name}", inner)]
        return lines

    def enum(self, syntax: str) -> list[str]:
        """An enum with a value zero, which may have an alias or come late."""
        name = self.name("pascal")
        prefix = self.random.choice(
            (name.upper(), "_".join(_parts(name)).upper(), f"OTHER{self.number}X{self.count}")
        )
        zero = self.random.choice(("UNSPECIFIED", "UNSPECIFIED", "UNKNOWN", "NONE"))
        values = [(f"{prefix}_{zero}", 0), (f"{prefix}_{self.name('upper')}", 1)]
        if "proto2" in syntax and self.is_so(0.2):
            values.reverse()
        inner: list[str] = []
        if self.is_so(0.2):
            inner += [*self.said(), "option allow_alias = true;"]
            values.append((f"{prefix}_{self.name('upper')}", self.random.choice((0, 1))))
        for value, number in values:
            inner += [*self.said(), f"{value} = {number};"]
        return block(f"enum {name}", inner)

    def message(self, name: str, known: list[str], syntax: str, depth: int = 0) -> list[str]:
        """A message with fields, maybe a map, a oneof, a group and nested types."""
        inner: list[str] = []
        for number in range(1, self.random.randint(2, 5)):
            inner += [*self.said(), self.field(number, known, syntax)]
        if self.is_so(0.2):
            inner += [*self.said(), f"map<string, int32> {self.name('snake')} = 20;"]
        if self.is_so(0.3):
            held = [*self.said(), f"int32 {self.name('snake')} = 21;", *self.said()]
            held.append(f"string {self.name('snake')} = 22;")
            inner += [*self.said(), *block(f"oneof {self.name('snake')}", held)]
        if "proto2" in syntax and self.is_so(0.3):
            group = self.name("pascal")
            held = [*self.said(), f"optional int32 {self.name('snake')} = 1;"]
            inner += [*self.said(), *block(f"optional group {group[0].upper()}{group[1:]} = 23", held)]
        if depth == 0 and self.is_so(0.3):
            inner += [*self.said(), *self.enum(syntax)]
        if depth == 0 and self.is_so(0.3):
            inner += [*self.said(), *self.message(self.name("pascal"), known, syntax, depth=1)]
        return block(f"message {name}", inner)

    def field(self, number: int, known: list[str], syntax: str) -> str:
        """A field of any type, with a label that its syntax has."""
        type_ = self.random.choice((*SCALARS, *known))
        label, rest = "", ""
        if "proto2" in syntax:
            label = self.random.choice(("optional ", "optional ", "required ", "repeated "))
        elif "proto3" in syntax:
            label = self.random.choice(("", "", "optional ", "repeated "))
        elif self.is_so(0.2):
            rest = " [features.field_presence = LEGACY_REQUIRED]"
        return f"{label}{type_} {self.name('snake')} = {number}{rest};"

    def service(self, known: list[str]) -> list[str]:
        """A service whose methods use messages as they come, at times those of the right name."""
        name = self.name("pascal") + self.random.choice(("Service", "Service", "API"))
        lines: list[str] = []
        inner: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            method = self.name("pascal")
            sides = [self.side(method, known, suffix, lines) for suffix in ("Request", "Response")]
            flows = self.random.choice((("", ""), ("", ""), ("stream ", ""), ("", "stream ")))
            takes, gives = (f"({flow}{side})" for flow, side in zip(flows, sides, strict=True))
            inner += [*self.said(), f"rpc {method}{takes} returns {gives};"]
        return [*lines, *block(f"service {name}", inner)]

    def side(self, method: str, known: list[str], suffix: str, lines: list[str]) -> str:
        """The request or the response of a method; a message of its own is added to the lines."""
        if self.is_so(0.04):
            return EMPTY
        if self.is_so(0.5):
            return self.random.choice(known)
        lines += [*self.said(), f"message {method}{suffix} {{}}"]
        return f"{method}{suffix}"


def _parts(name: str) -> list[str]:
    spaced = "".join(f" {char}" if char.isupper() else char for char in name)
    return spaced.replace("_", " ").split()
