"""`accord-spark decode` as a user runs it: a process of its own, a registry over HTTP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from pyspark.errors import PySparkException

from accord.errors import InvalidSubject
from accord.pipeline import jobs
from tests.accord.client.stand_in import StandIn, stand_in
from tests.pipeline import messages
from tests.pipeline.records import V1, framed, order

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from click.testing import Result

pytestmark = pytest.mark.spark
COMMAND = [sys.executable, "-c", "from accord.pipeline.entry import main; main()"]


@pytest.fixture
def registry() -> Iterator[StandIn]:
    with stand_in() as running:
        running.answer("GET /schemas/ids/1", {"schema": json.dumps(V1)})
        running.answer("GET /schemas/ids/3", {"schema": messages.V3, "schemaType": "PROTOBUF"})
        yield running


@pytest.fixture
def arguments(tmp_path: Path, registry: StandIn) -> list[str]:
    """What the command is given: two sound records and four poisoned ones, the last of them tiny and huge.

    Protobuf is the format for which it needs a compiler and workers of its own; Avro has its turn end to end.
    """
    values = [
        *(messages.order(3, id=number) for number in (7, 8)),
        b"test",
        framed(2, V1, order(7, 1)),
        framed(1, V1, order(7, 1)),
        messages.framed(3, messages.ORDER_AT[3], b"\x3a\x00" * 200_000),
    ]
    lines = [{"topic": "t", "partition": 0, "offset": 0, "value": b64encode(one).decode()} for one in values]
    (tmp_path / "in").write_text("\n".join(map(json.dumps, lines)))
    paths = [
        f"--input={tmp_path / 'in'}",
        f"--output={tmp_path / 'out'}",
        f"--quarantine={tmp_path / 'aside'}",
    ]
    return ["decode", *paths, "--input-format=jsonl", f"--registry-url={registry.url}", "--master=local[1]"]


def run(arguments: list[str], **more: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "ACCORD_TOKEN": "secret", **more}
    return subprocess.run([*COMMAND, *arguments], env=variables, capture_output=True, text=True, check=False)


def here(arguments: list[str], **variables: str) -> Result:
    return CliRunner().invoke(jobs.main, arguments, env=variables)


def test_the_command_reports_what_became_of_the_records(
    arguments: list[str], registry: StandIn, tmp_path: Path
) -> None:
    finished = run(arguments)
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout) == {
        "read": 6,
        "decoded": 2,
        "quarantined": {"wrong_magic": 1, "unknown_schema": 1, "other_format": 1, "too_large": 1},
    }
    assert {asked.headers["Authorization"] for asked in registry.asked} == {"Bearer secret"}
    assert list((tmp_path / "out").glob("*.parquet"))


def test_a_file_that_is_no_dump_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "in").write_text("not json\n")
    finished = run(arguments)
    assert finished.returncode == 1
    assert "Error: [FAILED_READ_FILE" in finished.stderr
    assert not (tmp_path / "out").exists()


def test_missing_jars_are_one_line_with_the_remedy(arguments: list[str], tmp_path: Path) -> None:
    result = here(arguments, ACCORD_SPARK_JARS=str(tmp_path / "none"))
    assert result.exit_code == 2
    assert "dependency:copy-dependencies" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_java_is_one_line_with_the_remedy(arguments: list[str], tmp_path: Path) -> None:
    for variables in ({"JAVA_HOME": str(tmp_path)}, {"JAVA_HOME": "", "PATH": str(tmp_path)}):
        result = here(arguments, **variables)
        assert result.exit_code == 2
        assert "install Java 17" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_java_that_does_not_run_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "java").write_text("#!/bin/sh\nexit 3\n")
    (tmp_path / "bin" / "java").chmod(0o755)
    finished = run(arguments, JAVA_HOME=str(tmp_path))
    assert finished.returncode == 2
    assert "Spark could not start Java (it ended at once)" in finished.stderr
    assert "Traceback" not in finished.stderr


def test_without_pyspark_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    """A Python that finds everything but PySpark."""
    hide = "import sys; sys.modules['pyspark'] = None; "
    finished = subprocess.run(
        [sys.executable, "-c", hide + COMMAND[-1], "decode"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stdout) == (2, "")
    assert finished.stderr.startswith("Error: accord-spark needs PySpark")
    assert finished.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (InvalidSubject(subject="x"), "Error: The specified subject 'x' is not a valid.\n"),
        (PySparkException("first\nsecond"), "Error: first\n"),
    ],
)
def test_trouble_on_the_way_is_one_line(
    problem: Exception, said: str, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_settings: object) -> None:
        raise problem

    monkeypatch.setattr(sys.modules["accord.pipeline.jobs.decode"], "build_session", refuse)
    result = here(arguments)
    assert (result.exit_code, result.stderr) == (1, said)


def test_an_option_that_is_missing_is_named() -> None:
    result = here(["decode", "--input=a"])
    assert result.exit_code == 2
    assert "--output" in result.stderr
