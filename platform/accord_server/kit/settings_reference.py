"""The reference page of the settings, printed from the table.

``python -m accord_server.kit.settings_reference docs/reference/settings.md [--check]``
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from accord_server.kit.environment import FILE_SUFFIX
from accord_server.kit.setting_types import WORDS_FOR_FALSE, WORDS_FOR_TRUE
from accord_server.kit.settings_table import SETTINGS, Setting

HEAD = f"""# Settings

<!-- Printed from the settings table by `python -m accord_server.kit.settings_reference`; do not edit. -->

Every variable part of Accord is an environment variable. `NAME{FILE_SUFFIX}` names a file that holds the
value instead, which is how secrets are best given. A value that cannot be used stops the process with
a message that names the variable; a variable with our prefix that nothing reads is pointed at by
`manage.py check`.

True is spelled {", ".join(f"`{word}`" for word in WORDS_FOR_TRUE)}; false is spelled
{", ".join(f"`{word}`" for word in WORDS_FOR_FALSE)}; nothing else is accepted.

| variable | type | default | what it does |
| --- | --- | --- | --- |
"""


def page() -> str:
    """Return the whole page."""
    return HEAD + "".join(f"{_line(row)}\n" for row in SETTINGS)


def _line(row: Setting[object]) -> str:
    default = f"`{row.default}`" if row.default else "none"
    secret = " **Secret.**" if row.is_secret else ""
    return f"| `{row.name}` | {row.type.name} | {default} | {row.sentence}{secret} |"


def main(arguments: list[str]) -> int:
    """Write the page, or with ``--check`` tell whether the file is up to date."""
    parser = argparse.ArgumentParser(prog="settings_reference")
    parser.add_argument("path", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if options.check:
        return _check(options.path)
    options.path.parent.mkdir(parents=True, exist_ok=True)
    options.path.write_text(page(), encoding="utf-8")
    return 0


def _check(path: Path) -> int:
    if path.exists() and path.read_text(encoding="utf-8") == page():
        return 0
    sys.stderr.write(f"{path} differs from the settings table: run this command without --check\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
