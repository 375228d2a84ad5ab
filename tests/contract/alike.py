"""Whether two calls are answered alike: in status, body, headers and number of statements, but for names."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tenants.decisions import decisions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.http import HttpResponse

Renames = tuple[tuple[str, str], ...]
# What differs from call to call, whatever was asked.
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?")
# Ids and secrets; the ETag of what was set at this moment.
MADE_UP = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:acc\w|whsec)_[\w+/=]+|^\"[0-9]{7,10}\"$"
)
LENGTHS = {"Content-Length"}
# The first call of all reads what later ones remember, and notes of use are written now and then.
ROUNDS = 3


@dataclass(frozen=True)
class Asked:
    """All that an answer tells, and how many statements it took."""

    status: int
    body: str
    headers: Mapping[str, str]
    statements: int


def asked(call: Callable[[], HttpResponse], renames: Renames = ()) -> Asked:
    """Ask, and take back what it changed; known names are told as the others."""
    decisions.clear()
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        answer: Any = call()
        content = b"".join(answer)
        transaction.set_rollback(True)

    def plain(text: str) -> str:
        for name, other in renames:
            text = text.replace(name, other)
        return MADE_UP.sub("MADE UP", MOMENT.sub("MOMENT", text))

    kept = {name: plain(value) for name, value in answer.headers.items() if name not in LENGTHS}
    return Asked(answer.status_code, plain(content.decode()), kept, len(queries))


def is_told_alike(
    known: Callable[[], HttpResponse],
    ghost: Callable[[], HttpResponse],
    renames: Renames,
    *,
    is_counted: bool = True,
) -> bool:
    """Tell whether two calls are answered alike; what is done once in a while does not count.

    Unless ``is_counted``, they may take other numbers of statements.
    """
    for _ in range(ROUNDS):
        there, nowhere = asked(known, renames), asked(ghost)
        if there == (nowhere if is_counted else replace(nowhere, statements=there.statements)):
            return True
    return False
