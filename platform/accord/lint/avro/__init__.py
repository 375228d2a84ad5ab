"""The lint rules of Avro."""

from accord.lint.avro import docs, names, values

__all__ = ["docs", "names", "values"]
