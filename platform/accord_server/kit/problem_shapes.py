"""What a problem is, of any dialect that speaks RFC 9457."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Flaw(TypedDict):
    """One thing that is wrong with a body: where, as a JSON pointer, what, and a short code."""

    pointer: str
    detail: str
    code: str


class Problem(TypedDict):
    """Why a call was refused: what to tell people, a code for programs, and where to mend it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    errors: NotRequired[list[Flaw]]
    problems: NotRequired[list[dict[str, Any]]]
    findings: NotRequired[list[dict[str, Any]]]
    resource: NotRequired[str]
    limit: NotRequired[int]
    usage: NotRequired[int]
    advice: NotRequired[str]
    retry_after: NotRequired[int]
