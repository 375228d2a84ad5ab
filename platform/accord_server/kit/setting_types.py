"""How the text of an environment variable becomes a value: exact accepted words, loud refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import unquote, urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
JsonSchema = Mapping[str, object]
Network = IPv4Network | IPv6Network

WORDS_FOR_TRUE = ("true", "yes", "on", "1")
WORDS_FOR_FALSE = ("false", "no", "off", "0")
SLUG = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
SLUG_LENGTHS = range(2, 41)
DOMAIN_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
# A name has 253 characters at most; a label of 63 and its dot must fit before it.
LONGEST_DOMAIN = 189
SHORTEST_SECRET = 32
BETWEEN_SECRETS = ","
MAIL_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class SettingType(Generic[T]):
    """A named way to read a value; ``parse`` raises ValueError with a sentence for the operator.

    The sentence never repeats the text, since the text may be a secret. ``schema`` is the JSON Schema
    of the value where it is written as YAML, in the values of the Helm chart.
    """

    name: str
    parse: Callable[[str], T]
    schema: JsonSchema = field(default_factory=lambda: {"type": "string"})


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """What one PostgreSQL address says; ``host`` may be a folder of unix sockets."""

    name: str = ""
    user: str = ""
    password: str = ""
    host: str = ""
    port: str = ""
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NamespaceAddress:
    """A namespace named by ``tenant/namespace``."""

    tenant: str
    namespace: str


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that mails go through; without a host nothing is sent."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    is_tls: bool = False
    starts_tls: bool = False


@dataclass(frozen=True, slots=True)
class OidcProvider:
    """A provider of OpenID Connect; ``slug`` names it in addresses and must never change."""

    slug: str
    name: str
    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    domains: tuple[str, ...] = ()

    def app(self) -> dict[str, object]:
        """Describe it to allauth."""
        settings = {"server_url": self.issuer, "domains": list(self.domains)}
        known = {"provider_id": self.slug, "name": self.name, "client_id": self.client_id}
        return {**known, "secret": self.client_secret, "settings": settings}


def parse_boolean(text: str) -> bool:
    """Read one of eight words, spelled exactly."""
    if text in WORDS_FOR_TRUE:
        return True
    if text in WORDS_FOR_FALSE:
        return False
    accepted = ", ".join(WORDS_FOR_TRUE + WORDS_FOR_FALSE)
    raise ValueError(f"must be one of: {accepted}")


def parse_words(text: str) -> list[str]:
    """Read a list separated by commas; blanks around entries do not count."""
    return [word.strip() for word in text.split(",") if word.strip()]


def parse_database(text: str) -> DatabaseAddress:
    """Read a PostgreSQL URL in any form libpq knows."""
    if not text:
        return DatabaseAddress()
    if not text.startswith(("postgresql://", "postgres://")):
        raise ValueError("must start with postgresql://")
    try:
        parts = {key: str(value) for key, value in conninfo_to_dict(text).items()}
    except psycopg.ProgrammingError:
        raise ValueError("is not a PostgreSQL URL") from None
    if not (parts.get("user") and parts.get("dbname")):
        raise ValueError("must name a user and a database")
    if not re.fullmatch(r"[0-9,]*", parts.get("port", "")):
        raise ValueError("must have a number as its port")
    return _database_address(parts)


def _database_address(parts: dict[str, str]) -> DatabaseAddress:
    return DatabaseAddress(
        name=parts.pop("dbname"),
        user=parts.pop("user"),
        password=parts.pop("password", ""),
        host=parts.pop("host", ""),
        port=parts.pop("port", ""),
        options=tuple(sorted(parts.items())),
    )


def parse_mail_server(text: str) -> MailServer:
    """Read the address of a mail server; the empty text means none."""
    if not text:
        return MailServer()
    form = "must have the form smtp://NAME:PASSWORD@HOST:PORT, or smtps:// in place of smtp://"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise ValueError(form) from None
    if parts.scheme not in MAIL_PORTS or not parts.hostname or parts.path not in {"", "/"}:
        raise ValueError(form)
    if parts.query not in {"", "tls=never"}:
        raise ValueError("must have no options but tls=never")
    is_tls = parts.scheme == "smtps"
    user, password = (unquote(one or "") for one in (parts.username, parts.password))
    starts_tls = not is_tls and not parts.query
    return MailServer(parts.hostname, port or MAIL_PORTS[parts.scheme], user, password, is_tls, starts_tls)


def parse_providers(text: str) -> tuple[OidcProvider, ...]:
    """Read the providers of OpenID Connect; the empty text means none."""
    try:
        found = json.loads(text or "[]")
    except ValueError:
        raise ValueError("must be JSON") from None
    if not isinstance(found, list):
        raise ValueError("must be a JSON list of objects")  # noqa: TRY004  # what the table asks of a type
    providers = tuple(_provider(one) for one in found)
    if len({one.slug for one in providers}) < len(providers):
        raise ValueError("must name each provider by a slug of its own")
    return providers


def _provider(found: object) -> OidcProvider:
    texts = ("slug", "name", "issuer", "client_id", "client_secret")
    if not isinstance(found, dict) or not set(texts) <= set(found) <= {*texts, "domains"}:
        raise ValueError(f"must give each provider {', '.join(texts)}, perhaps domains, and nothing else")
    domains = found.get("domains", [])
    if not isinstance(domains, list) or not all(
        isinstance(one, str) for one in (*domains, *map(found.get, texts))
    ):
        raise ValueError("must give texts, and domains as a list of texts")
    if not is_slug(found["slug"]) or not found["issuer"].startswith(("https://", "http://localhost")):
        raise ValueError("must give a slug in small letters and an issuer that begins with https://")
    said = {name: found[name] for name in texts} | {"issuer": found["issuer"].rstrip("/")}
    return OidcProvider(**said, domains=tuple(one.lower() for one in domains))


def parse_namespace(text: str) -> NamespaceAddress | None:
    """Read ``tenant/namespace``; the empty text means none."""
    if not text:
        return None
    tenant, _, namespace = text.partition("/")
    if not all(is_slug(part) for part in (tenant, namespace)):
        raise ValueError("must have the form tenant/namespace, both in lower-case slugs")
    return NamespaceAddress(tenant=tenant, namespace=namespace)


def parse_secrets(text: str) -> str:
    """Read secrets separated by commas; the empty text means none yet, and is never one of them."""
    if text and any(len(one) < SHORTEST_SECRET for one in text.split(BETWEEN_SECRETS)):
        raise ValueError(f"must hold {SHORTEST_SECRET} or more characters before and after each comma")
    return text


def is_slug(text: str) -> bool:
    """Tell whether the text can name a tenant or a namespace."""
    return len(text) in SLUG_LENGTHS and SLUG.fullmatch(text) is not None


def parse_domain(text: str) -> str:
    """Read the name of a domain in small letters; the empty text means none."""
    name = text.lower().removesuffix(".")
    if name and (len(name) > LONGEST_DOMAIN or not DOMAIN_NAME.fullmatch(name)):
        raise ValueError("must be the name of a domain, such as registry.example.org")
    return name


def parse_networks(text: str) -> tuple[Network, ...]:
    """Read networks in CIDR form, separated by commas."""
    try:
        return tuple(ip_network(word) for word in parse_words(text))
    except ValueError:
        raise ValueError("must hold networks such as 10.1.0.0/16, separated by commas") from None


def integer(minimum: int, maximum: int) -> SettingType[int]:
    """Make the type of whole numbers between two bounds, both allowed."""

    def parse(text: str) -> int:
        if re.fullmatch(r"[0-9]{1,18}", text) is None or not minimum <= int(text) <= maximum:
            raise ValueError(f"must be a whole number from {minimum} to {maximum}")
        return int(text)

    schema = {"type": "integer", "minimum": minimum, "maximum": maximum}
    return SettingType(f"whole number, {minimum} to {maximum}", parse, schema)


def choice(*words: str) -> SettingType[str]:
    """Make the type of a text that is one of the given words."""
    accepted = ", ".join(words)

    def parse(text: str) -> str:
        if text not in words:
            raise ValueError(f"must be one of: {accepted}")
        return text

    return SettingType(f"one of {accepted}", parse, {"enum": list(words)})


def url(*schemes: str) -> SettingType[str]:
    """Make the type of an absolute URL with one of the schemes, given without a final slash."""
    accepted = " or ".join(f"{scheme}://" for scheme in schemes)

    def parse(text: str) -> str:
        try:
            parts = urlsplit(text)
        except ValueError:
            raise ValueError("is not a URL") from None
        if parts.scheme not in schemes or not (parts.netloc or parts.path):
            raise ValueError(f"must start with {accepted}")
        return text.rstrip("/")

    starts = "|".join(re.escape(scheme) for scheme in schemes)
    return SettingType(f"URL, {accepted}", parse, _matching(rf"(?:{starts})://.+"))


def _matching(pattern: str) -> JsonSchema:
    return {"type": "string", "pattern": f"^(?:{pattern})$"}


TEXT: SettingType[str] = SettingType("text", str)
BOOLEAN = SettingType("true or false", parse_boolean, {"type": "boolean"})
WORDS = SettingType("words separated by commas", parse_words)
DATABASE = SettingType("PostgreSQL URL", parse_database)
MAIL_SERVER = SettingType("URL of a mail server", parse_mail_server)
PROVIDERS = SettingType("JSON list of providers", parse_providers)
SECRETS = SettingType("secrets separated by commas", parse_secrets)
NAMESPACE = SettingType("tenant/namespace", parse_namespace, _matching(rf"|{SLUG.pattern}/{SLUG.pattern}"))
DOMAIN = SettingType("domain", parse_domain, _matching(rf"|{DOMAIN_NAME.pattern}"))
NETWORKS = SettingType("networks separated by commas", parse_networks)
