"""Random edits of Protobuf modules. One that the compiler refuses is thrown away by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.oracle.modules import (
    KEYS,
    SCALARS,
    SYNTAXES,
    EnumText,
    FieldText,
    FileText,
    Maker,
    MessageText,
    Module,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

FILE_OPTIONS = {
    "cc_enable_arenas": ("true", "false"),
    "cc_generic_services": ("true", "false"),
    "csharp_namespace": ('"A"', '"B"'),
    "go_package": ('"example.com/a"', '"example.com/b"'),
    "java_generic_services": ("true", "false"),
    "java_multiple_files": ("true", "false"),
    "java_outer_classname": ('"AProto"', '"BProto"'),
    "java_package": ('"com.a"', '"com.b"'),
    "java_string_check_utf8": ("true", "false"),
    "objc_class_prefix": ('"AAX"', '"BBX"'),
    "optimize_for": ("SPEED", "CODE_SIZE"),
    "php_class_prefix": ('"A"', '"B"'),
    "php_metadata_namespace": ('"A"', '"B"'),
    "php_namespace": ('"A"', '"B"'),
    "py_generic_services": ("true", "false"),
    "ruby_package": ('"A"', '"B"'),
    "swift_prefix": ('"A"', '"B"'),
}
FIELD_OPTIONS = {
    "jstype": ("JS_STRING", "JS_NUMBER"),
    "ctype": ("CORD", "STRING_PIECE", "STRING"),
    "packed": ("true", "false"),
    "deprecated": ("true",),
    "json_name": ('"jsonA"', '"jsonB"'),
    "default": ("1", "2", "true", '"x"', "-0.0", "nan", "E0A_V0"),
    "features.field_presence": ("IMPLICIT", "LEGACY_REQUIRED", "EXPLICIT"),
    "features.message_encoding": ("DELIMITED",),
    "features.utf8_validation": ("NONE",),
    "features.repeated_field_encoding": ("EXPANDED",),
}
RANGES = (
    "50 to 59",
    "50 to 54, 55 to 59, 70",
    "55 to 59",
    "40 to 80",
    '"gone"',
    '"gone", "more"',
    "2",
    '"beta"',
)


class Editor:
    """Edits a module in place, a few times."""

    def __init__(self, random: Random, maker: Maker) -> None:
        self.random = random
        self.maker = maker

    def edit(self, module: Module) -> None:
        """Make one edit."""
        edits: tuple[Callable[[Module], None], ...] = (
            *(self.on_field,) * 8,
            *(self.on_message,) * 4,
            *(self.on_enum,) * 4,
            *(self.on_file,) * 3,
            self.on_service,
            self.on_extension,
        )
        if module.messages():
            self.random.choice(edits)(module)

    def on_field(self, module: Module) -> None:
        """Change, add or delete a field."""
        message = self.random.choice(module.messages())
        if not message.fields or self.random.random() < 0.1:
            number = self.random.choice((1, 2, 9, 50, 70))
            message.fields.append(self.maker.field(self.maker.syntax, f"new_{number}", number, []))
            return
        field = self.random.choice(message.fields)
        edits = (self.retype, self.relabel, self.rename, self.renumber, self.reoption, self.move)
        if self.random.random() < 0.15:
            message.fields.remove(field)
            message.reserved += self.random.choice(([], [str(field.number)], [f'"{field.name}"']))
        else:
            self.random.choice(edits)(field, message)

    def retype(self, field: FieldText, message: MessageText) -> None:
        """Give another type."""
        types = [*SCALARS, *SCALARS, *_names(message), message.name]
        value = self.random.choice(types)
        is_map = not field.oneof and self.random.random() < 0.15
        field.type = f"map<{self.random.choice(KEYS)}, {value}>" if is_map else value
        if is_map:
            field.label = ""

    def relabel(self, field: FieldText, _message: MessageText) -> None:
        """Give another label."""
        if not field.oneof:
            field.label = self.maker.label(self.maker.syntax)

    def rename(self, field: FieldText, _message: MessageText) -> None:
        """Give another name."""
        field.name = self.random.choice(("renamed", field.name.upper(), "beta"))

    def renumber(self, field: FieldText, _message: MessageText) -> None:
        """Give another number."""
        field.number = self.random.choice((1, 2, 3, 31, 51))

    def reoption(self, field: FieldText, _message: MessageText) -> None:
        """Set or drop an option."""
        name = self.random.choice(list(FIELD_OPTIONS))
        if name in field.options:
            del field.options[name]
        else:
            field.options[name] = self.random.choice(FIELD_OPTIONS[name])

    def move(self, field: FieldText, _message: MessageText) -> None:
        """Move into, out of or between oneofs."""
        field.oneof = self.random.choice(("", "pick", "other"))
        if field.oneof:
            field.label = ""

    def on_message(self, module: Module) -> None:
        """Change what a message reserves or holds, or move or delete it."""
        message = self.random.choice(module.messages())
        what = self.random.randint(0, 6)
        if what == 0:
            message.reserved = self.random.sample(RANGES, 2)
        elif what == 1:
            message.extensions = [self.random.choice(("100 to 150", "100 to 119, 120 to 199", "100 to max"))]
        elif what == 2:
            message.options = self.random.choice(
                ({"no_standard_descriptor_accessor": "true"}, {}, {"deprecated": "true"})
            )
        elif what == 3:
            message.options = {"features.json_format": self.random.choice(("ALLOW", "LEGACY_BEST_EFFORT"))}
        elif what == 4 and (message.messages or message.enums):
            self.random.choice([one for one in (message.messages, message.enums) if one]).pop()
        elif what == 5:
            message.name = f"{message.name}X"
        else:
            self.relocate(module)

    def relocate(self, module: Module) -> None:
        """Move a declaration of the top level to another file, or delete it."""
        file, other = self.random.choice(module.files), self.random.choice(module.files)
        kind = self.random.choice(("messages", "enums", "services"))
        held = getattr(file, kind)
        if held:
            one = held.pop(self.random.randrange(len(held)))
            if self.random.random() < 0.6:
                getattr(other, kind).append(one)

    def on_enum(self, module: Module) -> None:
        """Change the values or reservations of an enum."""
        enums = [one for one in module.enums() if one.values]
        if not enums:
            return
        enum = self.random.choice(enums)
        what = self.random.randint(0, 6)
        at = self.random.randrange(len(enum.values))
        name, number = enum.values[at]
        if what == 0:
            enum.values.pop(at)
            enum.reserved += self.random.choice(([], [str(number)], [f'"{name}"']))
        elif what == 1:
            enum.values[at] = (f"{name}_NEW", number)
        elif what == 2:
            enum.values[at] = (name, self.random.choice((0, 3, 30)))
        elif what == 3:
            enum.values.append((f"{name}_ALIAS", number))
        elif what == 4:
            enum.reserved = [self.random.choice(("20 to 29", "21 to 29", "20 to 24, 25 to 29", "30 to max"))]
        elif what == 5:
            features = ("enum_type", ("CLOSED", "OPEN")), ("json_format", ("ALLOW", "LEGACY_BEST_EFFORT"))
            feature, values = self.random.choice(features)
            enum.options = {f"features.{feature}": self.random.choice(values)}
        else:
            self._shuffle(enum)

    def _shuffle(self, enum: EnumText) -> None:
        self.random.shuffle(enum.values)

    def on_file(self, module: Module) -> None:
        """Change the options, syntax, package or the very being of a file."""
        file = self.random.choice(module.files)
        what = self.random.randint(0, 9)
        if what == 0:
            self._resyntax(file)
        elif what == 1:
            file.package = f"{file.package}x"
        elif what == 2 and len(module.files) > 1:
            module.files.remove(file)
        elif what == 3:
            file.path = file.path.replace("/f", "/moved")
        else:
            name = self.random.choice(list(FILE_OPTIONS))
            if name in file.options and self.random.random() < 0.5:
                del file.options[name]
            else:
                file.options[name] = self.random.choice(FILE_OPTIONS[name])

    def _resyntax(self, file: FileText) -> None:
        file.syntax = self.random.choice((*SYNTAXES, 'edition = "2024";'))

    def on_service(self, module: Module) -> None:
        """Change, add or delete a method."""
        files = [file for file in module.files if file.services and file.messages]
        if not files:
            return
        file = self.random.choice(files)
        methods = self.random.choice(file.services).methods
        name = self.random.choice(("Get", "Put", "New"))
        if name in methods and self.random.random() < 0.4:
            del methods[name]
        else:
            methods[name] = self.maker.method(file)

    def on_extension(self, module: Module) -> None:
        """Change or delete an extension."""
        fields = [fields for file in module.files for fields in file.extends.values() if fields]
        if not fields:
            return
        held = self.random.choice(fields)
        field = self.random.choice(held)
        match self.random.randint(0, 3):
            case 0:
                held.remove(field)
            case 1:
                field.type = self.random.choice(SCALARS)
            case 2:
                field.name = f"{field.name}x"
            case _:
                self.reoption(field, MessageText(""))


def _names(message: MessageText) -> list[str]:
    return [*(one.name for one in message.messages), *(one.name for one in message.enums)]
