"""How the native API reads a body."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

from rest_framework.parsers import BaseParser

from registry.api.bodies import read_object

if TYPE_CHECKING:
    from collections.abc import Mapping


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
        return read_object(stream.read())
