"""Modules worth looking at for a fresh installation: what the shop's services say to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from accord.errors import CompilerUnavailable
from accord.formats.protobuf import service
from accord.formats.protobuf.service import OwnCompiler
from registry.module_records import UploadSet
from registry.services.uploading import upload_set

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

MONEY: Final = """// What everybody in the shop calls money and places.
syntax = "proto3";

package shop.base.v1;

// An amount in one currency.
message Money {
  // ISO 4217, three letters.
  string currency_code = 1;
  // Hundredths of the currency's unit.
  int64 hundredths = 2;
}
"""
ADDRESS: Final = """syntax = "proto3";

package shop.base.v1;

// Where something is sent to.
message Address {
  string street = 1;
  string city = 2;
  // ISO 3166-1, two letters.
  string country_code = 3;
}
"""
ORDER: Final = """syntax = "proto3";

package shop.orders.v1;

import "google/protobuf/timestamp.proto";
import "shop/base/v1/address.proto";
import "shop/base/v1/money.proto";

// An order as the shop took it.
message Order {
  string order_id = 1;
  google.protobuf.Timestamp placed_at = 2;
  repeated Line lines = 3;
  shop.base.v1.Money total = 4;
  OrderState state = 5;
%s
  // One thing that was bought.
  message Line {
    string sku = 1;
    uint32 quantity = 2;
    shop.base.v1.Money price = 3;
  }
}

enum OrderState {
  ORDER_STATE_UNSPECIFIED = 0;
  ORDER_STATE_PLACED = 1;
  ORDER_STATE_PAID = 2;
%s}
"""
SERVICE: Final = """syntax = "proto3";

package shop.orders.v1;

import "shop/orders/v1/order.proto";

message GetOrderRequest {
  string order_id = 1;
}

message GetOrderResponse {
  Order order = 1;
}

message FollowOrdersRequest {}

message FollowOrdersResponse {
  Order order = 1;
}

// Whoever wants to know about orders.
service OrderService {
  rpc GetOrder(GetOrderRequest) returns (GetOrderResponse);
  // Every change, from now on.
  rpc FollowOrders(FollowOrdersRequest) returns (stream FollowOrdersResponse);
}
"""
BASE: Final = {"shop/base/v1/money.proto": MONEY, "shop/base/v1/address.proto": ADDRESS}
ORDER_PATH: Final = "shop/orders/v1/order.proto"
SHIP_TO: Final = "  // Absent for what is downloaded.\n  shop.base.v1.Address ship_to = 6;\n"
SHIPPED: Final = "  ORDER_STATE_SHIPPED = 3;\n"
WITH_SERVICE: Final = {"shop/orders/v1/order_service.proto": SERVICE}
MODULES: Final = (
    UploadSet("shop.base", texts=BASE),
    UploadSet("shop.orders", texts={ORDER_PATH: ORDER % ("", "")}, depends=(("shop.base", None),)),
    UploadSet(
        "shop.orders",
        texts={ORDER_PATH: ORDER % (SHIP_TO, ""), **WITH_SERVICE},
        depends=(("shop.base", None),),
    ),
    UploadSet(
        "shop.orders",
        texts={ORDER_PATH: ORDER % (SHIP_TO, SHIPPED), **WITH_SERVICE},
        depends=(("shop.base", None),),
    ),
)


def seed_modules(scope: Scope) -> None:
    """Add the modules; where no compiler serves yet, with one for the while."""
    try:
        _upload(scope)
    except CompilerUnavailable:
        chosen, own = service.compiler(), OwnCompiler()
        service.use(own)
        try:
            _upload(scope)
        finally:
            service.use(chosen)
            own.close()


def _upload(scope: Scope) -> None:
    for one in MODULES:
        upload_set(scope, one)
