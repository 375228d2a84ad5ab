"""The single override of the settings: what a run of the tests does differently.

The addresses of PostgreSQL and Redis are filled in by `tests.databases` once the servers answer.
"""

from __future__ import annotations

import os

# A developer's own variables must not change what the tests see.
for name in [name for name in os.environ if name.startswith("ACCORD_")]:
    del os.environ[name]
os.environ.update(
    ACCORD_SECRET_KEY="for-tests-only-0123456789-abcdefghijklmnop",
    ACCORD_TOKEN_PEPPER="for-tests-only-9876543210-ponmlkjihgfedcba",
    ACCORD_METADATA_KEY="for-tests-only-5432109876-fedcbaponmlkjihg",
    ACCORD_DATABASE_URL="postgresql://accord_app@localhost/not-started",
    ACCORD_OWNER_DATABASE_URL="postgresql://accord_owner@localhost/not-started",
    ACCORD_ALLOWED_HOSTS="localhost,127.0.0.1,testserver",
    ACCORD_LOG_LEVEL="WARNING",
)

from accord_server.settings import *  # noqa: E402, F403  # the variables come first
from accord_server.settings import INSTALLED_APPS  # noqa: E402  # as above

# A `flush` that empties tables as their owner, since the application may not; a topic to be watched.
INSTALLED_APPS = ["tests.flushing", "tests.noting", *INSTALLED_APPS]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
