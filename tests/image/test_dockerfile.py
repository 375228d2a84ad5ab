"""The image: pinned bases, nothing that does not exist, nobody's root, and no tool left to build with."""

from __future__ import annotations

import re
import subprocess
import tomllib
from typing import Final

import pytest
import yaml

from tests.helm import charts
from tests.helm.charts import CHART, ROOT
from tests.image.dockerfile import Instruction, instructions, is_sent

DOCKERFILE: Final = list(instructions((ROOT / "Dockerfile").read_text()))
IGNORE: Final = (ROOT / ".dockerignore").read_text()
LAST: Final = DOCKERFILE[-1].stage
FINAL: Final = [one for one in DOCKERFILE if one.stage == LAST]
BASE: Final = re.compile(
    r"(node|python):\$\{(\w+_TAG)\}\$\{(\w+_DIGEST):\+@\$\{(\w+_DIGEST)\}\}(?: AS (\w+))?"
)
HOME: Final = "/opt/accord/"


def tracked() -> list[str]:
    """Every file that Git knows, or would."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def the_last(word: str) -> Instruction:
    """The one instruction of this kind in the last stage."""
    (found,) = (one for one in FINAL if one.word == word)
    return found


def test_bases_are_pinned_by_tag_and_digest() -> None:
    arguments = dict(one.text.split("=", 1) for one in DOCKERFILE if one.word == "ARG")
    for one in (each for each in DOCKERFILE if each.word == "FROM"):
        found = BASE.fullmatch(one.text)
        assert found, one.text
        assert arguments[found[2]].count("-") == 2  # a version, "slim" and a release of Debian
        assert found[3] == found[4]
        assert arguments[found[3]] == ""


def test_what_is_copied_exists_and_is_sent() -> None:
    stages = [found[5] for one in DOCKERFILE if one.word == "FROM" and (found := BASE.fullmatch(one.text))]
    for one in (each for each in DOCKERFILE if each.word == "COPY"):
        if one.origin:
            assert one.origin in stages[: one.stage]
            continue
        for source in one.sources:
            assert (ROOT / source).exists(), source
            assert is_sent(source, IGNORE), source


def test_nothing_else_is_sent() -> None:
    sent = {path for path in tracked() if is_sent(path, IGNORE)}
    copied = [source for one in DOCKERFILE if one.word == "COPY" and not one.origin for source in one.sources]
    stray = {path for path in sent if not any(path == one or path.startswith(f"{one}/") for one in copied)}
    assert not stray
    assert not [path for path in sent if path.startswith(("tests/", "platform/accord_server/dev/", ".git"))]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("manage.py", True),
        ("requirements/server.txt", True),
        ("requirements/dev.txt", False),
        (".env", False),
        ("platform/accord/model/a.py", True),
        ("platform/accord/model/__pycache__/a.pyc", False),
        ("platform/accord_server/dev/run.py", False),
        ("frontend/static/frontend/build/app.js", False),
        ("frontend/static/frontend/icon.svg", True),
    ],
)
def test_what_is_sent_is_named(path: str, sent: bool) -> None:
    assert is_sent(path, IGNORE) is sent


def test_it_runs_as_nobody_and_as_the_chart_says() -> None:
    user = yaml.safe_load((CHART / "values.yaml").read_text())["runAsUser"]
    assert the_last("USER").text == f"{user}:{user}"
    words = [one.word for one in FINAL]
    assert words.index("USER") > max(at for at, word in enumerate(words) if word in {"RUN", "COPY"})
    (ports,) = (one["ports"] for one in dict(charts.pods("default"))["web"]["containers"])
    assert the_last("EXPOSE").text == str(ports[0]["containerPort"])


def test_no_tool_is_left_to_build_with() -> None:
    assert not [one for one in DOCKERFILE if one.word == "ADD"]
    (run,) = (one.text for one in FINAL if one.word == "RUN")
    assert re.search(r"pip uninstall --yes [^&]*\bsetuptools wheel pip\b", run)
    assert not re.search(r"apt|npm|gcc|make\b|install -r", run)
    (venv,) = (
        one.text for one in DOCKERFILE if "venv" in one.text and "install" in one.text and one.stage < LAST
    )
    for option in ("--without-pip", "--require-hashes", "--only-binary=:all:"):
        assert option in venv


def test_it_serves_as_the_chart_does() -> None:
    command = the_last("CMD").words
    (web,) = dict(charts.pods("default"))["web"]["containers"]
    assert set(command) <= {*web["command"], *web["args"]}


def test_files_that_commands_name_exist() -> None:
    named = [word for one in DOCKERFILE for word in re.findall(rf"{HOME}([\w./-]+\.\w+)", one.text)]
    named += [
        word.partition(HOME)[2]
        for _, pod in charts.pods("default")
        for one in charts.containers(pod)
        for word in (*one["command"], *one.get("args", []))
        if HOME in word
    ]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
    assert (ROOT / "package.json").read_text().count('"build": "node frontend/assets/build.mjs"') == 1


def test_the_lock_of_the_image_agrees_with_that_of_the_project() -> None:
    pins = {name: locked(f"requirements/{name}.txt") for name in ("server", "run", "dev")}
    assert pins["server"].items() <= pins["run"].items()
    assert pins["server"].items() <= pins["dev"].items()


def test_the_lock_of_the_image_holds_what_the_server_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["protobuf"]]
    names = {re.split(r"[\[<>=~! ]", one, maxsplit=1)[0].lower() for one in wanted}
    assert names <= locked("requirements/server.txt").keys()


def locked(path: str) -> dict[str, str]:
    """The versions that a lock pins, by name."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==(\S+)", (ROOT / path).read_text(), re.MULTILINE)
    return {name.lower(): version for name, version in found}
