"""The batch job: files of framed records to a table and a quarantine table."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pyspark.sql import Observation
from pyspark.sql import functions as sf
from pyspark.sql.types import ArrayType, DataType, MapType, NullType, StringType, StructField, StructType

from accord.pipeline.decoding import decode
from accord.pipeline.errors import ColumnTaken, EmptyRecord, LostRecords
from accord.pipeline.files import FileFormat, read_records
from accord.pipeline.options import DecodeOptions
from accord.pipeline.quarantine import accepted, quarantined
from accord.pipeline.reasons import Reason

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

    from accord.pipeline.sources import SchemaSource

_READ: Final = "read"
_WRITTEN: Final = "written"


class WriteMode(StrEnum):
    """What happens to a table that is there already; the names are Spark's."""

    ERROR = "errorifexists"
    APPEND = "append"
    OVERWRITE = "overwrite"


@dataclass(frozen=True, slots=True)
class DecodeJob:
    """One run of the job: paths in and out, as Spark understands them, and how to decode."""

    input: str
    output: str
    quarantine: str
    input_format: FileFormat = FileFormat.PARQUET
    mode: WriteMode = WriteMode.ERROR
    options: DecodeOptions = field(default_factory=DecodeOptions)


@dataclass(frozen=True, slots=True)
class DecodeReport:
    """Counts of records: read, written to the table, and set aside by reason (zeros left out)."""

    read: int
    decoded: int
    quarantined: dict[str, int]


def run_decode(session: SparkSession, registry: SchemaSource, job: DecodeJob) -> DecodeReport:
    """Write every record of the input to exactly one of the two tables.

    The table has the fields of the decoded record as columns, and the columns of the input with an
    underscore in front (``_topic``, ``_offset``, ``_schema_id``); the quarantine has the input as it was
    and ``quarantine_reason``. The input is read three times: for the schema ids, for the table and for the
    quarantine. Parquet has no type for what is always null, so such fields become text without a value.

    Raises `LostRecords` when the counts do not add up, `ColumnTaken` when a field is called like a column
    of the record's surroundings, `EmptyRecord` when a field is a record without fields, and what `decode`
    raises.
    """
    decoded = decode(read_records(session, job.input, job.input_format), registry, job.options)
    seen, kept = Observation(), Observation()
    table = _table(accepted(decoded.observe(seen, *_counts(job.options)), job.options), job.options)
    table.observe(kept, _count(_WRITTEN)).write.mode(job.mode).parquet(job.output)
    aside = Observation()
    poison = quarantined(decoded, job.options).observe(aside, _count(_WRITTEN))
    poison.write.mode(job.mode).parquet(job.quarantine)
    return _report(seen.get, kept.get[_WRITTEN], aside.get[_WRITTEN])


def _table(rows: DataFrame, options: DecodeOptions) -> DataFrame:
    left_out = {options.target, options.column, options.headers}
    around = [sf.col(column).alias(f"_{column}") for column in rows.columns if column not in left_out]
    is_record = isinstance(rows.schema[options.target].dataType, StructType)
    value = sf.col(f"{options.target}.*") if is_record else sf.col(options.target).alias("value")
    table = rows.select(*around, value)
    _check_columns(table)
    return table.select(*(_storable(field) for field in table.schema))


def _storable(field: StructField) -> Column:
    stored = _stored_type(field.dataType, field.name)
    column = sf.col(f"`{field.name}`")
    return column if stored == field.dataType else column.cast(stored).alias(field.name)


def _stored_type(kind: DataType, place: str) -> DataType:
    """The type that a Parquet file holds instead; ``place`` is named where there is none."""
    match kind:
        case NullType():
            return StringType()
        case ArrayType():
            return ArrayType(_stored_type(kind.elementType, f"{place}[]"), kind.containsNull)
        case MapType():
            values = _stored_type(kind.valueType, f"{place}{{}}")
            return MapType(kind.keyType, values, kind.valueContainsNull)
        case StructType():
            if not kind.fields:
                raise EmptyRecord(column=place)
            inner = [(one, _stored_type(one.dataType, f"{place}.{one.name}")) for one in kind.fields]
            return StructType([StructField(one.name, to, one.nullable) for one, to in inner])
        case _:
            return kind


def _check_columns(table: DataFrame) -> None:
    seen: set[str] = set()
    for column in table.columns:
        if column.lower() in seen:
            raise ColumnTaken(column=column)
        seen.add(column.lower())


def _count(name: str) -> Column:
    return sf.count(sf.lit(1)).alias(name)


def _counts(options: DecodeOptions) -> list[Column]:
    reasons = [sf.count_if(sf.col(options.reason) == str(reason)).alias(reason) for reason in Reason]
    return [_count(_READ), *reasons]


def _report(seen: dict[str, int], decoded: int, aside: int) -> DecodeReport:
    reasons = {str(reason): seen[reason] for reason in Reason if seen[reason]}
    if decoded + aside != seen[_READ] or aside != sum(reasons.values()):
        raise LostRecords(read=seen[_READ], decoded=decoded, quarantined=aside)
    return DecodeReport(seen[_READ], decoded, reasons)
