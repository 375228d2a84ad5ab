"""Buf's own lists of rules: each category holds exactly what our preset of its name blocks."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from accord.diff.protobuf_changes import Difference
from accord.model import Severity
from accord.policy.policies import BLOCKING_RULES
from accord.rules.columns import CATEGORIES
from accord.rules.presets import PRESETS
from tests.oracle.buf_command import binary

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_a_category_is_the_preset_of_its_name(version: str, tmp_path: Path) -> None:
    command = [binary(), "config", "ls-breaking-rules", "--version", version, "--format", "json"]
    listed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    theirs: dict[str, set[str]] = {}
    for row in map(json.loads, listed.splitlines()):
        for category in row["categories"] if not row["deprecated"] else ():
            theirs.setdefault(category, set()).add(row["id"])
    # What a config asks for blocks whatever the preset.
    weighed = set(map(str, Difference)) - BLOCKING_RULES
    ours = {
        name: {rule for rule in weighed if PRESETS[preset][rule] is Severity.BLOCK}
        for name in CATEGORIES
        if (preset := f"buf:{version}:{name}") in PRESETS
    }
    assert theirs == ours
