"""What the registry hands out of modules: frozen values, never model instances."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accord.model import Severity
from registry.version_states import NEWBORN, VersionState

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from accord.lint.hits import LintFinding
    from accord.model import Finding, Verdict
    from registry.life_records import StateStep
    from registry.version_states import Life


@dataclass(frozen=True, slots=True)
class ModuleRow:
    """One row of the list of modules; ``latest`` is None where every version is disabled."""

    name: str
    latest: int | None
    versions: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ModuleVersionRow:
    """One version of a module; ``digest`` names what the set holds, ``set_key`` is its row.

    ``properties`` are what was said of it when it was uploaded.
    """

    module: str
    number: int
    digest: bytes
    set_key: int
    level: str
    created_at: datetime
    created_by: str
    properties: Mapping[str, str] = field(default_factory=dict)
    life: Life = NEWBORN

    @property
    def is_disabled(self) -> bool:
        """True of a version that is kept, and neither downloaded nor held against new ones."""
        return self.life.state is VersionState.DISABLED


@dataclass(frozen=True, slots=True)
class ModuleLife:
    """The state of a version and how it came to it, newest first; ``revision`` counts from one."""

    module: str
    number: int
    life: Life
    revision: int
    steps: tuple[StateStep, ...]


@dataclass(frozen=True, slots=True)
class UploadSet:
    """The command behind an upload.

    ``data`` is a serialized ``FileDescriptorSet``. ``digests`` names the files that are meant, of which
    ``data`` has those that the registry lacks; None means exactly what ``data`` has. ``texts`` is sent
    instead of both: ``.proto`` texts by import path. ``depends`` names versions of other modules (None the
    latest), whose files are imports. ``expected`` is the latest version that the caller knows, 0 for none;
    None means whichever there is. ``properties`` say things such as who owns the module; None means what the
    latest version says.
    """

    module: str
    data: bytes = field(default=b"", repr=False)
    digests: tuple[bytes, ...] | None = None
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    depends: tuple[tuple[str, int | None], ...] = ()
    expected: int | None = None
    properties: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class ModuleJudgement:
    """What the policy in force says of a set: its level and preset, the verdict, and what lint finds.

    ``own`` is what the policy asks of names, docs and owners, and the set lacks.
    """

    level: str
    preset: str
    verdict: Verdict
    lint: tuple[LintFinding, ...]
    own: tuple[Finding, ...] = ()

    @property
    def is_allowed(self) -> bool:
        """True where nothing blocks."""
        severities = (*(one.severity for one in self.lint), *(one.severity for one in self.own))
        return self.verdict.is_allowed and Severity.BLOCK not in severities


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
