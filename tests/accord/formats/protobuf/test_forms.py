"""Protobuf in the forms of Confluent's interface, and formats that have none of them."""

from __future__ import annotations

import base64

import pytest

from accord.formats.forms import FORMS, Form, in_form
from accord.formats.protobuf.descriptors import FileDescriptorProto
from accord.model import Format
from tests.accord.protobuf_texts import protobuf
from tests.accord.stand_ins import ForeignSchema

EXTENDED = """syntax = "proto2";
package p;
import "confluent/meta.proto";
import "google/protobuf/descriptor.proto";
option java_package = "x";
option (file) = "f";
extend google.protobuf.FileOptions { optional string file = 50000; }
extend google.protobuf.MessageOptions { optional string message = 50000; }
extend google.protobuf.FieldOptions { optional string field = 50000; }
extend google.protobuf.OneofOptions { optional string oneof = 50000; }
extend google.protobuf.EnumOptions { optional string enum = 50000; }
extend google.protobuf.EnumValueOptions { optional string value = 50000; }
extend google.protobuf.ServiceOptions { optional string service = 50000; }
extend google.protobuf.MethodOptions { optional string method = 50000; }
message M {
  option (message) = "m";
  option deprecated = true;
  optional string a = 1 [(field) = "a", deprecated = true, (confluent.field_meta).doc = "A."];
  oneof o {
    option (oneof) = "o";
    string b = 2 [(field) = "b"];
    group H = 6 { optional int32 h = 1 [(field) = "h"]; }
  }
  optional group G = 3 { optional int32 g = 1 [(field) = "g"]; extensions 5; }
  extensions 10 to 20;
  extend M { optional int32 more = 10; }
  message N { optional int32 n = 1 [(field) = "n"]; }
  enum E { option (enum) = "e"; Z = 0 [(value) = "z"]; }
}
enum F { option (enum) = "e"; Y = 0 [(value) = "y", deprecated = true]; }
service S {
  option (service) = "s";
  rpc Get(M) returns (M) { option (method) = "r"; option deprecated = true; }
}
"""
BARE = """syntax = "proto2";
package p;

import "confluent/meta.proto";
import "google/protobuf/descriptor.proto";

option java_package = "x";

message M {
  option deprecated = true;

  optional string a = 1 [
    deprecated = true,
    (confluent.field_meta).doc = "A."
  ];

  oneof o {
    string b = 2;

    group H = 6 {
      optional int32 h = 1;
    }
  }

  optional group G = 3 {
    optional int32 g = 1;
  }

  message N {
    optional int32 n = 1;
  }
  enum E {
    Z = 0;
  }
}
enum F {
  Y = 0 [deprecated = true];
}

service S {
  rpc Get (M) returns (M) {
    option deprecated = true;
  };
}
"""


def test_without_extensions_all_that_extends_is_left_out_but_confluents_own() -> None:
    assert in_form(protobuf(EXTENDED), Form.IGNORE_EXTENSIONS) == BARE


def test_serialized_is_the_descriptor_of_the_file_alone() -> None:
    schema = protobuf('import "b.proto"; message A { optional B b = 1; }', {"b.proto": "message B {}"})
    file = FileDescriptorProto.FromString(base64.b64decode(in_form(schema, Form.SERIALIZED)))
    assert file == schema.descriptor
    assert (list(file.dependency), [one.name for one in file.message_type]) == (["b.proto"], ["A"])


@pytest.mark.parametrize("form", Form)
@pytest.mark.parametrize("format_", Format)
def test_a_form_of_other_formats_is_the_stored_text(format_: Format, form: Form) -> None:
    if form not in FORMS[format_]:
        assert in_form(ForeignSchema("text", format_), form) == "text"


def test_resolved_is_avros() -> None:
    assert in_form(ForeignSchema("text", Format.AVRO), Form.RESOLVED) == "text"


def test_only_a_text_without_extensions_tells_nothing_of_what_it_refers_to() -> None:
    assert [form for form in Form if not form.shows_references] == [Form.IGNORE_EXTENSIONS]
