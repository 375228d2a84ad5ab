"""One statement as rows by name."""

from __future__ import annotations

from typing import Any

from django.db import connection


def rows_of(statement: str, *values: str | int | bytes | list[Any] | None) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
