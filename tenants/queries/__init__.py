"""Reads of this room; what precedes the tenant goes through definer functions."""

from tenants.queries.before_tenant import (
    Place,
    ResolvedToken,
    resolve_anonymous,
    resolve_place,
    resolve_token,
    tenants_of,
)
from tenants.queries.clock import database_clock, database_now
from tenants.queries.namespaces import (
    anonymous_access,
    anonymous_record,
    anonymous_row,
    find_namespace,
    namespace_of,
    namespace_record,
    namespaces_of,
    tenant_of,
    tenant_record,
)
from tenants.queries.people import (
    find_principal,
    grants_of_principal,
    principal_record,
    principals_of,
    scope_for_user,
)
from tenants.queries.tokens import token_record, tokens_of

__all__ = [
    "Place",
    "ResolvedToken",
    "anonymous_access",
    "anonymous_record",
    "anonymous_row",
    "database_clock",
    "database_now",
    "find_namespace",
    "find_principal",
    "grants_of_principal",
    "namespace_of",
    "namespace_record",
    "namespaces_of",
    "principal_record",
    "principals_of",
    "resolve_anonymous",
    "resolve_place",
    "resolve_token",
    "scope_for_user",
    "tenant_of",
    "tenant_record",
    "tenants_of",
    "token_record",
    "tokens_of",
]
