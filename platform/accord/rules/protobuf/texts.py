"""Rules about defaults, the check of UTF-8, and options of single languages."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

CHECKS = "the text of field {name} is {reader} for the reader and {writer} for the writer"

register(
    NodeKind.FIELD,
    {
        Difference.FIELD_SAME_DEFAULT: Words(
            "A field has another default.",
            "Data that lacks the field means one thing to one program and another to the next. An enum of"
            " proto2 without a default has its first value for one. Keep the default.",
            "field {name} has the default {reader} for the reader and {writer} for the writer",
        ),
        Difference.FIELD_SAME_UTF8_VALIDATION: Words(
            "Text is checked to be UTF-8 on one side only.",
            "A reader that checks refuses what a writer that does not may have written. Keep the feature"
            " `utf8_validation`, which also follows the syntax.",
            "the UTF-8 of field {name} is {reader} for the reader and {writer} for the writer",
        ),
        Difference.FIELD_UTF8_VALIDATION_ADDED: Words(
            "The reader checks text to be UTF-8 and the writer does not.",
            "Data may hold text that the reader refuses. Use bytes, or leave the check off.",
            "the reader checks the text of field {name} to be UTF-8, the writer does not",
        ),
        Difference.FIELD_SAME_JAVA_UTF8_VALIDATION: Words(
            "Java checks text to be UTF-8 on one side only.",
            "The option `java_string_check_utf8`, the features and the syntax all have a say. Keep them.",
            CHECKS,
        ),
        Difference.FIELD_SAME_CPP_STRING_TYPE: Words(
            "A text has another type in C++.",
            "Code that uses the accessors does not compile. Data is read as before. Keep `ctype` or the"
            " feature `string_type`, which is VIEW from edition 2024 on.",
            "field {name} is {reader} in the reader's C++ and {writer} in the writer's",
        ),
        Difference.FIELD_SAME_JSTYPE: Words(
            "A 64-bit number has another type in JavaScript.",
            "Code that uses it gets strings for numbers, or numbers for strings. Keep `jstype`.",
            "field {name} is {reader} in the reader's JavaScript and {writer} in the writer's",
        ),
    },
)
