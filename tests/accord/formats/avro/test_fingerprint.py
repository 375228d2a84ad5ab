from __future__ import annotations

import pytest

from accord.formats.avro.fingerprint import md5, parsing_canonical_form, rabin, sha256
from tests.accord.avro_texts import avro, record


@pytest.mark.parametrize(
    ("form", "signed"),
    [('"null"', 7195948357588979594), ('"long"', -3434872931120570953), ('"int"', 8247732601305521295)],
)
def test_rabin_gives_the_published_values(form: str, signed: int) -> None:
    assert rabin(form) == signed % 2**64


def test_the_bytes_of_rabin_are_little_endian() -> None:
    assert rabin('"int"').to_bytes(8, "little").hex() == "8f5c393f1ad57572"


def test_md5_and_sha_256_give_the_published_values() -> None:
    assert md5('"int"').hex() == "ef524ea1b91e73173d938ade36c1db32"
    assert sha256('"int"').hex() == "3f2b87a9fe7cc9b13835598c3981cd45e3e355309e5090aa0933d7becb6fba45"


def test_the_form_keeps_what_a_reader_of_data_needs() -> None:
    enum = {"type": "enum", "name": "E", "symbols": ["A", "B"], "default": "A", "doc": "d"}
    fixed = {"type": "fixed", "name": "y.F", "size": 4, "aliases": ["G"]}
    fields = [
        {"name": "e", "type": enum, "default": "A", "order": "ignore"},
        ("f", {"type": "array", "items": fixed}),
        ("g", {"type": "map", "values": ["null", "x.R", "y.F"]}),
        ("h", {"type": "int", "logicalType": "date"}),
    ]
    assert parsing_canonical_form(avro(record(*fields, namespace="x") | {"type": "error"}).root) == (
        '{"name":"x.R","type":"record","fields":[{"name":"e","type":{"name":"x.E","type":"enum",'
        '"symbols":["A","B"]}},{"name":"f","type":{"type":"array","items":{"name":"y.F","type":"fixed",'
        '"size":4}}},{"name":"g","type":{"type":"map","values":["null","x.R","y.F"]}},{"name":"h","type":"int"}]}'
    )
