"""The settings table: every variable an operator can set, once.

`accord_server.settings`, the reference page and the Helm values are read from it;
`accord_server.kit.environment` reads the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from accord_server.kit.setting_types import (
    BOOLEAN,
    DATABASE,
    DOMAIN,
    MAIL_SERVER,
    NAMESPACE,
    NETWORKS,
    PROVIDERS,
    SECRETS,
    TEXT,
    WORDS,
    SettingType,
    choice,
    integer,
    url,
)

T = TypeVar("T")

KIBIBYTE = 1024
HOUR = 3600
MOST = 10**15


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One row: the variable, its type, the default as an operator would spell it, one sentence."""

    name: str
    type: SettingType[T]
    default: str
    sentence: str
    is_secret: bool = False


SECRET_KEY = Setting(
    "ACCORD_SECRET_KEY", TEXT, "", "Signs sessions and forms; at least 32 random characters.", is_secret=True
)
TOKEN_PEPPER = Setting(
    "ACCORD_TOKEN_PEPPER",
    SECRETS,
    "",
    "Mixed into the stored digest of every token; encrypts the secrets of second factors, and the secrets of"
    " webhooks come from the first; at least 32 random characters."
    " To replace it, add another after a comma and keep the first.",
    is_secret=True,
)
METADATA_KEY = Setting(
    "ACCORD_METADATA_KEY",
    SECRETS,
    "",
    "Encrypts stored values of metadata that a schema calls sensitive, which are refused without it;"
    " at least 32 random characters. To replace it, add another after a comma, and keep the first until"
    " `manage.py reseal_metadata` is done.",
    is_secret=True,
)
DATABASE_URL = Setting(
    "ACCORD_DATABASE_URL",
    DATABASE,
    "postgresql://accord_app@localhost:5432/accord",
    "The database as the application role: owns no table and does not bypass row-level security.",
    is_secret=True,
)
OWNER_DATABASE_URL = Setting(
    "ACCORD_OWNER_DATABASE_URL",
    DATABASE,
    "",
    "The same database as the role that owns the tables; only migrations need it.",
    is_secret=True,
)
DATABASE_CONNECT_TIMEOUT = Setting(
    "ACCORD_DATABASE_CONNECT_TIMEOUT",
    integer(1, 60),
    "5",
    "Seconds to wait for a new database connection.",
)
DATABASE_STATEMENT_TIMEOUT = Setting(
    "ACCORD_DATABASE_STATEMENT_TIMEOUT",
    integer(1, HOUR),
    "30",
    "Seconds after which the database gives up one statement.",
)
DATABASE_CONNECTION_AGE = Setting(
    "ACCORD_DATABASE_CONNECTION_AGE",
    integer(0, 24 * HOUR),
    "600",
    "Seconds a database connection is kept; 0 opens one per request.",
)
REDIS_URL = Setting(
    "ACCORD_REDIS_URL",
    url("redis", "rediss", "redis+socket"),
    "redis://localhost:6379/0",
    "Redis: queue of the workers and invalidation messages; losing its data loses nothing.",
    is_secret=True,
)
DEBUG = Setting("ACCORD_DEBUG", BOOLEAN, "false", "Show technical error pages; never in public.")
ALLOWED_HOSTS = Setting(
    "ACCORD_ALLOWED_HOSTS",
    WORDS,
    "localhost,127.0.0.1,[::1]",
    "Host names this server answers to; a leading dot covers sub-domains.",
)
PUBLIC_URL = Setting(
    "ACCORD_PUBLIC_URL",
    url("http", "https"),
    "http://localhost:8081",
    "The address under which people and clients reach the platform.",
)
BEHIND_PROXY = Setting(
    "ACCORD_BEHIND_PROXY",
    BOOLEAN,
    "false",
    "Trust X-Forwarded-Proto and X-Forwarded-For; only behind a proxy that sets them itself.",
)
ROOT_NAMESPACE = Setting(
    "ACCORD_ROOT_NAMESPACE",
    NAMESPACE,
    "",
    "Also serve this namespace's registry at the root, for clients that know no path.",
)
MODE_CHANGES = Setting(
    "ACCORD_MODE_CHANGES",
    BOOLEAN,
    "true",
    "Let modes of subjects and contexts be set and cleared; otherwise every change is refused with 42205.",
)
FORBIDDEN_DELETIONS = Setting(
    "ACCORD_FORBIDDEN_DELETIONS",
    choice("none", "soft", "permanent", "all"),
    "none",
    "Deletions of versions and subjects that nobody may make, in any tenant; they are refused with 42205.",
)
BASE_DOMAIN = Setting(
    "ACCORD_BASE_DOMAIN",
    DOMAIN,
    "",
    "Also serve namespaces at hosts of this domain: TENANT.DOMAIN and NAMESPACE--TENANT.DOMAIN. Hosts that"
    " neither name a namespace nor stand in ACCORD_ALLOWED_HOSTS are refused then.",
)
NAME_AVRO = Setting(
    "ACCORD_NAME_AVRO",
    BOOLEAN,
    "false",
    "Name the type AVRO to every client of the Confluent API, for those like NiFi 2 that cannot do without.",
)
BODY_LIMIT = Setting(
    "ACCORD_BODY_LIMIT",
    integer(64 * KIBIBYTE, 64 * KIBIBYTE * KIBIBYTE),
    str(5 * KIBIBYTE * KIBIBYTE),
    "Largest request body in bytes; a longer one is refused with 413.",
)
DESCRIPTOR_LIMIT = Setting(
    "ACCORD_DESCRIPTOR_LIMIT",
    integer(64 * KIBIBYTE, 64 * KIBIBYTE * KIBIBYTE),
    str(32 * KIBIBYTE * KIBIBYTE),
    "Largest body of an upload of descriptors in bytes; a longer one is refused with 413.",
)
BODY_TIMEOUT = Setting(
    "ACCORD_BODY_TIMEOUT",
    integer(1, HOUR),
    "15",
    "Seconds a client may take to send a body; each process waits for two slow ones, others get 503.",
)
SESSION_HOURS = Setting(
    "ACCORD_SESSION_HOURS",
    integer(1, 720),
    "12",
    "Hours after which a person must sign in anew, however busy the session is.",
)
SESSION_IDLE_MINUTES = Setting(
    "ACCORD_SESSION_IDLE_MINUTES",
    integer(1, 43_200),
    "120",
    "Minutes without a page after which a session ends.",
)
PASSWORD_LENGTH = Setting(
    "ACCORD_PASSWORD_LENGTH",
    integer(8, 128),
    "12",
    "Characters that a new password must have; what is common or like the user's name is refused as well.",
)
EMAIL_URL = Setting(
    "ACCORD_EMAIL_URL",
    MAIL_SERVER,
    "",
    "The server that sends mail, smtp://NAME:PASSWORD@HOST:587 (STARTTLS) or smtps:// with its port 465;"
    " ?tls=never sends in the clear. Without one, operators hand out links for new passwords.",
    is_secret=True,
)
EMAIL_FROM = Setting("ACCORD_EMAIL_FROM", TEXT, "accord@localhost", "The sender of mails.")
OIDC_PROVIDERS = Setting(
    "ACCORD_OIDC_PROVIDERS",
    PROVIDERS,
    "",
    "Providers of OpenID Connect by which people may sign in, a JSON list of objects: slug, name, issuer,"
    " client_id, client_secret, and domains, those that verified e-mail addresses must have (none: any).",
    is_secret=True,
)
TOKEN_CACHE_SECONDS = Setting(
    "ACCORD_TOKEN_CACHE_SECONDS",
    integer(0, 2),
    "2",
    "Seconds a process may rely on a token it has verified.",
)
TASK_VISIBILITY_TIMEOUT = Setting(
    "ACCORD_TASK_VISIBILITY_TIMEOUT",
    integer(5, 24 * HOUR),
    "900",
    "Seconds until a task whose worker vanished is handed to another; longer than any task runs.",
)
OUTBOX_INTERVAL = Setting(
    "ACCORD_OUTBOX_INTERVAL",
    integer(1, HOUR),
    "5",
    "Seconds between two looks for side effects that are still to be done.",
)
CHECK_LEASE = Setting(
    "ACCORD_CHECK_LEASE",
    integer(1, HOUR),
    "60",
    "Seconds without progress after which an asynchronous check or a dry run is handed to another worker.",
)
CHECK_RETENTION_DAYS = Setting(
    "ACCORD_CHECK_RETENTION_DAYS",
    integer(1, 3650),
    "7",
    "Days that a finished asynchronous check or dry run and its result are kept.",
)
AUDIT_MONTHS = Setting(
    "ACCORD_AUDIT_MONTHS",
    integer(0, 1200),
    "0",
    "Whole months of the audit log that are kept beside the present one; 0 keeps all, 1 and 2 count as 3."
    " Older ones are dropped, and an anchor of each stays, so that the rest can be verified.",
)
GRACE_DAYS = Setting(
    "ACCORD_GRACE_DAYS",
    integer(0, 3650),
    "30",
    "Days that a deleted tenant or namespace can be restored; then all that it had is removed for good.",
)
OPEN_CHECKS = Setting(
    "ACCORD_OPEN_CHECKS",
    integer(1, 100_000),
    "100",
    "Asynchronous checks of one tenant that may be unfinished at a time; one more is refused with 429.",
)
INLINE_CHECK_BYTES = Setting(
    "ACCORD_INLINE_CHECK_BYTES",
    integer(1, 1024 * KIBIBYTE * KIBIBYTE),
    "1000000",
    "Bytes of schema texts, old and new with their references, that a request compares; those of Protobuf"
    " count fourfold. More go to a worker.",
)
INLINE_CHECK_FILES = Setting(
    "ACCORD_INLINE_CHECK_FILES",
    integer(1, 100_000),
    "100",
    "Files that a schema which a request compares may consist of: its own and all that it refers to.",
)
INLINE_CHECK_VERSIONS = Setting(
    "ACCORD_INLINE_CHECK_VERSIONS",
    integer(1, 100_000),
    "500",
    "Versions that a request compares by itself; a longer history goes to a worker.",
)
CHECK_PATIENCE = Setting(
    "ACCORD_CHECK_PATIENCE",
    integer(0, 300),
    "15",
    "Seconds that a registration or a compatibility check waits for a worker before it answers 503.",
)
CHECK_WAITERS = Setting(
    "ACCORD_CHECK_WAITERS",
    integer(0, 1_000),
    "2",
    "Requests of one process that may wait for a worker; at least six below its threads.",
)
CHECK_WAITERS_PER_TENANT = Setting(
    "ACCORD_CHECK_WAITERS_PER_TENANT",
    integer(0, 1_000),
    "1",
    "Requests of one tenant that may wait for a worker in one process; others get 503 at once.",
)
QUOTA_NAMESPACES = Setting(
    "ACCORD_QUOTA_NAMESPACES",
    integer(0, 1_000_000),
    "1000",
    "Namespaces of one tenant, deleted ones left out; 0 sets no limit. This and the other quotas are what"
    " counts where none is set for the tenant.",
)
QUOTA_SUBJECTS = Setting(
    "ACCORD_QUOTA_SUBJECTS",
    integer(0, MOST),
    "1000000",
    "Subjects of one tenant, in all its namespaces, until they are deleted for good; 0 sets no limit.",
)
QUOTA_VERSIONS = Setting(
    "ACCORD_QUOTA_VERSIONS",
    integer(0, MOST),
    "10000000",
    "Versions of subjects and of modules of one tenant, until they are deleted for good; 0 sets no limit.",
)
QUOTA_STORED_BYTES = Setting(
    "ACCORD_QUOTA_STORED_BYTES",
    integer(0, MOST),
    str(100 * KIBIBYTE**3),
    "Bytes of schema texts, metadata, rules and compiled files of one tenant, each counted once however often"
    " it is used; 0 sets no limit.",
)
QUOTA_TOKENS = Setting(
    "ACCORD_QUOTA_TOKENS",
    integer(0, 10_000_000),
    "10000",
    "Tokens of one tenant that are not over; 0 sets no limit.",
)
QUOTA_SCHEMA_BYTES = Setting(
    "ACCORD_QUOTA_SCHEMA_BYTES",
    integer(0, 64 * KIBIBYTE * KIBIBYTE),
    "0",
    "Bytes of one schema text that is registered; 0 sets no limit beside those of all requests.",
)
QUOTA_REQUESTS = Setting(
    "ACCORD_QUOTA_REQUESTS_PER_SECOND",
    integer(0, 1_000_000),
    "0",
    "Requests of one tenant that each process of a web server answers in a second, more get 429; 0 sets no"
    " limit. Every process counts by itself, so that the whole is about so many times their number.",
)
USAGE_DAYS = Setting(
    "ACCORD_USAGE_DAYS",
    integer(1, 3660),
    "400",
    "Days for which is kept how much of its quotas a tenant used.",
)
DRY_RUN_SECONDS = Setting(
    "ACCORD_DRY_RUN_SECONDS",
    integer(1, 540),
    "300",
    "Seconds that a dry run of a policy may work; then it ends with what it has found, and says so.",
)
WEBHOOK_NETWORKS = Setting(
    "ACCORD_WEBHOOK_NETWORKS",
    NETWORKS,
    "",
    "Networks of private addresses, such as 10.1.0.0/16, that webhooks may call, there without TLS as well.",
)
WEBHOOK_TIMEOUT = Setting(
    "ACCORD_WEBHOOK_TIMEOUT", integer(1, 60), "10", "Seconds that a receiver of webhooks has to answer."
)
COMPILER_SOCKET = Setting(
    "ACCORD_COMPILER_SOCKET",
    TEXT,
    "/run/accord/compiler",
    "The unix socket at which the process that compiles Protobuf listens, on the same machine.",
)
METRICS_PORT = Setting(
    "ACCORD_METRICS_PORT",
    integer(0, 65535),
    "0",
    "The port at which a worker or the schedule answers probes and shows its counters; 0 opens none.",
)
METRICS_FOLDER = Setting(
    "ACCORD_METRICS_FOLDER",
    TEXT,
    "",
    "A folder in which the processes of one web server or worker add up their counters; without one each"
    " shows its own.",
)
ACCESS_LOG = Setting(
    "ACCORD_ACCESS_LOG",
    BOOLEAN,
    "false",
    "Log a line for each answer: method, path, status, time, address and whose tenant it was.",
)
LOG_LEVEL = Setting(
    "ACCORD_LOG_LEVEL",
    choice("DEBUG", "INFO", "WARNING", "ERROR"),
    "INFO",
    "The least severe message that is logged.",
)
LOG_FORMAT = Setting(
    "ACCORD_LOG_FORMAT",
    choice("json", "text"),
    "json",
    "One JSON object per line, or lines for people.",
)

