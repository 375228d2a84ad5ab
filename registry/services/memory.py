"""What a process remembers of schemas: parsed models and verdicts on pairs, both safe to lose.

Their bounds stand in the table of `accord_server.kit.cache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.cache import BoundedMemory, memory_named

if TYPE_CHECKING:
    from accord.formats import ParsedSchema
    from accord.model import Comparison

Key = tuple[Any, ...]

MODELS: Final[BoundedMemory[ParsedSchema]] = memory_named("parsed_schemas")
# Weighed in findings, with one for the pair itself.
PAIRS: Final[BoundedMemory[tuple[Comparison, ...]]] = memory_named("compared_pairs")
