"""The two database roles: one owns the tables, the other is what the application signs in as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Mapping

    from psycopg import Connection

SUPERUSER: Final = "accord_superuser"
OWNER: Final = "accord_owner"
APP: Final = "accord_app"
DATABASE: Final = "accord"

RIGHTS = {
    OWNER: "LOGIN NOSUPERUSER CREATEDB NOCREATEROLE NOBYPASSRLS",
    APP: "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS",
}


def ensure_roles(connection: Connection[tuple[object, ...]], passwords: Mapping[str, str]) -> None:
    """Make the roles and the database, or bring those of an earlier start up to date."""
    for role, rights in RIGHTS.items():
        _ensure_role(connection, role, f"{rights} PASSWORD", passwords[role])
    if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone() is None:
        create_database(connection, DATABASE, template="template1")


def create_database(connection: Connection[tuple[object, ...]], name: str, *, template: str) -> None:
    """Create a database that the owner role owns and the application role may only enter."""
    database = sql.Identifier(name)
    for statement in (
        sql.SQL("CREATE DATABASE {} OWNER {} TEMPLATE {}").format(
            database, sql.Identifier(OWNER), sql.Identifier(template)
        ),
        sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(database),
        sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, sql.Identifier(APP)),
    ):
        connection.execute(statement)


def drop_database(connection: Connection[tuple[object, ...]], name: str) -> None:
    """Remove a database whoever is connected to it."""
    connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


def _ensure_role(connection: Connection[tuple[object, ...]], role: str, rights: str, password: str) -> None:
    known = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    verb = "ALTER" if known else "CREATE"
    # Role statements take no parameters; `Literal` quotes on the client side.
    statement = sql.SQL("{} ROLE {} WITH {} {}").format(
        sql.SQL(verb), sql.Identifier(role), sql.SQL(rights), sql.Literal(password)
    )
    connection.execute(statement)
