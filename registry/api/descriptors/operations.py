"""What a call of each route takes and answers: the facts behind the OpenAPI document.

A path's variables and the rights it needs are in `registry.api.descriptors.urls`; here is what stands in the
query and the body, what comes back, and with which codes a call may be refused besides those that any meets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from accord_server.kit.operations import TEXT, Query, Reply, flag, single
from registry.api.descriptors import shapes, views
from registry.api.descriptors.calls import LARGEST, SET_TYPE
from registry.api.descriptors.serializers import MOST_DEPENDENCIES
from tenants.details import MOST_PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Operation:
    """One row: a sentence, what is answered, what stands in the query, the shapes of a JSON body, codes.

    ``is_upload``: the body may be a serialized set as well. ``is_kept``: the answer has an ETag.
    """

    summary: str
    answer: Reply
    query: tuple[Query, ...] = ()
    body: tuple[type, ...] = ()
    codes: tuple[str, ...] = ()
    is_upload: bool = False
    is_kept: bool = False


PLACE: Final[Json] = {"type": "string", "pattern": "^(latest|[0-9]{1,10})$"}
IMPORTS: Final = flag("imports", "Take what the module imports as well.")
CUT: Final = (
    Query("message", "Only what this message or enum needs, by its full name."),
    Query("service", "Only what this service needs, by its full name."),
    replace(IMPORTS, schema=IMPORTS.schema | {"default": "true"}),
    flag("notes", "Add what files note of their texts: `source_code_info`."),
)
DEPENDS: Final = Query(
    "depends",
    "A module whose files are imports, `MODULE` or `MODULE@VERSION`; once for each of them.",
    {"type": "array", "items": TEXT, "maxItems": MOST_DEPENDENCIES},
)
EXPECT: Final = Query(
    "expect",
    "The latest version that the caller knows, 0 for none; another one is refused.",
    {"type": "integer", "minimum": 0, "maximum": LARGEST},
)
PROPERTY: Final = Query(
    "property",
    "What is said of the module, `NAME=VALUE`, such as `owner=team-shop`; once for each of them.",
    {"type": "array", "items": TEXT, "maxItems": MOST_PROPERTIES},
)
OF_A_MODULE: Final = ("module_not_found",)
OF_A_VERSION: Final = (*OF_A_MODULE, "module_version_not_found")
OF_A_DOWNLOAD: Final = (*OF_A_VERSION, "module_version_disabled")
OF_A_PART: Final = (*OF_A_DOWNLOAD, "not_in_set")
OF_A_SET: Final = (
    *OF_A_DOWNLOAD,
    "invalid_detail",
    "invalid_module",
    "invalid_upload",
    "files_missing",
    "invalid_schema",
    "schema_too_large",
)
OF_A_CHANGE: Final = ("read_only",)
UPLOAD: Final = (shapes.TextsUpload, shapes.DigestsUpload)

OPERATIONS: Final[Mapping[object, Operation]] = {
    views.get_modules: Operation(
        "List the modules that may be read, by name.",
        single(shapes.ModulesShape),
        (
            Query(
                "limit",
                "How many at most.",
                {"type": "integer", "minimum": 1, "maximum": views.LARGEST_BATCH, "default": 100},
            ),
            Query("after", "Where to go on: `next` of the part before; nothing for the beginning."),
        ),
    ),
    views.delete_module: Operation(
        "Delete a module with all its versions, for good.",
        single(shapes.DeletedShape),
        codes=(*OF_A_MODULE, *OF_A_CHANGE),
    ),
    views.get_versions: Operation(
        "List the numbers of a module's versions, oldest first.", single(list[int]), codes=OF_A_MODULE
    ),
    views.post_version: Operation(
        "Upload a set as the next version of a module; the same set again is found, not stored.",
        Reply(shapes.UploadedShape, 201, (200,)),
        (DEPENDS, EXPECT, PROPERTY),
        UPLOAD,
        (
            *OF_A_SET,
            *OF_A_CHANGE,
            "module_changed",
            "content_refused",
            "incompatible_module",
            "module_lint_refused",
            "quota_reached",
        ),
        is_upload=True,
    ),
    views.post_check: Operation(
        "Say what an upload would be told, and store nothing.",
        single(shapes.JudgementShape),
        (DEPENDS, EXPECT, PROPERTY),
        UPLOAD,
        OF_A_SET,
        is_upload=True,
    ),
    views.post_lint: Operation(
        "Lint a set by the policy in force, or else by hints.",
        single(shapes.LintedShape),
        (DEPENDS, EXPECT, PROPERTY),
        UPLOAD,
        OF_A_SET,
        is_upload=True,
    ),
    views.get_diff: Operation(
        "Compare two versions of a module: files, and what it means for readers.",
        single(shapes.DifferencesShape),
        (
            Query("from", "The older version, a number or `latest`.", PLACE, is_required=True),
            Query("to", "The newer version, a number or `latest`.", PLACE | {"default": "latest"}),
        ),
        codes=OF_A_VERSION,
    ),
    views.get_version: Operation(
        "Read a version: digest, state, properties, level in force at the upload, when and by whom.",
        single(shapes.ModuleVersionShape),
        codes=OF_A_VERSION,
    ),
    views.delete_version: Operation(
        "Delete a version of a module, for good.",
        single(shapes.DeletedShape),
        codes=(*OF_A_VERSION, *OF_A_CHANGE),
    ),
    views.get_set: Operation(
        "Read the descriptor set of a version, or a part of it.",
        Reply(media_types=(SET_TYPE,)),
        CUT,
        codes=OF_A_PART,
        is_kept=True,
    ),
    views.get_files: Operation(
        "List the files of a version with their digests.",
        single(list[shapes.FileShape]),
        (IMPORTS,),
        codes=OF_A_VERSION,
    ),
    views.get_file: Operation(
        "Read a file of a version as `.proto` text.",
        Reply(media_types=(views.TEXT_TYPE.partition(";")[0],)),
        codes=OF_A_PART,
        is_kept=True,
    ),
    views.get_archive: Operation(
        "Read all files of a version as text in an archive.",
        Reply(media_types=(views.ZIP_TYPE,)),
        (IMPORTS,),
        codes=OF_A_DOWNLOAD,
        is_kept=True,
    ),
    views.get_packages: Operation(
        "List the packages of a version with their files.",
        single(list[shapes.PackageShape]),
        (IMPORTS,),
        codes=OF_A_VERSION,
    ),
    views.get_messages: Operation(
        "List the messages and enums of a version, or those that answer a search.",
        single(list[shapes.MessageShape]),
        (IMPORTS, Query("q", "What stands in their name, or in that of a field or value.")),
        codes=OF_A_VERSION,
    ),
    views.get_services: Operation(
        "List the services of a version with their methods.",
        single(list[shapes.ServiceShape]),
        (IMPORTS,),
        codes=OF_A_VERSION,
    ),
    views.post_subject: Operation(
        "Make a file of a version a subject, after what it imports.",
        single(shapes.ExposedShape),
        (),
        (shapes.ExposeBody,),
        (
            *OF_A_PART,
            *OF_A_CHANGE,
            "invalid_upload",
            "invalid_subject",
            "incompatible_schema",
            "quota_reached",
        ),
    ),
    views.post_digests: Operation(
        "Tell which of these files would have to be sent.",
        single(shapes.MissingShape),
        (),
        (shapes.DigestsBody,),
        ("invalid_upload",),
    ),
    views.get_subject_set: Operation(
        "Read the descriptor set of a version of a subject, or a part of it.",
        Reply(media_types=(SET_TYPE,)),
        CUT,
        codes=("subject_not_found", "invalid_subject", "version_not_found", "no_descriptors", "not_in_set"),
        is_kept=True,
    ),
}
