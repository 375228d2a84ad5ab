"""Records that cannot be read: why, and how they are told from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as sf

from accord.pipeline.options import DecodeOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def accepted(decoded: DataFrame, options: DecodeOptions | None = None) -> DataFrame:
    """The records that `accord.pipeline.decode` could read, without the column of reasons."""
    chosen = options or DecodeOptions()
    return decoded.where(sf.col(chosen.reason).isNull()).drop(chosen.reason)


def quarantined(decoded: DataFrame, options: DecodeOptions | None = None) -> DataFrame:
    """The records that could not be read: the columns they came with, and the reason."""
    chosen = options or DecodeOptions()
    return decoded.where(sf.col(chosen.reason).isNotNull()).drop(chosen.target, chosen.schema_id)
