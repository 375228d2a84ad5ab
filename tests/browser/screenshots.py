"""`make screenshots`: run the pictures with the fixtures of the tests, on a served platform."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.exit(pytest.main([str(Path(__file__).with_name("pictures.py")), "-q", "-n0", "--durations=0"]))
