"""The image has every package that what it runs loads."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.image.only_locked import OnlyLocked
from tests.processes import ROOT, environment_of


def test_the_lock_of_the_image_is_enough() -> None:
    command = [sys.executable, "-m", "tests.image.only_locked", "requirements/server.txt"]
    environment = environment_of({"DJANGO_SETTINGS_MODULE": "accord_server.settings"})
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "complete\n", done.stderr


def test_a_package_that_the_lock_lacks_is_named() -> None:
    finder = OnlyLocked("django==5.2 \\\n    --hash=sha256:0\n")
    assert finder.find_spec("django.urls") is None
    assert finder.find_spec("accord.model") is None
    assert finder.find_spec("json") is None
    with pytest.raises(ModuleNotFoundError, match="pytest comes with pytest"):
        finder.find_spec("pytest")
