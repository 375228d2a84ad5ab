"""The version at the end of a Protobuf package: ``v1``, ``v2beta1``, ``v1p1alpha1``, ``v1test``.

Source: Buf's grammar of package versions.
"""

from __future__ import annotations

import re
from typing import Final

NUMBER: Final = "[1-9][0-9]*"
STABLE: Final = re.compile(f"v{NUMBER}")
UNSTABLE: Final = re.compile(rf"v{NUMBER}(?:test.*|(?:p{NUMBER})?(?:alpha|beta)(?:{NUMBER})?)", re.DOTALL)


def version_of(package: str) -> str:
    """Return the last component of a package of two or more if it is a version, else nothing."""
    head, _, last = package.rpartition(".")
    return last if head and (STABLE.fullmatch(last) or UNSTABLE.fullmatch(last)) else ""


def is_stable(package: str) -> bool:
    """Tell whether a package promises to stay as it is."""
    return STABLE.fullmatch(version_of(package)) is not None


def is_unstable(package: str) -> bool:
    """Tell whether a package says that it may change."""
    return UNSTABLE.fullmatch(version_of(package)) is not None