SETTINGS: tuple[Setting[Any], ...] = (
    SECRET_KEY,
    TOKEN_PEPPER,
    METADATA_KEY,
    DATABASE_URL,
    OWNER_DATABASE_URL,
    DATABASE_CONNECT_TIMEOUT,
    DATABASE_STATEMENT_TIMEOUT,
    DATABASE_CONNECTION_AGE,
    REDIS_URL,
    DEBUG,
    ALLOWED_HOSTS,
    PUBLIC_URL,
    BEHIND_PROXY,
    ROOT_NAMESPACE,
    MODE_CHANGES,
    FORBIDDEN_DELETIONS,
    BASE_DOMAIN,
    NAME_AVRO,
    BODY_LIMIT,
    DESCRIPTOR_LIMIT,
    BODY_TIMEOUT,
    SESSION_HOURS,
    SESSION_IDLE_MINUTES,
    PASSWORD_LENGTH,
    EMAIL_URL,
    EMAIL_FROM,
    OIDC_PROVIDERS,
    TOKEN_CACHE_SECONDS,
    TASK_VISIBILITY_TIMEOUT,
    OUTBOX_INTERVAL,
    CHECK_LEASE,
    CHECK_RETENTION_DAYS,
    AUDIT_MONTHS,
    GRACE_DAYS,
    OPEN_CHECKS,
    INLINE_CHECK_BYTES,
    INLINE_CHECK_FILES,
    INLINE_CHECK_VERSIONS,
    CHECK_PATIENCE,
    CHECK_WAITERS,
    CHECK_WAITERS_PER_TENANT,
    QUOTA_NAMESPACES,
    QUOTA_SUBJECTS,
    QUOTA_VERSIONS,
    QUOTA_STORED_BYTES,
    QUOTA_TOKENS,
    QUOTA_SCHEMA_BYTES,
    QUOTA_REQUESTS,
    USAGE_DAYS,
    DRY_RUN_SECONDS,
    WEBHOOK_NETWORKS,
    WEBHOOK_TIMEOUT,
    COMPILER_SOCKET,
    METRICS_PORT,
    METRICS_FOLDER,
    ACCESS_LOG,
    LOG_LEVEL,
    LOG_FORMAT,
)
