"""Reads of the registry; every one takes the scope first and shows nothing beyond it."""

from registry.queries.aliases import alias_target
from registry.queries.all_schemas import SchemasAsked, list_schemas
from registry.queries.check_runs import check_run
from registry.queries.contexts import list_contexts
from registry.queries.levels_in_force import level_in_force, read_config
from registry.queries.schemas import (
    highest_id,
    ids_of_guid,
    schema_by_guid,
    schema_by_id,
    subjects_of_schema,
    versions_of_schema,
)
from registry.queries.settings import (
    config_in_force,
    mode_in_force,
    read_mode,
)
from registry.queries.subjects import list_subjects, search_subjects
from registry.queries.versions import (
    dependants_of,
    get_version,
    live_among,
    signed_version_numbers,
    version_numbers,
    versions_of,
)

__all__ = [
    "SchemasAsked",
    "alias_target",
    "check_run",
    "config_in_force",
    "dependants_of",
    "get_version",
    "highest_id",
    "ids_of_guid",
    "level_in_force",
    "list_contexts",
    "list_schemas",
    "list_subjects",
    "live_among",
    "mode_in_force",
    "read_config",
    "read_mode",
    "schema_by_guid",
    "schema_by_id",
    "search_subjects",
    "signed_version_numbers",
    "subjects_of_schema",
    "version_numbers",
    "versions_of",
    "versions_of_schema",
]
