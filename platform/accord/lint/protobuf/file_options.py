"""Rules about the file options that all files of a package share: seven, all alike."""

from collections.abc import Callable, Iterator
from typing import Final

from accord.formats.protobuf.model import File
from accord.formats.protobuf.places import Place
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.modules import Package
from accord.lint.protobuf.sites import FILE_OPTIONS
from accord.lint.table import LINT, Category, LintRule
from accord.model import Format

OPTIONS: Final = (
    "csharp_namespace",
    "go_package",
    "java_multiple_files",
    "java_package",
    "php_namespace",
    "ruby_package",
    "swift_prefix",
)


def _check(option: str) -> Callable[[Package, LintOptions], Iterator[Hit]]:
    def check(package: Package, _asked: LintOptions) -> Iterator[Hit]:
        values = {value_of(file, option) for file in package.files}
        if len(values) > 1:
            told = sorted(one for one in values if one is not None)
            unset = ", and some do not set it" if None in values else ""
            listed = ", ".join(f'"{one}"' for one in told)
            message = f"the files of a package set {option} alike, but these say {listed}{unset}"
            yield from (_hit(file, option, message) for file in package.files)

    return check


def value_of(file: File, option: str) -> str | None:
    """Return an option of a file as a text, None where it is not set."""
    if not file.proto.options.HasField(option):  # type: ignore[arg-type]  # the names are those of the class
        return None
    value: object = getattr(file.proto.options, option)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _hit(file: File, option: str, message: str) -> Hit:
    number: int = file.proto.options.DESCRIPTOR.fields_by_name[option].number
    steps = () if value_of(file, option) is None else (FILE_OPTIONS, number)
    return Hit(message, (*file.at, "options", option), Place(file, steps))


for _option in OPTIONS:
    LINT.add(
        LintRule(
            f"PACKAGE_SAME_{_option.upper()}",
            Format.PROTOBUF,
            Category.BASIC,
            f"All files of a package set `{_option}` to the same value, or none does.",
            "What is generated from one package then ends up in one place.",
            "Write the same value in every file of the package, or take the option out of all of them.",
            Package,
            _check(_option),
        )
    )
