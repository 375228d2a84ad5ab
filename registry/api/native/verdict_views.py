"""Views of verdicts: explained at once, for readers, and the schemas of consumers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rest_framework.response import Response

from accord.naming import parse_subject
from accord.policy.preset_matrix import matrix_data
from accord_server.kit.operations import Query, Reply, single
from registry import services
from registry.api.native.check_answers import check_response
from registry.api.native.serializers import (
    MOST_PRESETS,
    CandidateSerializer,
    LintSerializer,
    MatrixSerializer,
    ReaderSerializer,
    VerdictSerializer,
)
from registry.api.native.verdict_shapes import (
    CheckShape,
    ConsumerSchemaShape,
    ContentModelsShape,
    LintShape,
    MatrixShape,
    ReadingShape,
    VerdictShape,
)
from registry.errors import InvalidVersion
from registry.records import LATEST, CheckRunRecord
from tenants.api.base import TenantView

if TYPE_CHECKING:
    from rest_framework.request import Request


LONGEST_NUMBER = 9
LIST: Final = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_PRESETS}


class ExplainedVerdict(TenantView):
    """The verdict on a candidate, explained, under every level at once."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": VerdictSerializer}
    answers = {"POST": Reply(VerdictShape | CheckShape, others=(202,))}
    is_question = True

    def post(self, request: Request, tenant: str, namespace: str, subject: str) -> Response:
        """Judge as a registration would, or by another policy or level; 202 where a worker does."""
        command = self.body(request).command(subject)
        found = services.explain_or_request(self.scope, command)
        if isinstance(found, CheckRunRecord):
            return check_response(found, tenant, namespace)
        return Response(found)


class Lint(TenantView):
    """What lint says of a candidate."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": LintSerializer}
    answers = {"POST": single(LintShape)}
    is_question = True

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Lint as a registration would, by another policy or by rules that are named; nothing is stored."""
        body = self.body(request)
        use = body.validated_data["use"]
        return Response(services.lint_candidate(self.scope, body.command(subject), use=use))


class CanRead(TenantView):
    """Whether a reader may consume a subject."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": ReaderSerializer}
    answers = {"POST": single(ReadingShape)}
    codes = {
        "POST": (
            "history_too_large",
            "version_not_found",
        )
    }
    is_question = True

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Hold a schema, or that of a version, against every live version."""
        return Response(services.can_read(self.scope, self.body(request).command(subject)))


class Matrix(TenantView):
    """Who accepts a change, who refuses it, and why: every preset at once."""

    rights = {"GET": "subject.read", "POST": "compat.check"}
    bodies = {"POST": MatrixSerializer}
    answers = dict.fromkeys(("GET", "POST"), single(MatrixShape))
    queries = {
        "GET": (
            Query("old", "The version to judge after; by default the one before `new`."),
            Query("new", "The version to judge: a number, or `latest`, which is the default."),
            Query("level", "The level to judge by instead of the one in force."),
            Query("preset", "Only this preset; may be given several times.", LIST),
        )
    }
    codes = {
        "POST": (
            "invalid_policy",
            "unknown_level",
            "version_not_found",
        ),
        "GET": ("schema_too_large",),
    }
    is_question = True

    def get(self, request: Request, subject: str, **_names: str) -> Response:
        """Judge a stored version, the latest by default, after an older one, by default that before it."""
        asked = request.query_params
        name, older = parse_subject(subject), asked.get("old")
        sides = (None if older is None else _number(older), _number(asked.get("new", LATEST)))
        presets = asked.getlist("preset")[:MOST_PRESETS]
        old, new, found = services.version_matrix(
            self.scope, name, sides, level=asked.get("level"), presets=presets
        )
        return Response({"subject": name.qualified, "old": old, "new": new, **matrix_data(found)})

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Judge a candidate against a live version, the latest by default; nothing is stored."""
        body = self.body(request)
        command, presets = body.command(subject), body.validated_data["presets"]
        version, found = services.candidate_matrix(self.scope, command, presets)
        name = command.subject.qualified
        return Response({"subject": name, "old": version, "new": None, **matrix_data(found)})


class CandidateConsumerSchema(TenantView):
    """What consumers of a candidate's data read with."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": CandidateSerializer}
    answers = {"POST": single(ConsumerSchemaShape)}
    codes = {"POST": ("no_consumer_schema",)}
    is_question = True

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """Generate it; nothing is stored."""
        command = self.body(request).command(subject)
        return Response(services.consumer_schema(self.scope, command))


class VersionConsumerSchema(TenantView):
    """What consumers of a version's data read with."""

    rights = {"GET": "subject.read"}
    answers = {"GET": single(ConsumerSchemaShape)}
    codes = {
        "GET": (
            "invalid_version",
            "no_consumer_schema",
        )
    }

    def get(self, request: Request, subject: str, version: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Generate it."""
        wanted = _number(version)
        return Response(services.consumer_schema_of(self.scope, parse_subject(subject), wanted))


class CandidateContentModels(TenantView):
    """What a candidate's objects say about properties that they do not declare."""

    rights = {"POST": "compat.check"}
    bodies = {"POST": CandidateSerializer}
    answers = {"POST": single(ContentModelsShape)}
    is_question = True

    def post(self, request: Request, subject: str, **_names: str) -> Response:
        """List them; nothing is stored."""
        command = self.body(request).command(subject)
        return Response(services.content_models(self.scope, command))


class VersionContentModels(TenantView):
    """What a version's objects say about properties that they do not declare."""

    rights = {"GET": "subject.read"}
    answers = {"GET": single(ContentModelsShape)}
    codes = {"GET": ("invalid_version",)}

    def get(self, request: Request, subject: str, version: str, **_names: str) -> Response:  # noqa: ARG002  # as above
        """List them."""
        wanted = _number(version)
        return Response(services.content_models_of(self.scope, parse_subject(subject), wanted))


def _number(version: str) -> int | str:
    if version == LATEST:
        return version
    if not (version.isascii() and version.isdigit() and len(version) <= LONGEST_NUMBER):
        raise InvalidVersion(version)
    return int(version)
