"""The list of checks runs all of its rows and tells what failed."""

from __future__ import annotations

import sys

import pytest

from tests.house.check import CHECKS, Check, chosen, main, report, run

SOUND = Check("sound", "passes", (sys.executable, "-c", "print('fine')"))
BROKEN = Check("broken", "fails", (sys.executable, "-c", "raise SystemExit('no good')"))


def test_a_failing_check_is_told_in_full_and_a_passing_one_in_one_line() -> None:
    told = report([run(SOUND), run(BROKEN)])
    assert "no good" in told
    assert "fine" not in told
    assert [line.split()[:2] for line in told.splitlines()[-2:]] == [["ok", "sound"], ["FAILED", "broken"]]


def test_a_check_may_ask_to_be_shown() -> None:
    assert "fine" in report([run(Check("sound", "passes", SOUND.command, is_shown=True))])


def test_checks_are_chosen_by_name() -> None:
    assert chosen(["types"]) == [check for check in CHECKS if check.name == "types"]
    with pytest.raises(KeyError, match="nothing"):
        chosen(["nothing"])


def test_the_exit_code_tells_of_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["changelog"]) == 0
    assert capsys.readouterr().out.startswith("ok     changelog")
