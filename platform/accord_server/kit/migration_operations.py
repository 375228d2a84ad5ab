"""Migration steps for what PostgreSQL guards: row-level security, composite keys, definer functions.

Each is reversible and changes no model state. The application's role is the user of the ``default``
database; the role that runs the migration owns what it makes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from django.db import models
from django.db.migrations.operations.base import Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState

POLICY = "accord_tenant"
# nullif: a session that had a tenant and lost it holds the empty text, which is no uuid.
CURRENT_TENANT = "nullif(current_setting('accord.tenant', true), '')::uuid"
ALL_VERBS = "SELECT, INSERT, UPDATE, DELETE"
INSERT_ONLY_VERBS = "SELECT, INSERT"


def application_role() -> str:
    """Return the role that serves requests."""
    return str(settings.DATABASES["default"]["USER"])


class SqlOperation(Operation, ABC):
    """A step that runs statements computed from the state of the models."""

    reduces_to_sql = True
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing: the models stay as they are."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002  # Django's signature
        to_state: ProjectState,
    ) -> None:
        """Run the statements."""
        self._run(schema_editor, self.forward_sql(Names(app_label, schema_editor, to_state)))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002  # Django's signature
    ) -> None:
        """Take the statements back."""
        self._run(schema_editor, self.backward_sql(Names(app_label, schema_editor, from_state)))

    @abstractmethod
    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the statements that do it."""

    @abstractmethod
    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the statements that undo it."""

    def _run(self, schema_editor: BaseDatabaseSchemaEditor, statements: Iterator[str]) -> None:
        for statement in statements:
            # No parameters: a percent sign in a function body is only a percent sign.
            schema_editor.execute(statement, params=None)


class Names:
    """Spells tables, columns and roles as SQL wants them, at one point of the migration graph."""

    def __init__(self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, state: ProjectState) -> None:
        self._app_label = app_label
        self._apps = state.apps
        self._quote = schema_editor.quote_name

    def quote(self, name: str) -> str:
        """Quote one identifier."""
        return str(self._quote(name))

    @property
    def role(self) -> str:
        """The application's role, quoted."""
        return self.quote(application_role())

    def model(self, name: str) -> type[models.Model]:
        """Return the model ``Name`` of this app or ``app.Name`` of another."""
        label = name if "." in name else f"{self._app_label}.{name}"
        return self._apps.get_model(label)

    def table(self, name: str) -> str:
        """Return the quoted table of a model."""
        return self.quote(self.model(name)._meta.db_table)

    def plain_table(self, name: str) -> str:
        """Return the table of a model as it stands in names of constraints."""
        return self.model(name)._meta.db_table

    def column(self, model: str, field: str) -> str:
        """Return the quoted column of a foreign key."""
        return self._column_of(self._foreign_key(model, field))

    def key(self, model: str) -> str:
        """Return the quoted primary key of a model."""
        return self._column_of(self.model(model)._meta.pk)

    def has_composite_key(self, model: str) -> bool:
        """Tell whether the primary key of a model is of several columns."""
        return isinstance(self.model(model)._meta.pk, models.CompositePrimaryKey)

    def target(self, model: str, field: str) -> str:
        """Return the full name of the model that a foreign key points at."""
        return str(self._foreign_key(model, field).remote_field.model._meta.label)

    def _foreign_key(self, model: str, field: str) -> models.ForeignKey[Any, Any]:
        return cast("models.ForeignKey[Any, Any]", self.model(model)._meta.get_field(field))

    def _column_of(self, field: models.Field[Any, Any]) -> str:
        return self.quote(str(field.column))

    def tables_of(self, app_label: str) -> list[str]:
        """Return the quoted tables of an app, many-to-many ones included."""
        every = self._apps.get_app_config(app_label).get_models(include_auto_created=True)
        return sorted({self.quote(model._meta.db_table) for model in every if model._meta.managed})


