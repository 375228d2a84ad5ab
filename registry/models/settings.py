"""Config and mode of a subject, a context, or all of a namespace."""

from __future__ import annotations

from django.db import models

from accord.model import DEFAULT_CONTEXT
from accord_server.kit.models import TenantOwned
from registry.models.columns import name_field, namespace_field


class Config(TenantOwned):
    """The whole config record of a subject, a context (empty name) or the pseudo-context above all."""

    namespace = namespace_field()
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field(default="", blank=True)
    record = models.JSONField(default=dict)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context", "name"), name="registry_config_once"),
        )


class Mode(TenantOwned):
    """The mode of a subject, a context (empty name) or the pseudo-context above all."""

    namespace = namespace_field()
    context = name_field(default=DEFAULT_CONTEXT)
    name = name_field(default="", blank=True)
    mode = models.CharField(max_length=32)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("namespace", "context", "name"), name="registry_mode_once"),
        )
