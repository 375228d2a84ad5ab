"""Rules about the names of Avro types, fields and symbols."""

from collections.abc import Iterator

from accord.lint.avro.nodes import EnumNode, FieldNode, TypeNode
from accord.lint.field_case import in_case
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.spelling import pascal_case, upper_snake_case
from accord.lint.table import LINT, Category
from accord.model import Format


@LINT.rule(Format.AVRO, Category.MINIMAL)
def avro_namespace_defined(node: TypeNode, _asked: LintOptions) -> Iterator[Hit]:
    """Every named type has a namespace.

    Without one its name may clash with everybody else's, and generated code has no package.

    Add a `namespace` to the outermost type, such as `acme.shop.v1`; those inside inherit it.
    """
    if node.type.name.namespace is None:
        yield node.hit(f'the {node.type.kind} "{node.type.name.simple}" has no namespace')


@LINT.rule(Format.AVRO, Category.BASIC)
def avro_type_pascal_case(node: TypeNode, _asked: LintOptions) -> Iterator[Hit]:
    """The names of records, enums and fixed types are in `PascalCase`.

    Rename the type, and keep the old name among its `aliases`.
    """
    name = node.type.name.simple
    wanted = pascal_case(name)
    if name != wanted:
        yield node.hit(f'the {node.type.kind} "{name}" should be "{wanted}"', "name")


@LINT.rule(Format.AVRO, Category.BASIC, "field_case")
def avro_field_case(node: FieldNode, asked: LintOptions) -> Iterator[Hit]:
    """The names of fields are in `lower_snake_case` or in `lowerCamelCase`.

    The option `field_case` (`snake`, `camel` or `either`) says which of the two.

    Rename the field, and keep the old name among its `aliases`.
    """
    wanted = in_case(node.field.name, asked.field_case)
    if node.field.name not in wanted:
        yield node.hit(f'the field "{node.field.name}" should be "{wanted[0]}"', "name")


@LINT.rule(Format.AVRO, Category.STANDARD)
def avro_symbol_upper_snake_case(node: EnumNode, _asked: LintOptions) -> Iterator[Hit]:
    """The symbols of enums are in `UPPER_SNAKE_CASE`.

    Write new enums so. A symbol that data was written with cannot be renamed: readers know it by its name.
    """
    for at, symbol in enumerate(node.enum.symbols):
        wanted = upper_snake_case(symbol)
        if symbol != wanted:
            yield node.hit(f'the symbol "{symbol}" should be "{wanted}"', "symbols", str(at))
