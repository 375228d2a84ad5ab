from __future__ import annotations

from accord.errors import AccordError, InvalidSchema, Kind, ReferenceNotFound


def test_an_error_fills_its_template_with_its_fields() -> None:
    error = ReferenceNotFound(subject="s", version=3)
    assert error.message == str(error) == 'No schema reference found for subject "s" and version 3'
    assert (error.code, error.kind) == ("reference_not_found", Kind.INVALID)


def test_braces_in_fields_stay_as_they_are() -> None:
    assert (
        str(InvalidSchema("AVRO", "{details} {x}")) == "Invalid schema of type AVRO, details: {details} {x}"
    )


def test_errors_can_be_raised_and_carry_notes() -> None:
    error = InvalidSchema("AVRO", "d")
    error.add_note("seen by a test")
    assert isinstance(error, AccordError)
    assert hash(error) != hash(InvalidSchema("AVRO", "d"))
