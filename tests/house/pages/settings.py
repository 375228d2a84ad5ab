"""The settings, printed from the settings table."""

from __future__ import annotations

from accord_server.kit.settings_table import FILE_SUFFIX, SETTINGS
from tests.house.pages.markdown import code, page, table


def settings_page() -> str:
    """Every variable an operator can set."""
    return page(
        "Settings",
        "`platform/accord_server/kit/settings_table.py`",
        f"Each value is given as `NAME=value`, or as `NAME{FILE_SUFFIX}=path` of a file that holds it,"
        " never both. A value that cannot be used stops the start and is named; so is a variable with our"
        " prefix that nobody knows.",
        table(
            ("variable", "type", "default", "secret", "meaning"),
            (
                (
                    code(one.name),
                    one.type.name,
                    code(one.default),
                    "yes" if one.is_secret else "",
                    one.sentence,
                )
                for one in SETTINGS
            ),
        ),
    )
