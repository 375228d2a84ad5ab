"""What the dialect answers, member by member."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from accord_server.kit.problem_shapes import Problem
from accord_server.kit.shapes import Moment


class ModuleShape(TypedDict):
    """A module: its latest version, none where all are disabled, and how many there are."""

    name: str
    latest: int | None
    versions: int
    updated_at: Moment


class ModulesShape(TypedDict):
    """A part of the list of modules; ``next`` is the ``after`` of what follows, if anything."""

    modules: list[ModuleShape]
    next: str | None


class ModuleVersionShape(TypedDict):
    """A version: the SHA-256 of its set, its state, what was said of it and in force at the upload."""

    module: str
    version: int
    digest: str
    level: str
    created_at: Moment
    created_by: str
    properties: dict[str, str]
    state: str


class ModuleFinding(TypedDict):
    """What a compatibility rule found: how much it weighs, where, and in words."""

    rule: str
    severity: str
    path: str
    sentence: str


class ModuleComparison(TypedDict):
    """The comparison with one version in one direction."""

    version: int | None
    direction: str
    is_blocked: bool
    findings: list[ModuleFinding]


class ModuleLintFinding(TypedDict):
    """What a lint rule found; line and column count from 1."""

    file: str
    line: int
    column: int
    rule: str
    message: str
    path: str
    severity: str


class JudgementShape(TypedDict):
    """What the policy in force says of a set; ``own`` is what it lacks by itself."""

    is_allowed: bool
    level: str
    preset: str
    comparisons: list[ModuleComparison]
    lint: list[ModuleLintFinding]
    own: list[ModuleFinding]


class UploadedShape(ModuleVersionShape):
    """The version that an upload made, or the latest if it is the same set."""

    is_new: bool
    judgement: NotRequired[JudgementShape]


class DeletedShape(TypedDict):
    """The numbers of the versions that went, for good."""

    deleted: list[int]


class LintedShape(TypedDict):
    """What lint finds in a set by the rules in ``use``; hints where no policy asks for lint."""

    use: list[str]
    is_asked: bool
    lint: list[ModuleLintFinding]


class FileShape(TypedDict):
    """A file of a set; the digest is that of its descriptor without notes of the text."""

    path: str
    package: str
    digest: str
    bytes: int
    is_import: bool


class PackageShape(TypedDict):
    """A package with its files."""

    name: str
    files: list[str]


class MessageShape(TypedDict):
    """A message or an enum; ``fields`` are those that answer the search."""

    name: str
    kind: str
    file: str
    fields: NotRequired[list[str]]


class MethodShape(TypedDict):
    """A method of a service."""

    name: str
    input: str
    output: str
    client_streaming: bool
    server_streaming: bool


class ServiceShape(TypedDict):
    """A service with its methods."""

    name: str
    file: str
    methods: list[MethodShape]


class ChangedFiles(TypedDict):
    """The files that differ, by path."""

    added: list[str]
    removed: list[str]
    changed: list[str]


class ModuleDifference(TypedDict):
    """What a difference means for readers in one direction."""

    direction: str
    rule: str
    severity: str
    path: str
    sentence: str


class DifferencesShape(TypedDict):
    """What differs between two versions of a module."""

    module: str
    old: int
    new: int
    files: ChangedFiles
    differences: list[ModuleDifference]
    left_out: int


class MissingShape(TypedDict):
    """The digests of files that would have to be sent."""

    missing: list[str]


class RegisteredFile(TypedDict):
    """A file that is a version of a subject."""

    subject: str
    version: int
    id: int


class ExposedShape(TypedDict):
    """What was registered: first what the file imports, last the file itself."""

    registered: list[RegisteredFile]


class DescriptorProblem(Problem):
    """Why a call was refused, with all that a refused set is refused for."""

    missing: NotRequired[list[str]]
    comparisons: NotRequired[list[ModuleComparison]]
    lint: NotRequired[list[ModuleLintFinding]]
    own: NotRequired[list[ModuleFinding]]


class TextsUpload(TypedDict):
    """Texts of `.proto` files by import path, compiled by the registry."""

    texts: dict[str, str]


class DigestsUpload(TypedDict):
    """The SHA-256 of every file, and in base64 a set of those that are missing."""

    digests: list[str]
    set: NotRequired[str]


class DigestsBody(TypedDict):
    """The SHA-256 of files, each 64 small hexadecimal digits; other members are not looked at."""

    digests: list[str]


class ExposeBody(TypedDict):
    """A file of the module, and the subject that it becomes; other members are not looked at."""

    file: str
    subject: str
