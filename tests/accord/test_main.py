"""The library run as a module."""

from __future__ import annotations

import runpy
import sys

import pytest


def test_the_module_is_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["accord", "rules", "explain", "frozen"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("accord", run_name="__main__")
    assert not ended.value.code
    assert capsys.readouterr().out.startswith("FROZEN")
