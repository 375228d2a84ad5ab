"""The machine's own programs that the tests need: found, new enough, really starting, or installed.

Runs before anything is installed, so only the standard library is here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

from accord_server.dev.errors import Trouble

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT: Final = Path(__file__).resolve().parents[3]
VENV: Final = ROOT / ".venv"
OLDEST_JAVA: Final = 17
OLDEST_GO: Final = (1, 24)
# A Go client of the tests: the module proxies that we may use do not have it, and Debian does.
LENSESIO: Final = Path("/usr/share/gocode/src/github.com/lensesio/schema-registry")
# The Debian packages of a program, best first; the first that the machine knows is taken.
DEBIAN: Final = {
    "chromium": (("chromium", "fonts-dejavu-core"),),
    "java": ((f"openjdk-{OLDEST_JAVA}-jre-headless",), ("default-jre-headless",)),
    "javac": ((f"openjdk-{OLDEST_JAVA}-jdk-headless",), ("default-jdk-headless",)),
    "mvn": (("maven",),),
    "go": (("golang-go",),),
    "lensesio": (("golang-github-lensesio-schema-registry-dev",),),
}
# What a program is called where the version or the place says more than its name.
TOLD: Final = {
    "java": f"java {OLDEST_JAVA}",
    "go": "go " + ".".join(map(str, OLDEST_GO)),
    "lensesio": str(LENSESIO),
}
# Starts the browser as the tests do; what is missing is in what it prints.
START: Final = """
import sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    playwright.chromium.launch(executable_path=sys.argv[1], args=sys.argv[2:]).close()
"""


class StepFailed(Trouble):
    """A step of the installation failed; the message holds what it printed."""


def call(*command: str, path: str | None = None) -> None:
    """Run a command in the project; on failure raise what it printed."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise StepFailed(f"{' '.join(command)} failed:\n{done.stdout}")


def environment(path: str | None = None) -> dict[str, str]:
    """Return our variables for an installer: one that asks nothing and has a home to write in."""
    home = os.environ.get("HOME", "")
    # A user id that no account has is given / as its home, where it may not write.
    usable = {} if home and os.access(home, os.W_OK) else {"HOME": str(VENV / "home")}
    chosen = {"PATH": path} if path else {}
    return {**os.environ, **usable, **chosen, "DEBIAN_FRONTEND": "noninteractive"}


def works(*command: str) -> bool:
    """Tell whether a command is there for us, runs and succeeds."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:  # no such file, or a link into another user's folder
        return False


def may_install() -> bool:
    """Tell whether we may install packages of the system."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def refresh_debian() -> None:
    """Fetch the lists of packages, which a fresh image lacks."""
    call("apt-get", "update", "-qq")


def install_debian(packages: Sequence[str]) -> None:
    """Install packages of the system."""
    call("apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages)


def packages_of(name: str) -> tuple[str, ...]:
    """Return the packages that bring a program to this machine; the best where nobody can be asked."""
    *better, last = DEBIAN[name]
    if shutil.which("apt-cache") is None:
        return DEBIAN[name][0]
    return next((some for some in better if works("apt-cache", "show", *some)), last)


def is_there(name: str) -> bool:
    """Tell whether a program is there and new enough."""
    if name == "chromium":
        return browser() is not None
    if name == "java":
        return java_version() >= OLDEST_JAVA
    if name == "javac":
        return java_program("javac") is not None
    if name == "go":
        return go_version() >= OLDEST_GO
    if name == "lensesio":
        return LENSESIO.is_dir()
    return shutil.which(name) is not None


def java_version() -> int:
    """Return the major version of the Java that Maven and Spark will take; 0 where there is none."""
    java = java_program("java")
    if java is None:
        return 0
    printed = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', printed)
    return int(found[1]) if found else 0


def java_program(name: str) -> str | None:
    """Return the path of a program of the Java that Maven and Spark will take; None where there is none."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which(f"{home}/bin/{name}" if home else name)


def go_version() -> tuple[int, ...]:
    """Return the version of the machine's Go; nothing where there is none."""
    go = shutil.which("go")
    if go is None:
        return ()
    printed = subprocess.run([go, "version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"go version go(\d+)\.(\d+)", printed)
    return tuple(map(int, found.groups())) if found else ()


def browser() -> str | None:
    """Return the path of the browser that the tests drive."""
    return os.environ.get("CHROMIUM_PATH") or shutil.which("chromium") or shutil.which("google-chrome")


def start_browser(path: str) -> None:
    """Start the browser once and end it; raise what it printed if it does not come up."""
    flags = ("--no-sandbox",) if os.geteuid() == 0 else ()
    call(str(VENV / "bin" / "python"), "-c", START, path, *flags)


def install_browser_libraries() -> None:
    """Install the system's libraries that a browser needs, by Playwright's own list."""
    call(str(VENV / "bin" / "python"), "-m", "playwright", "install-deps", "chromium")
