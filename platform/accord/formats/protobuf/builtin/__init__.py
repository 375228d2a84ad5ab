"""Files that every schema may import without a reference.

Those of ``google/protobuf`` come with protoc; the others lie beside this module, written by us from the
public lists of their fields.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

OURS: Final = Path(__file__).parent
PROTOCS: Final = "google/protobuf/"
PATHS: Final = frozenset(file.relative_to(OURS).as_posix() for file in OURS.rglob("*.proto"))


def is_built_in(path: str) -> bool:
    """Tell whether an import path is that of a built-in file, which no reference replaces."""
    return path in PATHS or path.startswith(PROTOCS)
