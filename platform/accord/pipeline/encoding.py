"""Typed columns to framed records."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from pyspark.sql import functions as sf
from pyspark.sql.avro.functions import to_avro

from accord.formats.avro.canonical import canonical_text
from accord.pipeline.errors import ColumnTaken
from accord.pipeline.writers import avro_root
from accord.wire import encode_prefix

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from accord.model import SchemaText
    from accord.pipeline.options import EncodeOptions
    from accord.pipeline.sources import SchemaSource
    from accord.wire import SchemaIdentity


def encode(frame: DataFrame, registry: SchemaSource, options: EncodeOptions) -> DataFrame:
    """Replace a typed column by framed records of one registered schema.

    The column must fit the schema: Spark checks names and types when the plan is made, and nulls where
    the schema has none when it runs. A null value becomes a null record, a tombstone. Raises
    `accord.pipeline.ColumnTaken` when ``options.target`` is another column of the frame, and what the
    registry client raises.
    """
    if options.target != options.column and options.target in frame.columns:
        raise ColumnTaken(column=options.target)
    identity, schema = _schema(registry, options)
    text = canonical_text(avro_root(schema, registry), known={})
    prefix = sf.lit(bytearray(encode_prefix(identity)))
    framed = sf.concat(prefix, to_avro(frame[options.column], text))
    return frame.withColumn(options.target, framed).drop(*{options.column} - {options.target})


def _schema(registry: SchemaSource, options: EncodeOptions) -> tuple[SchemaIdentity, SchemaText]:
    if isinstance(options.schema, int | UUID):
        return options.schema, registry.schema(options.schema)
    latest = registry.latest(options.schema)
    return latest.id, latest.schema
