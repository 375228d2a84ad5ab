"""The Spark types of a Protobuf message's columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from accord.pipeline.protobuf_columns import Kind, Names, Shape, Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql.types import DataType

    from accord.pipeline.protobuf_columns import Column, Value

_TYPES: Final[Mapping[Kind, DataType]] = {
    Kind.INT: IntegerType(),
    Kind.LONG: LongType(),
    Kind.UNSIGNED: DecimalType(20, 0),
    Kind.FLOAT: FloatType(),
    Kind.DOUBLE: DoubleType(),
    Kind.BOOLEAN: BooleanType(),
    Kind.TEXT: StringType(),
    Kind.BYTES: BinaryType(),
    Kind.TIMESTAMP: TimestampType(),
    Kind.INTERVAL: DayTimeIntervalType(),
}


def spark_type(struct: Struct) -> StructType:
    """The type of a message: every field may be null but required, repeated and map ones."""
    return StructType(
        [
            StructField(one.name, _column(one), one.shape is Shape.ONE and not one.is_required)
            for one in struct.columns
        ]
    )


def _column(column: Column) -> DataType:
    value = _value(column.value)
    match column.shape:
        case Shape.LIST:
            return ArrayType(value, containsNull=False)
        case Shape.MAP if column.key is not None:
            return MapType(_TYPES[column.key], value, valueContainsNull=False)
        case _:
            return value


def _value(value: Value) -> DataType:
    match value:
        case Struct():
            return spark_type(value)
        case Names():
            return StringType()
        case _:
            return _TYPES[value]
