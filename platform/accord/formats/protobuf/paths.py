"""Import paths: which may be the name of a file to compile."""

from __future__ import annotations

from typing import Final

from accord.formats.places import shown

# What the text of a schema is called, which has no name of its own.
OWN_PATH: Final = "schema.proto"
LONGEST_PATH: Final = 1_000
LONGEST_PART: Final = 240


def path_flaw(path: str) -> str | None:
    """Return what is wrong with an import path, or None.

    protoc's own rule (relative, no ``.`` and ``..``, forward slashes) and what a folder can hold.
    """
    parts = path.split("/")
    if not path or any(part in {"", ".", ".."} for part in parts):
        return f"The import path {shown(path)} must be relative, without '.', '..' and empty parts"
    if "\\" in path or not path.isprintable():
        return (
            f"The import path {shown(path)} has a backslash or a character that cannot be seen; take it out"
        )
    size, longest = len(path.encode()), max(len(part.encode()) for part in parts)
    if size > LONGEST_PATH or longest > LONGEST_PART:
        limits = f"{LONGEST_PATH} bytes, or a part of it than {LONGEST_PART}"
        return f"The import path {shown(path)} is longer than {limits}"
    return None
