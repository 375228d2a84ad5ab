from __future__ import annotations

import hashlib

from accord.formats import identity
from accord.model import (
    NO_CONTRACT,
    Contract,
    ContractRule,
    Metadata,
    Reference,
    RuleKind,
    RuleMode,
    RulesEnabledAt,
    RuleSet,
)

METADATA = Metadata((("**.a", ("PII", "X")),), (("k", "v"), ("l", "w")), ("k",))
RULE = ContractRule(
    "r",
    "CEL",
    RuleKind.CONDITION,
    RuleMode.WRITE,
    "why",
    ("T",),
    (("p", "1"),),
    "true",
    "NONE",
    "DLQ",
    disabled=True,
)


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


def test_metadata_and_rules_follow_in_the_guid() -> None:
    rules = RuleSet(
        (ContractRule("m", "JSONATA", mode=RuleMode.UPGRADE),), (RULE,), (), RulesEnabledAt.CLIENT
    )
    text = b'"a"' + b"\x01**.aPIIXkvlwk"
    text += b"\x01mTRANSFORMUPGRADEJSONATA" + b"rwhyCONDITIONWRITECELTp1trueNONEDLQ\x01" + b"CLIENT"
    expected = hashlib.md5(text, usedforsecurity=False).hexdigest()
    assert identity.guid('"a"', (), Contract(METADATA, rules)).hex == expected


def test_nothing_is_not_the_same_as_empty() -> None:
    contracts = [
        NO_CONTRACT,
        Contract(Metadata()),
        Contract(None, RuleSet()),
        Contract(Metadata(), RuleSet()),
    ]
    digests = {identity.contract_digest(one) for one in contracts}
    guids = [identity.guid('"a"', (), one) for one in contracts]
    assert (len(digests), guids[0]) == (4, identity.guid('"a"'))
    empty = hashlib.md5(b'"a"\x01', usedforsecurity=False).hexdigest()
    assert guids[1].hex == guids[2].hex == empty
