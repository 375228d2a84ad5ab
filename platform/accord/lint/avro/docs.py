"""Rules that ask for documentation in Avro schemas."""

from collections.abc import Iterator

from accord.lint.avro.nodes import FieldNode, TypeNode
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.table import LINT, Category
from accord.model import Format


@LINT.rule(Format.AVRO, Category.COMMENTS)
def avro_doc_type(node: TypeNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every record, enum and fixed type has a `doc`.

    Say in a sentence what the type stands for, under `doc`.
    """
    if not (node.type.doc or "").strip():
        yield node.hit(f'the {node.type.kind} "{node.type.name.simple}" has no doc')


@LINT.rule(Format.AVRO, Category.COMMENTS)
def avro_doc_field(node: FieldNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every field has a `doc`.

    Say in a sentence what the field holds, and in which unit, under `doc`.
    """
    if not (node.field.doc or "").strip():
        yield node.hit(f'the field "{node.field.name}" has no doc')
