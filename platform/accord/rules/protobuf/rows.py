"""Rows for the differences of Protobuf."""

from functools import partial

from accord.model import Format
from accord.rules.words import Words, register_words

__all__ = ["Words", "register"]

register = partial(register_words, Format.PROTOBUF)
