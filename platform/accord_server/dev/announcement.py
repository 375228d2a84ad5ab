"""What a run tells its user once it is ready: addresses, sign-in, and lines that work when pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TEMPLATE = """
Accord is ready.

  Pages     {url}/
  Sign in   {username} / {password}
  Registry  {registry_url}
  Token     {token}

List the subjects:

{curl}

Register a schema and read it back (pip install "confluent-kafka[schemaregistry]"):

{snippet}

Ctrl-C stops everything and keeps the data.
"""
SNIPPET = """
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
registry = SchemaRegistryClient({{"url": "{registry_url}", "basic.auth.user.info": "api-key:{token}"}})
order = '{{"type": "record", "name": "Order", "fields": [{{"name": "id", "type": "long"}}]}}'
print(registry.register_schema("hello-value", Schema(order, "AVRO")))
print(registry.get_latest_version("hello-value").schema.schema_str)
""".strip()


def curl_line(run: Mapping[str, Any]) -> str:
    """Return a command that lists the subjects."""
    return f"curl -s -H 'Authorization: Bearer {run['token']}' {run['registry_url']}/subjects"


def python_snippet(run: Mapping[str, Any]) -> str:
    """Return Python for the Confluent client that registers a schema and reads it back."""
    return SNIPPET.format(registry_url=run["registry_url"], token=run["token"])


def announcement(run: Mapping[str, Any]) -> str:
    """Return the text printed when the platform is ready."""
    return TEMPLATE.format(
        url=run["url"],
        registry_url=run["registry_url"],
        token=run["token"],
        username=run["admin"]["username"],
        password=run["admin"]["password"],
        curl=curl_line(run),
        snippet=python_snippet(run),
    )
