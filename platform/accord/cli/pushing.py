"""A tree of Protobuf files as versions of modules: compiled, linted, judged, stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from accord.cli.deciding import HERE, LARGEST_POLICY, UNNUMBERED
from accord.cli.files import read_text
from accord.cli.module_trees import Site, UnusableTree, in_order, reached
from accord.cli.proto_modules import compile_texts
from accord.client import RegistryConflict, RegistryDenied, RegistryInvalid
from accord.client import descriptors as stored
from accord.formats.protobuf.diagnostics import MISSING_IMPORT
from accord.lint.schemas import lint_files
from accord.model import Format, Severity, SubjectName
from accord.policy.buf_config import import_buf
from accord.policy.inheritance import Binding, effective

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from accord.cli.module_trees import TreeModule
    from accord.cli.pinning import Pins
    from accord.cli.proto_modules import Compiled
    from accord.client import RegistryClient
    from accord.formats.protobuf.diagnostics import Diagnostic
    from accord.formats.protobuf.model import FileSet
    from accord.policy.documents import PolicyDocument

    Json = dict[str, Any]

COMPILE: Final = "COMPILE"
NAME_IT: Final = "name the module that has it under deps in buf.yaml, or with --depends"
NOT_NEEDED: Final = "the registry has no module {0!r} for it; no file needs it"
NOT_THERE: Final = "the registry has no module {0!r} for it; push that first, or name another with --depends"


class Remark(NamedTuple):
    """One thing to be told of a tree: where, how grave, by which rule, and what it says."""

    site: Site
    severity: str
    rule: str
    message: str

    @property
    def data(self) -> Json:
        """The remark for programs."""
        return {**self.site._asdict(), **self._asdict(), "site": str(self.site)}


@dataclass
class Pushed:
    """What came of a tree: remarks, notes and the modules that were judged or stored."""

    remarks: list[Remark] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    modules: list[Json] = field(default_factory=list)
    is_strict: bool = False
    is_compiled: bool = True

    @property
    def is_refused(self) -> bool:
        """True where something that was found lets nothing be stored."""
        return self.refuses(self.remarks)

    def refuses(self, remarks: Iterable[Remark]) -> bool:
        """Tell whether some of these let nothing be stored: what blocks, and if strict, what warns."""
        grave = {Severity.BLOCK, Severity.WARN} if self.is_strict else {Severity.BLOCK}
        return any(one.severity in grave for one in remarks)


@dataclass(frozen=True)
class Pushing:
    """One push: of which modules, with what they need, by which rules of their own.

    ``is_dry`` stores nothing, ``is_strict`` lets warnings refuse too. ``expected`` is the latest version that
    a single module goes on from, ``properties`` are said of each.
    """

    client: RegistryClient
    modules: Sequence[TreeModule]
    pins: Pins
    document: PolicyDocument | None = None
    is_dry: bool = False
    is_strict: bool = False
    expected: int | None = None
    properties: Mapping[str, str] = field(default_factory=dict)

    def run(self) -> Pushed:
        """Return what comes of it; modules that others of the tree need go first.

        Several modules are all judged before the first is stored, as is one if warnings count. Raises what
        the registry refuses beyond what is wrong with the files.
        """
        done = Pushed(is_strict=self.is_strict)
        texts = {path: text for one in self.modules for path, text in one.texts.items()}
        compiled = compile_texts(texts, self.pins.known)
        if not compiled.files:
            done.is_compiled = False
            done.remarks += (self._uncompiled(one) for one in compiled.remarks)
            return done
        done.notes += (f"{one.site}: {NOT_NEEDED.format(one.module)}" for one in self.pins.unknown)
        for one in self.modules:
            done.remarks += self._linted(one, compiled)
        if not done.is_refused:
            self._send(done, in_order(self.modules, compiled), compiled)
        return done

    @property
    def _is_judged_before(self) -> bool:
        return self.is_dry or self.is_strict or len(self.modules) > 1

    def _send(self, done: Pushed, ordered: Sequence[TreeModule], compiled: Compiled) -> None:
        if self._is_judged_before:
            for one in ordered:
                self._check(done, one, compiled)
        if self.is_dry or done.is_refused:
            return
        done.modules.clear()
        versions: dict[str, int] = {}
        for one in ordered:
            if not self._store(done, one, compiled, versions):
                return

    def _check(self, done: Pushed, module: TreeModule, compiled: Compiled) -> None:
        """Ask what the policy in force says; modules of the tree that it needs are sent along."""
        needed = reached(compiled, module.files)
        texts = {path: text for one in self.modules for path, text in one.texts.items() if path in needed}
        homes = self.pins.homes(needed)
        upload = stored.TextUpload(module.name, texts | module.texts, homes, properties=self.properties)
        try:
            told = stored.check_texts(self.client, upload)
        except RegistryDenied:
            if self.is_dry:
                raise
            return  # whoever may store and not check is told when it is stored
        remarks = list(_judged(told, module, compiled))
        done.remarks += remarks
        done.modules.append(
            {"module": module.name, "is_allowed": not done.refuses(remarks), "depends": list(upload.depends)}
            | {name: told[name] for name in ("level", "preset")}
        )

    def _store(self, done: Pushed, module: TreeModule, compiled: Compiled, versions: dict[str, int]) -> bool:
        needed = reached(compiled, module.files)
        near = [f"{one.name}@{versions[one.name]}" for one in self.modules if one.files.keys() & needed]
        homes = [*self.pins.homes(needed), *near]
        upload = stored.TextUpload(module.name, module.texts, homes, self.expected, self.properties)
        try:
            made = stored.push_texts(self.client, upload)
        except (RegistryConflict, RegistryInvalid) as refused:
            remarks = list(_judged(refused.document, module, compiled))
            if not remarks:
                raise
            done.remarks += remarks
            return False
        versions[module.name] = int(str(made["version"]))
        judgement = made.get("judgement")
        if isinstance(judgement, dict) and not self._is_judged_before:
            done.remarks += _judged(judgement, module, compiled)
        told = ("module", "version", "is_new", "digest")
        done.modules.append({name: made[name] for name in told} | {"depends": list(upload.depends)})
        return True

    def _linted(self, module: TreeModule, compiled: Compiled) -> Iterator[Remark]:
        """Yield what the rules find that the tree itself asks for."""
        document = self.document or _own_rules(module)
        if document is None:
            return
        binding = Binding(HERE, UNNUMBERED, document)
        profile = effective([binding], Format.PROTOBUF, subject=SubjectName(module.name)).lint
        for one in lint_files(compiled.module(module.files), profile) if profile.use else ():
            yield Remark(module.site(one.file, one.line, one.column), one.severity, one.rule, one.message)

    def _uncompiled(self, one: Diagnostic) -> Remark:
        home = next((module for module in self.modules if one.file in module.files), None)
        site = Site(one.file) if home is None else home.site(one.file, one.line, one.column)
        message = one.message
        if MISSING_IMPORT.match(message):
            missing = [NOT_THERE.format(each.module) for each in self.pins.unknown]
            message = "; ".join([message.rstrip("."), *missing, NAME_IT])
        return Remark(site, Severity.BLOCK, COMPILE, message)


def _own_rules(module: TreeModule) -> PolicyDocument | None:
    """Return what the module's configuration says; raises `UnusableTree` for what cannot be kept."""
    config = module.root.config
    if config is None:
        return None
    made = import_buf(read_text(str(config), LARGEST_POLICY), "buf", module=module.root.path)
    if made.document is None:
        lines = (f"{config}:{one.line}:{one.column}: {one.message}" for one in made.problems)
        raise UnusableTree(problem="\n".join((*lines, "or say with --policy by which rules to lint")))
    return made.document


def _judged(told: Mapping[str, object], module: TreeModule, compiled: Compiled) -> Iterator[Remark]:
    """Yield what a registry finds, in the places of the tree; what it says of files of others is left out."""
    for one in _objects(told.get("lint")):
        if one.get("file") in module.files:
            site = module.site(str(one["file"]), int(one["line"]), int(one["column"]))
            yield Remark(site, str(one["severity"]), str(one["rule"]), str(one["message"]))
    files: FileSet = compiled.module(module.files).files
    for one in _objects(told.get("own")):
        site = module.located(str(one["path"]), files)
        yield Remark(site, str(one["severity"]), str(one["rule"]), str(one["sentence"]))
    for comparison in _objects(told.get("comparisons")):
        about = f"{comparison.get('direction')}, version {comparison.get('version')}"
        for one in _objects(comparison.get("findings")):
            site = module.located(str(one["path"]), files)
            yield Remark(site, str(one["severity"]), str(one["rule"]), f"{one['sentence']} ({about})")


def _objects(value: object) -> Iterable[Json]:
    return (one for one in value if isinstance(one, dict)) if isinstance(value, list) else ()
