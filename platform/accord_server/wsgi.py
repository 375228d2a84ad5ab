"""The web's roof: what a WSGI server loads."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")

django_application = get_wsgi_application()

# Django stands only now, and these modules read its settings.
from accord_server.kit.body import BodyReader
from accord_server.kit.metrics import Meter
from accord_server.kit.startup import refuse_misconfiguration

refuse_misconfiguration()
application = Meter(BodyReader(django_application))
