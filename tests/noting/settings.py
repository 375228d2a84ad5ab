"""The settings of a process that knows the topic; the variables come from the test."""

from __future__ import annotations

from accord_server.settings import *  # noqa: F403  # everything else is as in production
from accord_server.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.noting"]
