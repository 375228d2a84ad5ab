"""How the native API writes what is not JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.renderers import BaseRenderer

if TYPE_CHECKING:
    from collections.abc import Mapping


class YamlRenderer(BaseRenderer):
    """Writes the text of a policy; the view has made it."""

    media_type = "application/yaml"
    format = "yaml"
    charset = "utf-8"

    def render(
        self,
        data: Any,  # noqa: ANN401  # the signature is the framework's
        accepted_media_type: str | None = None,  # noqa: ARG002  # as above
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002  # as above
    ) -> bytes:
        """Return the text's bytes."""
        return str(data).encode()
