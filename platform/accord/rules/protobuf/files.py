"""Rules about files, packages and the options of files."""

from accord.diff.protobuf_changes import Difference
from accord.rules.protobuf.rows import Words, register
from accord.rules.table import NodeKind

OPTION = "the reader's file has {reader} for `{name}`, the writer's {writer}"


def _option(option: str, effect: str) -> Words:
    return Words(
        f"The file option `{option}` is not the same on both sides.",
        f"{effect} Data is read as before. Keep the option, or change it together with all code that uses"
        " what is generated.",
        OPTION,
    )


register(
    NodeKind.FILE,
    {
        Difference.FILE_NO_DELETE: Words(
            "A file of the writer is not there in the reader.",
            "Whoever imports the file no longer compiles, and what it declared may be gone with it. Keep the"
            " file, if only to import publicly where its types live now.",
            "file {name} was deleted",
        ),
        Difference.PACKAGE_NO_DELETE: Words(
            "No file of the reader has a package that the writer has.",
            "Every full name in it is gone. Keep the package, and put new types into a new one.",
            "package {name} was deleted",
        ),
        Difference.FILE_SAME_PACKAGE: Words(
            "The file is in another package.",
            "The wire does not know packages, but full names change: of messages inside `Any`, of methods of"
            " gRPC, of generated classes. Keep the package, and put a new version into a file of its own.",
            "the reader's package is {reader}, the writer's {writer}",
        ),
        Difference.FILE_SAME_SYNTAX: Words(
            "The file is written in another syntax: proto2, proto3 or editions.",
            "Presence, closed enums, packing and the check of UTF-8 follow the syntax. Keep it, or move to"
            " editions with the features that say what held before.",
            "the reader is written in {reader}, the writer in {writer}",
        ),
        Difference.FILE_SAME_CC_ENABLE_ARENAS: _option(
            "cc_enable_arenas", "Generated C++ allocates in another way."
        ),
        Difference.FILE_SAME_CC_GENERIC_SERVICES: _option(
            "cc_generic_services", "Service classes in C++ come or go."
        ),
        Difference.FILE_SAME_CSHARP_NAMESPACE: _option(
            "csharp_namespace", "Generated C# moves to another namespace."
        ),
        Difference.FILE_SAME_GO_PACKAGE: _option("go_package", "Generated Go moves to another package."),
        Difference.FILE_SAME_JAVA_GENERIC_SERVICES: _option(
            "java_generic_services", "Service classes in Java come or go."
        ),
        Difference.FILE_SAME_JAVA_MULTIPLE_FILES: _option(
            "java_multiple_files", "Generated Java classes move into or out of the outer class."
        ),
        Difference.FILE_SAME_JAVA_OUTER_CLASSNAME: _option(
            "java_outer_classname", "The outer class in Java has another name."
        ),
        Difference.FILE_SAME_JAVA_PACKAGE: _option(
            "java_package", "Generated Java moves to another package."
        ),
        Difference.FILE_SAME_OBJC_CLASS_PREFIX: _option(
            "objc_class_prefix", "Generated classes in Objective-C have other names."
        ),
        Difference.FILE_SAME_OPTIMIZE_FOR: _option(
            "optimize_for", "Generated code has other methods: lite classes have no descriptors."
        ),
        Difference.FILE_SAME_PHP_CLASS_PREFIX: _option(
            "php_class_prefix", "Generated classes in PHP have other names."
        ),
        Difference.FILE_SAME_PHP_METADATA_NAMESPACE: _option(
            "php_metadata_namespace", "Generated metadata in PHP moves to another namespace."
        ),
        Difference.FILE_SAME_PHP_NAMESPACE: _option(
            "php_namespace", "Generated PHP moves to another namespace."
        ),
        Difference.FILE_SAME_PY_GENERIC_SERVICES: _option(
            "py_generic_services", "Service classes in Python come or go."
        ),
        Difference.FILE_SAME_RUBY_PACKAGE: _option("ruby_package", "Generated Ruby moves to another module."),
        Difference.FILE_SAME_SWIFT_PREFIX: _option(
            "swift_prefix", "Generated types in Swift have other names."
        ),
    },
)