class EnableRowSecurity(SqlOperation):
    """Shows the rows of a table to their own tenant alone, and lets the application use it.

    ``is_insert_only`` makes rows that the application can add and read but never change. The key
    (tenant, id) that composite foreign keys need is added too, unless the row *is* the tenant
    (``tenant_column="id"``).
    """

    def __init__(
        self, model_name: str, *, tenant_column: str = "tenant_id", is_insert_only: bool = False
    ) -> None:
        self.model_name = model_name
        self.tenant_column = tenant_column
        self.is_insert_only = is_insert_only

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        options = {"tenant_column": self.tenant_column, "is_insert_only": self.is_insert_only}
        return type(self).__name__, [self.model_name], options

    def describe(self) -> str:
        """Say what the step does."""
        return f"Enable row-level security on {self.model_name}"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return f"row_security_{self.model_name.lower()}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield policy, grants and key."""
        table = names.table(self.model_name)
        rule = f"{names.quote(self.tenant_column)} = {CURRENT_TENANT}"
        verbs = INSERT_ONLY_VERBS if self.is_insert_only else ALL_VERBS
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY {POLICY} ON {table} USING ({rule}) WITH CHECK ({rule})"
        yield f"GRANT {verbs} ON {table} TO {names.role}"
        if self._has_key(names):
            key = f"UNIQUE ({names.quote(self.tenant_column)}, {names.key(self.model_name)})"
            yield f"ALTER TABLE {table} ADD CONSTRAINT {self._key_name(names)} {key}"

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse."""
        table = names.table(self.model_name)
        if self._has_key(names):
            yield f"ALTER TABLE {table} DROP CONSTRAINT {self._key_name(names)}"
        yield f"REVOKE {ALL_VERBS} ON {table} FROM {names.role}"
        yield f"DROP POLICY {POLICY} ON {table}"
        yield f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"

    def _has_key(self, names: Names) -> bool:
        """Nothing can point at a row whose key is of several columns."""
        return self.tenant_column != "id" and not names.has_composite_key(self.model_name)

    def _key_name(self, names: Names) -> str:
        return names.quote(f"{names.plain_table(self.model_name)}_tenant_key")


class TenantForeignKey(SqlOperation):
    """Ties a foreign key to the tenant: (tenant, other) must be the tenant's own row.

    The field is a ``ForeignKey(..., db_constraint=False)``; its target has had `EnableRowSecurity`.
    A row whose field is NULL is tied to nothing.
    """

    def __init__(self, model_name: str, field_name: str) -> None:
        self.model_name = model_name
        self.field_name = field_name

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, [self.model_name, self.field_name], {}

    def describe(self) -> str:
        """Say what the step does."""
        return f"Tie {self.model_name}.{self.field_name} to its tenant"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return f"tie_{self.model_name.lower()}_{self.field_name}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the composite key."""
        column = names.column(self.model_name, self.field_name)
        target = names.target(self.model_name, self.field_name)
        other = f"{names.table(target)} (tenant_id, {names.key(target)})"
        yield (
            f"ALTER TABLE {names.table(self.model_name)} ADD CONSTRAINT {self._name(names)}"
            f" FOREIGN KEY (tenant_id, {column}) REFERENCES {other}"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse."""
        yield f"ALTER TABLE {names.table(self.model_name)} DROP CONSTRAINT {self._name(names)}"

    def _name(self, names: Names) -> str:
        return names.quote(f"{names.plain_table(self.model_name)}_{self.field_name}_tenant_fk")


class FreezeRows(SqlOperation):
    """Lets the application add, read, lock and remove the rows of a table, and change none of them.

    Locking a row asks for the right to change something of it: its key, which other rows hold fast.
    """

    def __init__(self, model_name: str) -> None:
        self.model_name = model_name

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, [self.model_name], {}

    def describe(self) -> str:
        """Say what the step does."""
        return f"Freeze the rows of {self.model_name}"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return f"freeze_{self.model_name.lower()}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the grants."""
        table = names.table(self.model_name)
        yield f"REVOKE UPDATE ON {table} FROM {names.role}"
        if not names.has_composite_key(self.model_name):
            yield f"GRANT UPDATE ({names.key(self.model_name)}) ON {table} TO {names.role}"

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse; what is taken off a table is taken off its columns too."""
        table = names.table(self.model_name)
        yield f"REVOKE UPDATE ON {table} FROM {names.role}"
        yield f"GRANT UPDATE ON {table} TO {names.role}"


class SecurityDefinerFunction(SqlOperation):
    """Makes a function that runs as the owner of the tables, for what precedes the tenant.

    ``arguments`` and ``returns`` are SQL; ``body`` is one SQL query (or PL/pgSQL). Only the
    application may call it, and its search path cannot be bent by the caller.
    """

    def __init__(
        self,
        name: str,
        *,
        arguments: str,
        returns: str,
        body: str,
        language: str = "sql",
        volatility: str = "STABLE",
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.returns = returns
        self.body = body
        self.language = language
        self.volatility = volatility

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        fields = ("arguments", "returns", "body", "language", "volatility")
        return type(self).__name__, [self.name], {field: getattr(self, field) for field in fields}

    def describe(self) -> str:
        """Say what the step does."""
        return f"Create the definer function {self.name}"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return f"function_{self.name}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the function and who may call it."""
        signature = f"{names.quote(self.name)}({self.arguments})"
        yield (
            f"CREATE FUNCTION {signature} RETURNS {self.returns} LANGUAGE {self.language}"
            f" {self.volatility} SECURITY DEFINER SET search_path = public, pg_temp"
            f" AS $accord$ {self.body} $accord$"
        )
        function = names.quote(self.name)
        yield f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC"
        yield f"GRANT EXECUTE ON FUNCTION {function} TO {names.role}"

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse."""
        yield f"DROP FUNCTION {names.quote(self.name)}"


class RemovedDefinerFunction(SecurityDefinerFunction):
    """Takes such a function away again, most often to make room for another of its name."""

    def describe(self) -> str:
        """Say what the step does."""
        return f"Remove the definer function {self.name}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the end of the function."""
        yield from super().backward_sql(names)

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the function as it was."""
        yield from super().forward_sql(names)


class GrantTables(SqlOperation):
    """Lets the application use the tables of apps that know no tenants, Django's own above all."""

    def __init__(self, *app_labels: str, verbs: str = ALL_VERBS) -> None:
        self.app_labels = app_labels
        self.verbs = verbs

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, list(self.app_labels), {"verbs": self.verbs}

    def describe(self) -> str:
        """Say what the step does."""
        return f"Let the application use {', '.join(self.app_labels)}"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return "grant_" + "_".join(self.app_labels)

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield one grant per table."""
        for table in self._tables(names):
            yield f"GRANT {self.verbs} ON {table} TO {names.role}"

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse."""
        for table in self._tables(names):
            yield f"REVOKE {self.verbs} ON {table} FROM {names.role}"

    def _tables(self, names: Names) -> list[str]:
        return [table for label in self.app_labels for table in names.tables_of(label)]


class GrantTable(SqlOperation):
    """Lets the application use one table that belongs to no model."""

    def __init__(self, table: str, *, verbs: str) -> None:
        self.table = table
        self.verbs = verbs

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, [self.table], {"verbs": self.verbs}

    def describe(self) -> str:
        """Say what the step does."""
        return f"Let the application use {self.table}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the grant."""
        yield f"GRANT {self.verbs} ON {names.quote(self.table)} TO {names.role}"

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the same in reverse."""
        yield f"REVOKE {self.verbs} ON {names.quote(self.table)} FROM {names.role}"
