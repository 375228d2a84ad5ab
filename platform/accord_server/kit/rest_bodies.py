"""How bodies of the native API are read: one JSON object, whose members are known."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from rest_framework import serializers
from rest_framework.parsers import BaseParser

from accord_server.kit.json_bodies import read_object

if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_UNKNOWN: Final = 20
LONGEST_LABEL: Final = 100
T = TypeVar("T")


class ObjectParser(BaseParser):
    """Reads one JSON object; the framework's own parser lets bodies that nest too deep crash it."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002  # the signature is the framework's
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002  # the signature is the framework's
    ) -> dict[str, Any]:
        """Return the object.

        Raises:
            HttpError: 400 or 422, naming what is wrong and where.
        """
        return self.read(stream.read())

    def read(self, body: bytes) -> dict[str, Any]:
        """Return what the body holds; raises as `parse`."""
        return read_object(body)


class DescribedField(serializers.Field[T, Any, Any, Any]):
    """A member of a kind of our own, which says in the words of JSON Schema what it takes."""

    described: ClassVar[dict[str, Any]]

    def to_representation(self, value: T) -> object:
        """Return it as it is; bodies are read, not written."""
        return value


class Body(serializers.Serializer[T]):
    """An object of JSON; what is wrong is said in the words of JSON, not of Python.

    A member that means nothing is refused: whoever misspells one would be judged by something else.
    """

    default_error_messages = {"invalid": "Must be an object."}
    # The problems that only such a body can meet.
    codes: ClassVar[tuple[str, ...]] = ()

    def to_internal_value(self, data: Any) -> Any:  # noqa: ANN401  # the signature is the framework's
        """Return the checked members, if there are no others."""
        if isinstance(data, dict):
            known = f"There is no such member here; there are: {', '.join(self.fields)}."
            unknown = [name for name in data if name not in self.fields][:MOST_UNKNOWN]
            if unknown:
                flaws = {name[:LONGEST_LABEL]: known for name in unknown}
                raise serializers.ValidationError(flaws, code="unknown_member")
        return super().to_internal_value(data)


class Changes(Body[T]):
    """A body of a PATCH: members that are to change, at least one of them."""

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a change of nothing."""
        if not attrs:
            raise serializers.ValidationError(f"Say what to change: {', '.join(self.fields)}.")
        return attrs
