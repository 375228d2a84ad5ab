"""The registry's JSON answers turned into values; whatever does not fit is refused by name."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from accord.client.errors import RegistryUnreadable
from accord.client.records import CheckAnswer, Registered, RemoteVersion
from accord.model import Format, Reference, SchemaText
from accord.naming import split_subject

if TYPE_CHECKING:
    from accord.client.transport import Json

Value = TypeVar("Value")
Word = TypeVar("Word", bound=StrEnum)


class Answer:
    """One JSON answer and the address it came from, read member by member.

    Every method raises `RegistryUnreadable` when the member is missing or of another type.
    """

    def __init__(self, body: Json, address: str) -> None:
        self._body = body
        self._address = address

    @property
    def is_nothing(self) -> bool:
        """True where there was no body, as after a deletion."""
        return self._body is None

    def integers(self) -> list[int]:
        """The answer as a list of integers."""
        return [self._typed(item, int, "a list of integers") for item in self._items()]

    def strings(self) -> list[str]:
        """The answer as a list of strings."""
        return [self._typed(item, str, "a list of strings") for item in self._items()]

    def integer(self) -> int:
        """The answer as a bare integer."""
        return self._typed(self._body, int, "an integer")

    def string(self, name: str) -> str:
        """The member ``name`` as a string."""
        return self._typed(self._member(name), str, f"{name!r} as a string")

    def text(self) -> str:
        """The answer as a bare string."""
        return self._typed(self._body, str, "a string")

    def truth(self, name: str) -> bool:
        """The member ``name`` as a boolean."""
        return self._typed(self._member(name), bool, f"{name!r} as a boolean")

    def one_of(self, name: str, words: type[Word]) -> Word:
        """The member ``name`` as one of certain words."""
        try:
            return words(self.string(name))
        except ValueError as problem:
            raise self._unreadable(f"{name!r} as one of {', '.join(words)}") from problem

    def at(self, name: str) -> Answer | None:
        """The member ``name`` as an answer of its own; None where it is null or missing."""
        inner = self._member(name)
        return None if inner is None else Answer(inner, self._address)

    def inside(self, name: str) -> Answer:
        """The member ``name`` as an answer of its own, which must be there."""
        inner = self.at(name)
        if inner is None:
            raise self._unreadable(f"{name!r}")
        return inner

    def each(self) -> list[Answer]:
        """The items of the answer, each as an answer of its own."""
        return [Answer(item, self._address) for item in self._items()]

    @property
    def body(self) -> Json:
        """The answer as it came."""
        return self._body

    def document(self) -> dict[str, Json]:
        """The answer as the object it is."""
        return self._typed(self._body, dict, "an object")

    def registered(self) -> Registered:
        """The answer to a registration."""
        version = self._member("version")
        return Registered(
            self._integer("id"), version if isinstance(version, int) and version > 0 else None, self._guid()
        )

    def version(self) -> RemoteVersion:
        """The answer to a read or look-up of one version."""
        return RemoteVersion(
            subject=split_subject(self.string("subject")),
            number=self._integer("version"),
            id=self._integer("id"),
            schema=self.schema(),
            guid=self._guid(),
            metadata=self._member("metadata"),
            rule_set=self._member("ruleSet"),
        )

    def schema(self) -> SchemaText:
        """The schema inside the answer: text, format (Avro when not told) and references."""
        return SchemaText(self._format(), self.string("schema"), self._references())

    def check(self) -> CheckAnswer:
        """The answer to a compatibility check."""
        messages = self._member("messages")
        texts = [one for one in messages if isinstance(one, str)] if isinstance(messages, list) else []
        return CheckAnswer(self.truth("is_compatible"), tuple(texts))

    def _format(self) -> Format:
        name = self._typed(self._member("schemaType") or Format.AVRO, str, "'schemaType' as a string")
        try:
            return Format(name)
        except ValueError as problem:
            raise self._unreadable("a known 'schemaType'") from problem

    def _references(self) -> tuple[Reference, ...]:
        entries = self._member("references") or []
        return tuple(
            Answer(one, self._address).reference()
            for one in self._typed(entries, list, "'references' as a list")
        )

    def reference(self) -> Reference:
        """The answer as one entry of a reference list."""
        return Reference(self.string("name"), self.string("subject"), self._integer("version"))

    def uuid(self, name: str) -> UUID:
        """The member ``name`` as a UUID."""
        try:
            return UUID(self.string(name))
        except ValueError as problem:
            raise self._unreadable(f"{name!r} as a UUID") from problem

    def _guid(self) -> UUID | None:
        return self.uuid("guid") if isinstance(self._member("guid"), str) else None

    def _integer(self, name: str) -> int:
        return self._typed(self._member(name), int, f"{name!r} as an integer")

    def _member(self, name: str) -> Json:
        return self.document().get(name)

    def _items(self) -> list[Json]:
        return self._typed(self._body, list, "a list")

    def _typed(self, value: Json, kind: type[Value], expected: str) -> Value:
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self._unreadable(expected)
        return value

    def _unreadable(self, expected: str) -> RegistryUnreadable:
        return RegistryUnreadable(address=self._address, details=f"expected {expected}")
