"""What the registry hands out of modules: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord.lint.hits import LintFinding
    from accord.model import Verdict


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """One row of the list of modules."""

    name: str
    latest: int
    versions: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ModuleVersionRow:
    """One version of a module; ``digest`` names what the set holds, ``set_key`` is its row."""

    module: str
    number: int
    digest: bytes
    set_key: int
    level: str
    created_at: datetime
    created_by: str


@dataclass(frozen=True, slots=True)
class UploadSet:
    """The command behind an upload.

    ``data`` is a serialized ``FileDescriptorSet``. ``digests`` names the files that are meant, of which
    ``data`` has those that the registry lacks; None means exactly what ``data`` has. ``texts`` is sent
    instead of both: ``.proto`` texts by import path. ``depends`` names versions of other modules (None the
    latest), whose files are imports. ``expected`` is the latest version that the caller knows, 0 for none;
    None means whichever there is.
    """

    module: str
    data: bytes = field(default=b"", repr=False)
    digests: tuple[bytes, ...] | None = None
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    depends: tuple[tuple[str, int | None], ...] = ()
    expected: int | None = None


@dataclass(frozen=True, slots=True)
class ModuleJudgement:
    """What the policy in force says of a set: its level and preset, the verdict, and what lint finds."""

    level: str
    preset: str
    verdict: Verdict
    lint: tuple[LintFinding, ...]


@dataclass(frozen=True, slots=True)
class LintedSet:
    """What lint finds in a set by the rules in ``use``; hints where no policy asks for lint."""

    findings: tuple[LintFinding, ...]
    use: tuple[str, ...]
    is_asked: bool


@dataclass(frozen=True, slots=True)
class UploadedVersion:
    """The outcome of an upload: the version, and whether this call stored it."""

    version: ModuleVersionRow
    is_new: bool
    judgement: ModuleJudgement | None = None
