"""The Django project: settings, URLs, workers and the kit that all rooms share."""
