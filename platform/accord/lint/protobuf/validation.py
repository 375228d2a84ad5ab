"""The options of protovalidate, read by the names that ``buf/validate/validate.proto`` gives them.

That file belongs to whoever imports it and is read as it is given. Whatever in it is not of the type that
protovalidate declares counts as not set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from accord.formats.protobuf.descriptors import Message as Value
from accord.formats.protobuf.descriptors import OptionReader
from accord.formats.protobuf.model import Message
from accord.formats.protobuf.places import Place
from accord.lint.hits import Hit
from accord.lint.protobuf.sites import file_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from accord.formats.protobuf.descriptors import FieldDescriptor
    from accord.formats.protobuf.fields import Field
    from accord.formats.protobuf.model import File, FileSet, Steps

    Holder: TypeAlias = Message | Field

FILE: Final = "buf/validate/validate.proto"
FIELD: Final = "buf.validate.field"
MESSAGE: Final = "buf.validate.message"
MESSAGE_OPTIONS, FIELD_OPTIONS = 7, 8


class Rules:
    """The members of one message of rules that are set.

    ``node`` is the declaration they are about, ``steps`` the way to them behind its options, and ``name`` the
    same as a text spells it.
    """

    def __init__(self, node: Holder, value: Value, steps: Steps, name: str) -> None:
        self.node = node
        self.name = name
        self._steps = steps
        self._members: dict[str, tuple[FieldDescriptor, object]] = {
            f"({field.full_name})" if field.is_extension else field.name: (field, held)
            for field, held in value.ListFields()
        }

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def inner(self, name: str) -> Rules | None:
        """Return a member that is a message of its own."""
        held = self._value(name)
        return self._inner(name, held) if isinstance(held, Value) else None

    def inners(self, name: str) -> list[Rules]:
        """Return the messages of a member that is a list of them."""
        found = enumerate(self.values(name))
        return [self._inner(name, one, at) for at, one in found if isinstance(one, Value)]

    def number(self, name: str) -> float | None:
        """Return a number; true and false are none."""
        held = self._value(name)
        return held if isinstance(held, (int, float)) and not isinstance(held, bool) else None

    def text(self, name: str) -> str | bytes | None:
        """Return a text, or bytes where the field takes bytes."""
        held = self._value(name)
        return held if isinstance(held, (str, bytes)) else None

    def flag(self, name: str) -> bool | None:
        """Return whether a member is true or false, None where nothing is said."""
        held = self._value(name)
        return held if isinstance(held, bool) else None

    def word(self, name: str) -> str:
        """Return the name of an enum value; empty where there is none."""
        field, held = self._members.get(name, (None, None))
        kind = field.enum_type if field is not None else None
        value = kind.values_by_number.get(held) if kind is not None and isinstance(held, int) else None
        return "" if value is None else str(value.name)

    def values(self, name: str) -> list[object]:
        """Return the elements of a member that is a list."""
        held = self._value(name)
        is_list = name in self._members and self._members[name][0].is_repeated
        return list(held) if is_list else []  # type: ignore[call-overload]  # what protobuf holds

    def spelled(self, name: str) -> str:
        """Return a member as a text spells it."""
        return f"{self.name}.{name}"

    def hit(self, name: str, message: str) -> Hit:
        """Return a hit at a member that is set."""
        field, held = self._members[name]
        return self._hit((*self._steps, field.number, *_first(field, held)), self.spelled(name), message)

    def on_all(self, message: str) -> Hit:
        """Return a hit at the message of rules itself."""
        return self._hit(self._steps, self.name, message)

    def _hit(self, steps: Steps, name: str, message: str) -> Hit:
        options = MESSAGE_OPTIONS if isinstance(self.node, Message) else FIELD_OPTIONS
        place = Place(file_of(self.node), (*self.node.steps, options, *steps))
        return Hit(message, (*self.node.at, name), place)

    def _value(self, name: str) -> object:
        return self._members.get(name, (None, None))[1]

    def _inner(self, name: str, held: Value, *at: int) -> Rules:
        steps = (*self._steps, self._members[name][0].number, *at)
        return Rules(self.node, held, steps, self.spelled(name))


def _first(field: FieldDescriptor, held: object) -> Steps:
    """Return the way to what a member says first: a text may name that, and nothing around it."""
    if field.is_repeated:
        return (0,)
    inner = held.ListFields()[:1] if isinstance(held, Value) else []
    return (inner[0][0].number, *_first(*inner[0])) if inner else ()


class Reads(Protocol):
    """Says what protovalidate's option on a declaration holds."""

    def __call__(self, node: Holder) -> Rules | None:
        """Return the rules of a message or field; None where it has none."""
        ...


def reader_of(files: FileSet) -> Reads | None:
    """Return what reads the options of files; None where none of them can have any."""
    if FILE not in files.by_path:
        return None
    reader = OptionReader(file.proto for file in _needed(files, FILE))

    def read(node: Holder) -> Rules | None:
        if not node.proto.HasField("options"):
            return None
        wanted = MESSAGE if isinstance(node, Message) else FIELD
        for option, held in reader.read(node.proto.options):
            if option.is_extension and option.full_name == wanted and isinstance(held, Value):
                return Rules(node, held, (option.number,), f"({wanted})")
        return None

    return read


def _needed(files: FileSet, path: str) -> Iterator[File]:
    """Yield a file and what it imports, each behind its own imports."""
    seen: set[str] = set()
    waiting = [(path, False)]
    while waiting:
        one, is_ready = waiting.pop()
        if is_ready:
            yield files.by_path[one]
        elif one not in seen:
            seen.add(one)
            waiting.append((one, True))
            waiting += ((inner, False) for inner in files.by_path[one].proto.dependency)
