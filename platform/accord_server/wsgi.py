"""The web's roof: what a WSGI server loads."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "accord_server.settings")

application = get_wsgi_application()
