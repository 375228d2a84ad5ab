"""One file with a bit of everything, and the texts that Confluent's registry makes of it."""

IMPORTED = 'syntax = "proto3"; package b; message B { enum E { A = 0; } }'
WRITTEN = r"""// c
syntax = "proto2";
package a.b;
import "google/protobuf/timestamp.proto";
import public "b.proto";
import "confluent/meta.proto";
import "google/protobuf/descriptor.proto";
option java_package = "x.\"y'\001é";
option cc_enable_arenas = false;
extend google.protobuf.FieldOptions { optional string my = 50001; repeated Inner.Deep rep = 50002; }
extend M { optional group Gx = 1000 { optional int32 q = 1; } }
message Inner {
  message Deep { optional int32 x = 1; map<string, Deep> m = 2; optional float f = 3; repeated int32 n = 4; }
}
message M {
  reserved 100, 20 to 22, 30 to 30, 2000 to max;
  reserved "zz", "aa";
  optional string z = 5 [default = "d\n", json_name = "zed", deprecated = true];
  repeated Inner.Deep a = 1 [(.a.b.my) = "x", (a.b.rep) = {x: 1 f: 1.5 n: 1 n: [2, 3]}, (a.b.rep) = {x: 3}];
  map<int32, .b.B> m = 3;
  oneof o { .b.B.E e = 7; string s = 6; group Gr = 8 { optional bool b = 1; } }
  repeated group Gs = 9 [deprecated = true] { required Inner i = 1; }
  optional bytes by = 10 [default = "\001\\x\377"];
  extensions 1000 to 1100 [verification = UNVERIFIED];
  enum E { option allow_alias = true; B = 1; A = -1; C = 1 [deprecated=true];
    reserved 5 to 7, 9; reserved "Q"; }
  message N { extend M { optional N n = 1001; } }
  optional google.protobuf.Timestamp ts = 12 [(confluent.field_meta) = { doc: "hi", tags: ["PII","X"] }];
  message Empty {}
}
service S { rpc Do (M) returns (stream Inner) { option idempotency_level = IDEMPOTENT; }
  rpc X (stream .a.b.M) returns (M); }
"""
CANONICAL = r"""syntax = "proto2";
package a.b;

import "google/protobuf/timestamp.proto";
import "confluent/meta.proto";
import "google/protobuf/descriptor.proto";
import public "b.proto";

option java_package = "x.\"y\'\001é";
option cc_enable_arenas = false;

message Inner {
  message Deep {
    optional int32 x = 1;
    map<string, Deep> m = 2;
    optional float f = 3;
    repeated int32 n = 4;
  }
}
message M {
  reserved 100, 20 to 22, 30 to 30, 2000 to max;
  reserved "zz", "aa";

  optional string z = 5 [
    deprecated = true,
    default = "d\n",
    json_name = "zed"
  ];
  repeated Inner.Deep a = 1 [
    (.a.b.my) = "x",
    (a.b.rep) = {
      x: 1,
      f: 1.5,
      n: [
        1,
        2,
        3
      ]
    },
    (a.b.rep) = {
      x: 3
    }
  ];
  map<int32, .b.B> m = 3;
  optional bytes by = 10 [default = "\001\\x\377"];
  optional google.protobuf.Timestamp ts = 12 [(confluent.field_meta) = {
    doc: "hi",
    tags: [
      "PII",
      "X"
    ]
  }];

  oneof o {
    .b.B.E e = 7;
    string s = 6;

    group Gr = 8 {
      optional bool b = 1;
    }
  }

  repeated group Gs = 9 [deprecated = true] {
    required Inner i = 1;
  }

  extensions 1000 to 1100 [verification = UNVERIFIED];

  message N {
    extend M {
      optional N n = 1001;
    }
  }
  message Empty {}
  enum E {
    reserved 5 to 7, 9;
    reserved "Q";
    option allow_alias = true;
    B = 1;
    A = -1;
    C = 1 [deprecated = true];
  }
}

extend google.protobuf.FieldOptions {
  optional string my = 50001;
  repeated Inner.Deep rep = 50002;
}
extend M {
  optional group Gx = 1000 {
    optional int32 q = 1;
  }
}

service S {
  rpc Do (M) returns (stream Inner) {
    option idempotency_level = IDEMPOTENT;
  };
  rpc X (stream .a.b.M) returns (M);
}
"""
NORMALIZED = r"""package a.b;

import "confluent/meta.proto";
import "google/protobuf/descriptor.proto";
import "google/protobuf/timestamp.proto";
import public "b.proto";

option cc_enable_arenas = false;
option java_package = "x.\"y\'\001é";

message Inner {
  message Deep {
    optional int32 x = 1;
    map<string, .a.b.Inner.Deep> m = 2;
    optional float f = 3;
    repeated int32 n = 4;
  }
}
message M {
  reserved 20 to 22;
  reserved 30;
  reserved 100;
  reserved 2000 to max;
  reserved "aa";
  reserved "zz";

  repeated .a.b.Inner.Deep a = 1 [
    (.a.b.my) = "x",
    (a.b.rep) = {
      x: 1,
      f: 1.5,
      n: [
        1,
        2,
        3
      ]
    },
    (a.b.rep) = {
      x: 3
    }
  ];
  map<int32, .b.B> m = 3;
  optional string z = 5 [
    deprecated = true,
    default = "d\n",
    json_name = "zed"
  ];
  optional bytes by = 10 [default = "\001\\x\377"];
  optional .google.protobuf.Timestamp ts = 12 [(confluent.field_meta) = {
    doc: "hi",
    tags: [
      "PII",
      "X"
    ]
  }];

  oneof o {
    string s = 6;
    .b.B.E e = 7;

    group Gr = 8 {
      optional bool b = 1;
    }
  }

  repeated group Gs = 9 [deprecated = true] {
    required .a.b.Inner i = 1;
  }

  extensions 1000 to 1100 [verification = UNVERIFIED];

  message N {
    extend .a.b.M {
      optional .a.b.M.N n = 1001;
    }
  }
  message Empty {}
  enum E {
    reserved 5 to 7;
    reserved 9;
    reserved "Q";
    option allow_alias = true;
    A = -1;
    B = 1;
    C = 1 [deprecated = true];
  }
}

extend .a.b.M {
  optional group Gx = 1000 {
    optional int32 q = 1;
  }
}
extend .google.protobuf.FieldOptions {
  optional string my = 50001;
  repeated .a.b.Inner.Deep rep = 50002;
}

service S {
  rpc Do (.a.b.M) returns (stream .a.b.Inner) {
    option idempotency_level = IDEMPOTENT;
  };
  rpc X (stream .a.b.M) returns (.a.b.M);
}
"""
