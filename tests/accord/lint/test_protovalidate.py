"""The rule about the options of protovalidate."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.lint.profile import LintProfile
from accord.lint.protobuf.validation import FILE
from accord.lint.schemas import lint_schema
from tests.accord.lint.texts import linted
from tests.accord.lint.validations import HEAD, OPTIONS, ValidationCase, cases, in_file
from tests.accord.protobuf_texts import protobuf

if TYPE_CHECKING:
    from accord.lint.hits import LintFinding

PROFILE = LintProfile(("PROTOVALIDATE",))
SHORT = "string a = 1 [(buf.validate.field).string = {min_len: 3, max_len: 2}];"


def found(texts: dict[str, str]) -> list[LintFinding]:
    return linted(texts, PROFILE)


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.text.strip()[:60])
def test_what_is_told_of_an_option(case: ValidationCase) -> None:
    told = {(one.line - len(HEAD), one.path.rpartition(").")[2]) for one in found(case.files)}
    assert told == case.told


def test_a_finding_says_what_contradicts_what() -> None:
    told = {one.message for one in found({"a.proto": in_file(SHORT), FILE: OPTIONS})}
    assert told == {"(buf.validate.field).string.min_len is 3 and max_len is 2: nothing keeps both"}


def test_extensions_are_never_required_nor_ignored_as_empty() -> None:
    flags = "(buf.validate.field).required = true,\n(buf.validate.field).ignore = IGNORE_IF_ZERO_VALUE"
    text = f"""syntax = "proto2";
package p;
import "{FILE}";
message A {{ extensions 1 to 9; message B {{ extend A {{ optional string b = 2 [
{flags}]; }} }} }}
extend A {{ optional string a = 1 [
{flags}]; }}
"""
    assert {one.line for one in found({"a.proto": text, FILE: OPTIONS})} == {5, 6, 8, 9}


def test_a_comment_silences_the_rule() -> None:
    ignored = f"// buf:lint:ignore PROTOVALIDATE\n{SHORT}"
    assert found({"a.proto": in_file(ignored), FILE: OPTIONS}) == []


def test_without_the_file_of_protovalidate_nothing_is_looked_at() -> None:
    text = 'syntax = "proto3"; package p; message A { string a = 1 [deprecated = true]; }'
    assert found({"a.proto": text}) == []


def test_options_of_other_types_than_protovalidates_count_as_not_set() -> None:
    options = """syntax = "proto2";
package buf.validate;
import "google/protobuf/any.proto";
import "google/protobuf/descriptor.proto";
import "google/protobuf/type.proto";
extend google.protobuf.MessageOptions { optional string message = 1159; }
extend google.protobuf.FieldOptions { optional FieldRules field = 1159; }
message FieldRules { optional int32 ignore = 27; repeated string required = 25;
  optional StringRules string = 14;
  optional MapRules map = 19; optional string int32 = 3; }
message MapRules { repeated int32 keys = 4; optional int32 values = 5; }
message StringRules { optional string min_len = 2; optional bytes max_len = 3; optional int32 prefix = 7;
  optional int32 pattern = 6; optional uint32 strict = 25; extensions 1000 to max; }
extend StringRules { optional int32 min_bytes = 1000; }
"""
    text = """option (buf.validate.message) = "x";
string a = 1 [(buf.validate.field) = {ignore: 1, required: "x", string: {min_len: "3", max_len: "2",
  prefix: 1, pattern: 2, strict: 0, [buf.validate.min_bytes]: 4}}];
map<string, string> b = 2 [(buf.validate.field).map = {keys: 1, values: 2}];
int32 c = 3 [(buf.validate.field).int32 = "x"];
"""
    assert found({"a.proto": in_file(text), FILE: options}) == []


def test_in_a_registry_the_file_is_a_reference() -> None:
    schema = protobuf(in_file(SHORT), {FILE: OPTIONS})
    told = [one.path for one in lint_schema(schema, PROFILE)]
    at = "/schema.proto/messages/Order/fields/1/(buf.validate.field).string"
    assert told == [f"{at}.min_len", f"{at}.max_len"]
