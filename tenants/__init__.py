"""The room of people and access: tenants, namespaces, members, roles, tokens, audit."""
