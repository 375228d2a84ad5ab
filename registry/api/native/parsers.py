"""How the native API reads the text of a policy."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

from accord_server.kit.error_tables import HttpError
from accord_server.kit.json_bodies import read_object
from accord_server.kit.rest_bodies import ObjectParser

# Versions that one call may bring; its bytes are bounded like those of any other.
MOST_LINES: Final = 500
LINES: Final[dict[str, Any]] = {
    "description": f"At most {MOST_LINES} lines of an export, an object each.",
}


class LinesParser(ObjectParser):
    """Reads the lines of an export, an object each; a body of one object is one line."""

    media_type = "application/x-ndjson"

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the objects under ``lines``.

        Raises:
            HttpError: 400 or 422, naming the line.
        """
        found: list[dict[str, Any]] = []
        for number, line in enumerate(BytesIO(body), 1):
            if not line.strip():
                continue
            if len(found) == MOST_LINES:
                raise HttpError(400, f"There are more than {MOST_LINES} lines; send fewer at a time")
            try:
                found.append(read_object(line))
            except HttpError as refused:
                raise HttpError(refused.status, f"line {number}: {refused.message}") from None
        return {"lines": found} if found else read_object(body)


class LineParser(LinesParser):
    """Reads one line that calls itself JSON."""

    media_type = "application/json"


class PolicyParser(ObjectParser):
    """Reads the text of a policy as it is: its problems are named by line and column."""

    is_json = True

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the text.

        Raises:
            HttpError: 400 for what is no text.
        """
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise HttpError(400, f"The request body is not valid UTF-8 at byte {error.start}") from None
        return {"text": text.replace("\0", "\N{REPLACEMENT CHARACTER}"), "is_json": self.is_json}


class YamlPolicyParser(PolicyParser):
    """Reads a policy that is written in YAML."""

    media_type = "application/yaml"
    is_json = False


class PlainPolicyParser(YamlPolicyParser):
    """Reads YAML that calls itself text, as a browser sends it."""

    media_type = "text/*"
