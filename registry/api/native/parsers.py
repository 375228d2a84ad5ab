"""How the native API reads the text of a policy."""

from __future__ import annotations

from typing import Any

from accord_server.kit.error_tables import HttpError
from accord_server.kit.rest_bodies import ObjectParser


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
