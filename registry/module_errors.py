"""What is refused of modules of descriptor sets, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.errors import Conflict, Invalid, NotFound, error

if TYPE_CHECKING:
    from accord.lint.hits import LintFinding
    from accord.model import Verdict


@error
class ModuleNotFound(NotFound):
    """No such module, or one the caller may not see: the two answers are the same bytes."""

    code = "module_not_found"
    template = "Module '{module}' not found."
    module: str


@error
class ModuleVersionNotFound(NotFound):
    """The module has no such version."""

    code = "module_version_not_found"
    template = "Version {version} not found."
    version: str


@error
class NotInSet(NotFound):
    """A set has no such file, message, enum or service."""

    code = "not_in_set"
    template = "The set has no {what} '{name}'; its lists of files, messages and services say what it has."
    what: str
    name: str


@error
class NoDescriptors(NotFound):
    """A version whose format has no descriptors."""

    code = "no_descriptors"
    template = "Version {version} of '{subject}' has no descriptor set: its format is {format}."
    subject: str
    version: int
    format: str


@error
class InvalidModule(Invalid):
    """A name that no module can have."""

    code = "invalid_module"
    template = (
        "'{module}' cannot be the name of a module: use letters, digits, '.', '_' and '-',"
        " at most 200 of them, a letter or digit first"
    )
    module: str


@error
class InvalidUpload(Invalid):
    """The body of an upload is not what one is made of; the message says what to change."""

    code = "invalid_upload"
    template = "{details}"
    details: str


@error
class FilesMissing(Conflict):
    """Files that are named by their digests alone, and are not there: send them as well."""

    code = "files_missing"
    template = "{count} of the named files are not there, such as {digest}; send them in the set"
    count: int
    digest: str
    digests: tuple[str, ...]


@error
class ModuleChanged(Conflict):
    """Somebody uploaded another version than the one that the caller goes on from."""

    code = "module_changed"
    template = (
        "Module '{module}' is at version {latest}, not {expected}: look at what came between, and upload"
        " again with expect={latest}"
    )
    module: str
    latest: int
    expected: int


@error
class ModuleVersionDisabled(Conflict):
    """A download of a disabled version, or an upload that is one or needs one."""

    code = "module_version_disabled"
    template = (
        "Version {version} of module '{module}' is disabled: it is not downloaded, uploaded again or depended"
        " on. Use another version, or have somebody with the right version.promote enable this one again"
    )
    module: str
    version: int


@error
class ModuleStateRefused(Conflict):
    """A disabled version that comes back, and does not go with those around it."""

    code = "module_state_refused"
    template = (
        "Version {version} of module '{module}' stays disabled: version {newer} could not follow version"
        " {older}. Disable the one that is not meant, or change the policy: {details}"
    )
    module: str
    version: int
    older: int
    newer: int
    details: str
    verdict: Verdict


@error
class IncompatibleModule(Conflict):
    """The policy in force does not let a set be the next version."""

    code = "incompatible_module"
    template = "The set is not compatible with module '{module}': {details}"
    module: str
    details: str
    verdict: Verdict


@error
class ModuleLintRefused(Invalid):
    """Lint rules that block found something."""

    code = "module_lint_refused"
    template = "The policy in force refuses the set: {details}"
    details: str
    findings: tuple[LintFinding, ...]
