"""What a policy does not look at in Protobuf files: paths, packages, and packages that are not stable yet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.formats.protobuf.model import FileSet

if TYPE_CHECKING:
    from collections.abc import Iterable

# Source: Buf's ``ignore_unstable_packages``: v1alpha1, v1beta, v1p1alpha1, v1test behind another component.
UNSTABLE = re.compile(r".+\.v[1-9][0-9]*(?:p[1-9][0-9]*)?(?:alpha|beta)[0-9]*|.+\.v[1-9][0-9]*test[^.]*")


@dataclass(frozen=True, slots=True)
class Ignored:
    """Folders and files by path, packages with all below them, and whether unstable packages count."""

    paths: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    unstable: bool = False

    def is_ignored(self, path: str, sides: Iterable[object]) -> bool:
        """Tell whether findings in a file are dropped, as either side has it."""
        if any(_is_under(path, one, "/") for one in self.paths):
            return True
        found = (side.by_path.get(path) for side in sides if isinstance(side, FileSet))
        return any(file is not None and self._is_ignored_package(file.package) for file in found)

    def _is_ignored_package(self, package: str) -> bool:
        if self.unstable and UNSTABLE.fullmatch(package):
            return True
        return any(_is_under(package, one, ".") for one in self.packages)


NOTHING = Ignored()


def _is_under(name: str, holder: str, separator: str) -> bool:
    return name == holder or name.startswith(holder.rstrip(separator) + separator)
