"""The registry as a Django app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.apps import AppConfig

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from uuid import UUID

    from accord_server.kit.scope import Scope

# As the migrations say it to the database, which counts.
COUNTED: Final = (
    ("registry_subject", "subjects", "count(*)"),
    ("registry_version", "versions", "count(*)"),
    ("registry_moduleversion", "versions", "count(*)"),
    ("registry_content", "stored_bytes", "sum(octet_length(text))"),
    (
        "registry_contract",
        "stored_bytes",
        "sum(coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(rule_set::text), 0))",
    ),
    ("registry_protofile", "stored_bytes", "sum(octet_length(descriptor))"),
    ("registry_protonote", "stored_bytes", "sum(octet_length(text) + octet_length(source_info))"),
)


class RegistryConfig(AppConfig):
    """Registers the dialects of the registry and the topics of its side effects."""

    name = "registry"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Say how errors are answered, and who does what happens outside of requests."""
        from accord.formats.protobuf import service
        from accord.formats.protobuf.client import CompilerClient
        from accord_server.kit import api_documents, errors, hot_path, outbox
        from accord_server.kit.configuration import configured
        from accord_server.kit.settings_table import COMPILER_SOCKET
        from registry.api.confluent import hot_reads
        from registry.api.confluent.errors import DIALECT as CONFLUENT
        from registry.api.descriptors.errors import DIALECT as DESCRIPTORS
        from registry.api.documents import DOCUMENTS
        from registry.api.native.errors import DIALECT as NATIVE
        from registry.queries.webhooks import OF_TENANT
        from registry.services.bindings import apply_template
        from registry.services.compiling import FairCompiler
        from registry.services.events import DRY_RUN_REQUESTED, LEVEL_TOPICS, SUBJECT_TOPICS, TOPICS
        from registry.services.indexing import after_change, after_settings
        from registry.services.webhook_sending import fan_out
        from registry.tasks import start_dry_run
        from tenants.services.births import on_birth
        from tenants.services.quotas import count_in

        service.use(FairCompiler(CompilerClient(configured(COMPILER_SOCKET))))
        errors.register(NATIVE)
        errors.register(CONFLUENT)
        errors.register(DESCRIPTORS)
        for document in DOCUMENTS:
            api_documents.register(document)
        hot_path.register_reader(hot_reads.read)
        on_birth(apply_template)
        for table, resource, measure in COUNTED:
            count_in(table, resource, measure)
        outbox.register(outbox.Topic(DRY_RUN_REQUESTED, start_dry_run))
        handlers = dict.fromkeys(SUBJECT_TOPICS, after_change) | dict.fromkeys(LEVEL_TOPICS, after_settings)
        for topic in TOPICS:
            outbox.register(outbox.Topic(topic, handlers.get(topic, outbox.ignore)))
        for topic in (*TOPICS, *OF_TENANT):
            outbox.listen(topic, fan_out)

    def seed_bulk(
        self, scope: Scope, namespaces: Sequence[UUID], subjects: int, chance: random.Random
    ) -> None:
        """Add subjects to a tenant that is made to try the installation out at size."""
        from registry.services.bulk import seed_bulk

        seed_bulk(scope, namespaces, subjects, chance)

    def seed_demo(self, scope: Scope) -> None:
        """Add data worth looking at to a fresh installation."""
        from registry.services.demo import seed_demo

        seed_demo(scope)
