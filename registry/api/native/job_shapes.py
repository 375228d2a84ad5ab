"""The shape of a job."""

from __future__ import annotations

from typing import TypedDict

from accord_server.kit.shapes import Id, Moment
from registry.api.native.verdict_shapes import ProgressShape


class JobShape(TypedDict):
    """A job of whatever kind; what it is about and what came of it is at its own address."""

    kind: str
    id: Id
    namespace: str | None
    state: str
    progress: ProgressShape
    created_at: Moment
    created_by: str
    url: str
