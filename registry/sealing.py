"""Values of metadata that a schema calls sensitive: encrypted where they are stored, clear everywhere else.

What is stored keeps them apart from the other properties, so that nothing takes one for the other. The key is
made of a setting of which several may be given: the last one encrypts, each of them decrypts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from cryptography.fernet import InvalidToken

from accord_server.kit import sealing
from accord_server.kit.configuration import configured
from accord_server.kit.setting_types import BETWEEN_SECRETS
from accord_server.kit.settings_table import METADATA_KEY
from registry.errors import SensitiveUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cryptography.fernet import MultiFernet

Json = dict[str, Any]
PROPERTIES: Final = "properties"
SENSITIVE: Final = "sensitive"
# A member of what is stored that nobody is shown and nobody can send.
SEALED: Final = "sealed"
# What the key is for: one that is made of the same secret for another purpose is another key.
PURPOSE: Final = b"accord.metadata.sensitive"


def sealed(metadata: Mapping[str, Any]) -> Json:
    """Return metadata, as `accord.contracts.writing` writes them, with sensitive values encrypted.

    Raises:
        SensitiveUnavailable: There are some, and no key is set.
    """
    given = metadata.get(PROPERTIES, {})
    names = sorted(set(metadata.get(SENSITIVE, ())).intersection(given))
    if not names:
        return dict(metadata)
    box = _box(configured(METADATA_KEY))
    plain = {name: value for name, value in given.items() if name not in names}
    hidden = {name: box.encrypt(given[name].encode()).decode() for name in names}
    return {**metadata, PROPERTIES: plain, SEALED: hidden}


def unsealed(metadata: Mapping[str, Any]) -> Json:
    """Return metadata out of their stored form; those that are clear already stay as they are.

    Raises:
        SensitiveUnavailable: None of the keys that are set encrypted them.
    """
    hidden = metadata.get(SEALED)
    if hidden is None:
        return dict(metadata)
    box = _box(configured(METADATA_KEY))
    try:
        clear = {name: box.decrypt(token).decode() for name, token in hidden.items()}
    except InvalidToken:
        raise SensitiveUnavailable("read") from None
    shown = {name: value for name, value in metadata.items() if name != SEALED}
    return {**shown, PROPERTIES: dict(sorted({**shown[PROPERTIES], **clear}.items()))}


def resealed(metadata: Mapping[str, Any]) -> Json | None:
    """Return stored metadata encrypted by the key that encrypts now; None where nothing is to be done.

    Raises:
        SensitiveUnavailable: None of the keys that are set encrypted them.
    """
    hidden = metadata.get(SEALED)
    if hidden is None:
        return None
    secrets = configured(METADATA_KEY)
    if _are_readable(_box(secrets.rpartition(BETWEEN_SECRETS)[2]), hidden.values()):
        return None
    box = _box(secrets)
    try:
        return {**metadata, SEALED: {name: box.rotate(token).decode() for name, token in hidden.items()}}
    except InvalidToken:
        raise SensitiveUnavailable("read") from None


def resealed_members(record: Mapping[str, Any], names: Iterable[str]) -> Json | None:
    """Return a stored record with the metadata among its members resealed; None where nothing is to be done.

    Raises:
        SensitiveUnavailable: As `resealed` does.
    """
    found = {name: resealed(record[name]) for name in names if record.get(name) is not None}
    changed = {name: metadata for name, metadata in found.items() if metadata is not None}
    return {**record, **changed} if changed else None


def without_sealed(record: Mapping[str, Any], names: Iterable[str]) -> Json:
    """Return a stored record that says which values are sealed, and not what they are sealed as."""
    return _changed(
        record, names, lambda one: {**one, SEALED: sorted(one[SEALED])} if SEALED in one else dict(one)
    )


def sealed_members(record: Mapping[str, Any], names: Iterable[str]) -> Json:
    """Return a record with the metadata among its members sealed.

    Raises:
        SensitiveUnavailable: As `sealed` does.
    """
    return _changed(record, names, sealed)


def unsealed_members(record: Mapping[str, Any], names: Iterable[str]) -> Json:
    """Return a stored record with the metadata among its members unsealed.

    Raises:
        SensitiveUnavailable: As `unsealed` does.
    """
    return _changed(record, names, unsealed)


def _changed(
    record: Mapping[str, Any], names: Iterable[str], change: Callable[[Mapping[str, Any]], Json]
) -> Json:
    return {**record, **{name: change(record[name]) for name in names if record.get(name) is not None}}


def _are_readable(box: MultiFernet, tokens: Iterable[str]) -> bool:
    try:
        for token in tokens:
            box.decrypt(token)
    except InvalidToken:
        return False
    return True


def _box(secrets: str) -> MultiFernet:
    if not secrets:
        raise SensitiveUnavailable("stored or read")
    return sealing.box(secrets, PURPOSE)
