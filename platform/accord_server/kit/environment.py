"""What an operator has set: the variables of the environment, read by the settings table.

A value is given as ``NAME=value`` or as ``NAME_FILE=path`` of a file that holds it, never both.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from accord_server.kit.settings_table import SETTINGS, Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")

PREFIX = "ACCORD_"
FILE_SUFFIX = "_FILE"
# A file that holds a secret is small; anything longer is the wrong file.
LONGEST_FILE = 64 * 1024


class SettingsError(Exception):
    """Values that cannot be used; the message names every one of them, one per line."""


class Environment:
    """Reads settings from a mapping of variables; refuses at once when any value is unusable."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        faults = [fault for row in SETTINGS if (fault := self._fault_of(row))]
        if faults:
            raise SettingsError("These settings cannot be used:\n" + "\n".join(faults))

    def __call__(self, setting: Setting[T]) -> T:
        """Return the value of one setting."""
        return setting.type.parse(self._text_of(setting))

    def unknown(self) -> list[str]:
        """List variables with our prefix that no row knows: most often a slip of the pen."""
        known = {row.name for row in SETTINGS} | {row.name + FILE_SUFFIX for row in SETTINGS}
        return sorted(name for name in self._variables if name.startswith(PREFIX) and name not in known)

    def _fault_of(self, setting: Setting[Any]) -> str:
        try:
            self(setting)
        except (OSError, UnicodeDecodeError):
            return f"{setting.name}{FILE_SUFFIX}: the file cannot be read"
        except ValueError as reason:
            return f"{setting.name}: {reason}"
        return ""

    def _text_of(self, setting: Setting[Any]) -> str:
        path = self._variables.get(setting.name + FILE_SUFFIX)
        if path is None:
            return self._variables.get(setting.name, setting.default)
        if setting.name in self._variables:
            raise ValueError(f"is given twice, directly and as {setting.name}{FILE_SUFFIX}")
        return text_of_file(Path(path))


def text_of_file(path: Path) -> str:
    """Return what a settings file holds, without the line end that editors add."""
    if path.stat().st_size > LONGEST_FILE:
        raise ValueError(f"the file is longer than {LONGEST_FILE} bytes")
    return path.read_text(encoding="utf-8").rstrip("\r\n")
