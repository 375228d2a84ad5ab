from __future__ import annotations

import hashlib

from accord.formats import identity
from accord.model import Reference


def test_the_guid_of_string_is_confluents() -> None:
    assert str(identity.guid('"string"')) == "095d71cf-1255-6b9d-5e33-0ad575b3df5d"


def test_references_count_in_order_with_name_subject_and_version() -> None:
    one, two = Reference("a", "s", 1), Reference("b", "s", -1)
    text = b'"a"as\x00\x00\x00\x01bs\xff\xff\xff\xff'
    expected = hashlib.md5(text, usedforsecurity=False).hexdigest()
    assert identity.guid('"a"', [one, two]).hex == expected
    assert identity.guid('"a"', [two, one]).hex != expected


def test_the_digest_is_sha_256_of_the_text() -> None:
    assert identity.digest('"é"') == hashlib.sha256('"é"'.encode()).digest()
