"""A client of the registry for the command line, the pipeline and tests."""

from accord.client.errors import (
    NoNamespaceNamed,
    RegistryConflict,
    RegistryDenied,
    RegistryInvalid,
    RegistryNotFound,
    RegistryRefusal,
    RegistryUnavailable,
    RegistryUnreachable,
    RegistryUnreadable,
)
from accord.client.records import (
    Basic,
    Bearer,
    CheckAnswer,
    DecodedRecord,
    Registered,
    RemoteRegistration,
    RemoteVersion,
)
from accord.client.registry import RegistryClient
from accord.client.transport import ClientSettings

__all__ = [
    "Basic",
    "Bearer",
    "CheckAnswer",
    "ClientSettings",
    "DecodedRecord",
    "NoNamespaceNamed",
    "Registered",
    "RegistryClient",
    "RegistryConflict",
    "RegistryDenied",
    "RegistryInvalid",
    "RegistryNotFound",
    "RegistryRefusal",
    "RegistryUnavailable",
    "RegistryUnreachable",
    "RegistryUnreadable",
    "RemoteRegistration",
    "RemoteVersion",
]
