"""Documentation that cannot fall behind: links, verbs, modules, files and variables exist."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from accord.cli import main as accord_program
from accord.pipeline.jobs import main as spark_program
from accord.pipeline.reasons import Reason
from accord.pipeline.session import JARS_VARIABLE
from accord_server.dev.state import VARIABLE as STATE_VARIABLE
from accord_server.kit.settings_table import SETTINGS
from tests.shell_blocks import Known, faults, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import click

ROOT = Path(__file__).parents[1]
PLACES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md")
PAGES = sorted({str(path.relative_to(ROOT)) for place in PLACES for path in ROOT.glob(place)})
TOP = "platform|tenants|registry|frontend|tests|benchmarks|docs|requirements|helm"

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
VERB = re.compile(r"(?:`|^\s*\$? *)make ([a-z][a-z-]*)", re.MULTILINE)
MODULE = re.compile(r"python -m ((?:tests|benchmarks|accord|accord_server)[\w.]*)")
FILE = re.compile(rf"`((?:{TOP})/[\w./*{{}}-]+|manage\.py|pyproject\.toml|Makefile)`")
VARIABLE = re.compile(r"\bACCORD_[A-Z_]+\b")
MAKE_VARIABLES = frozenset(
    {"PORT", "RESET", "PYTHON", "ARGS", "IMAGE", "PYTHON_TAG", "PYTHON_DIGEST", "NODE_TAG", "NODE_DIGEST"}
)


def text_of(page: str) -> str:
    """The text of a page."""
    return (ROOT / page).read_text()


def anchors(page: Path) -> set[str]:
    """The anchors of a page, as they are made from its headings."""
    headings = HEADING.findall(FENCE.sub("", page.read_text()))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def links(page: str) -> list[tuple[Path, str]]:
    """The files (and anchors in them) that a page links to inside the tree."""
    here = ROOT / page
    found = [one for one in LINK.findall(FENCE.sub("", text_of(page))) if "://" not in one]
    parts = [one.partition("#") for one in found]
    return [((here.parent / path).resolve() if path else here, anchor) for path, _, anchor in parts]


@cache
def verbs() -> frozenset[str]:
    """The verbs that plain `make` prints."""
    printed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return frozenset(re.findall(r"^\s*make ([a-z-]+)", printed, re.MULTILINE))


@cache
def commands() -> dict[str, click.Command]:
    """Every command of the two command lines by its full name."""
    programs = (("accord", accord_program), ("accord-spark", spark_program))
    return {name: found for top, program in programs for name, found in below(program, top)}


def below(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """A command and those inside it."""
    yield name, command
    for inner, found in getattr(command, "commands", {}).items():
        yield from below(found, f"{name} {inner}")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    missing = [str(path) for path, _ in links(page) if not path.exists()]
    assert missing == []
    assert [anchor for path, anchor in links(page) if anchor and anchor not in anchors(path)] == []


@pytest.mark.parametrize("page", PAGES)
def test_verbs_of_make_exist(page: str) -> None:
    assert set(VERB.findall(text_of(page))) <= verbs()


@pytest.mark.parametrize("page", PAGES)
def test_modules_to_run_exist(page: str) -> None:
    assert [one for one in MODULE.findall(text_of(page)) if find_spec(one) is None] == []


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page: str) -> None:
    named = [one.replace("{", "[").replace("}", "]") for one in FILE.findall(text_of(page))]
    assert [one for one in named if not any(ROOT.glob(re.sub(r"\[[^]]*\]", "*", one)))] == []


@cache
def variables() -> frozenset[str]:
    """Every environment variable of ours: settings, their files, options of commands, two of programs."""
    rows = {row.name for row in SETTINGS} | {f"{row.name}_FILE" for row in SETTINGS}
    clients = {str(option.envvar) for command in commands().values() for option in command.params}
    return frozenset(rows | clients | {STATE_VARIABLE, JARS_VARIABLE})


@cache
def known() -> Known:
    """Everything that a shell block may name."""
    return Known(commands(), verbs(), MAKE_VARIABLES, variables())


@pytest.mark.parametrize("page", PAGES)
def test_variables_are_settings(page: str) -> None:
    assert set(VARIABLE.findall(text_of(page))) <= variables()


@pytest.mark.parametrize("page", PAGES)
def test_what_shell_blocks_name_exists(page: str) -> None:
    lines = lines_of(text_of(page))
    assert [(line, wrong) for line in lines for wrong in faults(line, known())] == []


def test_the_commands_of_the_readme_are_seen() -> None:
    seen = list(lines_of(text_of("README.md")))
    programs = {line.program for line in seen}
    assert {"make", "curl", "python3", ".venv/bin/accord", ".venv/bin/accord-spark"} <= programs
    (spark,) = (line for line in seen if line.name == "accord-spark")
    assert spark.variables == ("ACCORD_TOKEN",)
    assert "--quarantine" in spark.arguments


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("nomake run", "no program nomake"),
        (".venv/bin/acord check a b", "no program .venv/bin/acord"),
        ("make walk", "no verb walk of make"),
        ("make run PROT=1", "no variable PROT of make"),
        ("PROT=1 make run", "no variable PROT"),
        ("export ACCORD_URI=x", "no variable ACCORD_URI"),
        ("ACCORD_TOKN=$TOKEN accord subjects", "no variable ACCORD_TOKN"),
        ("export ACCORD_TOKN=$(cat token)", "no variable ACCORD_TOKN"),
        ("export TOKEN=$(acord x)", "no program acord"),
        ("accord judge a b", "accord: no command judge"),
        ("accord check a b \\\n  --depth FULL", "accord check: No such option"),
        (".venv/bin/accord check a b --level UPWARD", "accord check: Invalid value for '--level'"),
        ("accord check", "accord check: Missing argument"),
        ("accord subjects | accord rules list --colour", "accord rules list: No such option"),
        ("echo 1 > a && make walk", "no verb walk of make"),
        ("python -m tests.nowhere.run", "no module tests.nowhere.run"),
    ],
)
def test_a_slip_in_a_shell_block_is_seen(line: str, wrong: str) -> None:
    page = f"Text.\n\n```sh\ncat > a <<'END'\nnomake\nEND\n{line}\n```\n"
    (found,) = (fault for one in lines_of(page) for fault in faults(one, known()))
    assert found.startswith(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "make",
        "ACCORD_STATE=/tmp/other PORT=9000 make run RESET=1  # a second one",
        "accord check --help",
        "accord rules --help",
        "TOKEN=$(python3 -c 'import json; print(json.load(open(\"a\")))')",
        "accord get orders-value > old.avsc && accord check old.avsc new.avsc --level=FULL",
    ],
)
def test_a_line_without_a_slip_passes(line: str) -> None:
    assert [fault for one in lines_of(f"```sh\n{line}\n```") for fault in faults(one, known())] == []


def test_every_page_can_be_reached_from_the_index() -> None:
    reached, waiting = set[Path](), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        folder_index = page / "README.md" if page.is_dir() else page
        if folder_index.suffix == ".md" and folder_index not in reached:
            reached.add(folder_index)
            waiting += [path for path, _ in links(str(folder_index.relative_to(ROOT)))]
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")} <= {
        str(path.relative_to(ROOT)) for path in reached
    } | {str(path.relative_to(ROOT)) for path in (ROOT / "docs" / "changes").glob("*.*.md")}


def test_the_readme_shows_the_first_steps() -> None:
    assert {"run", "test"} <= set(VERB.findall(text_of("README.md")))


def test_every_reason_of_the_quarantine_is_explained() -> None:
    explained = re.findall(r"^\| `([a-z_]+)` \|", text_of("docs/how-to/spark.md"), re.MULTILINE)
    assert set(explained) == set(Reason)
