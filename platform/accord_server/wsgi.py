"""The web's roof: what a WSGI server loads."""

from __future__ import annotations

import logging
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")

django_application = get_wsgi_application()

from accord_server.kit import metric_files  # noqa: E402  # Django stands only now
from accord_server.kit.hot_path import HotPath  # noqa: E402  # as above
from accord_server.kit.intake import Intake  # noqa: E402  # as above
from accord_server.kit.meter import Meter  # noqa: E402  # as above
from accord_server.kit.startup import refuse_misconfiguration  # noqa: E402  # as above

logging.captureWarnings(capture=True)
refuse_misconfiguration()
metric_files.share()
application = Meter(Intake(HotPath(django_application)))
