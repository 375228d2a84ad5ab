"""Writes of the registry, and the judging that belongs to them; every one takes the scope first."""

from registry.services.check_runs import cancel_check, explain_or_request, follow_check, request_check
from registry.services.check_work import run_check
from registry.services.compatibility import (
    SCHEMA_REFUSALS,
    check_candidate,
    check_compatibility,
    compare_versions,
)
from registry.services.configuration import change_config, delete_config
from registry.services.contexts import drop_context
from registry.services.deletion import (
    purge_subject,
    purge_version,
    soft_delete_subject,
    soft_delete_version,
)
from registry.services.forms import (
    look_up_in_form,
    register_in_form,
    schema_in_form,
    schema_of_guid_in_form,
    version_in_form,
    version_with_in_form,
)
from registry.services.linting import lint_candidate, lint_version
from registry.services.lookup import look_up_version
from registry.services.modes import change_mode, delete_mode
from registry.services.preset_matrix import candidate_matrix, version_matrix
from registry.services.reading import (
    can_read,
    consumer_schema,
    consumer_schema_of,
    content_models,
    content_models_of,
)
from registry.services.registration import register_version
from registry.services.tagging import tag_version

__all__ = [
    "SCHEMA_REFUSALS",
    "can_read",
    "cancel_check",
    "candidate_matrix",
    "change_config",
    "change_mode",
    "check_candidate",
    "check_compatibility",
    "compare_versions",
    "consumer_schema",
    "consumer_schema_of",
    "content_models",
    "content_models_of",
    "delete_config",
    "delete_mode",
    "drop_context",
    "explain_or_request",
    "follow_check",
    "lint_candidate",
    "lint_version",
    "look_up_in_form",
    "look_up_version",
    "purge_subject",
    "purge_version",
    "register_in_form",
    "register_version",
    "request_check",
    "run_check",
    "schema_in_form",
    "schema_of_guid_in_form",
    "soft_delete_subject",
    "soft_delete_version",
    "tag_version",
    "version_in_form",
    "version_matrix",
    "version_with_in_form",
]
