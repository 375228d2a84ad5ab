"""Views of members, invitations and service accounts, with their bodies."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from rest_framework import serializers
from rest_framework.response import Response

from accord_server.kit import attempts
from accord_server.kit.error_tables import HttpError
from accord_server.kit.kept_answers import Asker
from accord_server.kit.operations import NOTHING, WORDS, Reply, choice, listed, made, single, tagged
from accord_server.kit.paging import batch_document, batch_size, cursor, next_cursor, words_asked
from accord_server.kit.preconditions import etag, expected_if_named, expected_version
from accord_server.kit.request_id import request_id_of
from accord_server.kit.rest_bodies import Body
from accord_server.kit.scope import PrincipalKind, Scope
from tenants import services
from tenants.api.base import PublicView, TenantView
from tenants.api.documents import account_document, invitation_document, member_document
from tenants.api.sentences import SLUG
from tenants.api.shapes import AccountShape, InvitationShape, MemberShape, NewMember, SentInvitation
from tenants.details import LONGEST_DESCRIPTION, LONGEST_NAME
from tenants.models import ALL_SUBJECTS
from tenants.principals import ANYBODY, principal_of
from tenants.queries import invitations as invitation_queries
from tenants.queries import people as queries
from tenants.queries.people import PEOPLE_STATES, WantedPeople
from tenants.selectors import MAX_SELECTOR_LENGTH
from tenants.services.invitations import (
    LIFETIME,
    LONGEST_LIFETIME,
    MOST_BINDINGS,
    Invite,
    WantedBinding,
    accept_invitation,
    invite,
    revoke_invitation,
)

if TYPE_CHECKING:
    from uuid import UUID

    from rest_framework.request import Request

    from tenants.records import PrincipalRecord

LONGEST_USER_NAME = 150
LONGEST_EMAIL = 254
DAY = timedelta(days=1)
A_WHILE = {"Retry-After": str(attempts.WINDOW)}


class WantedBindingSerializer(Body[Any]):
    """A role that an invited person is to hold."""

    role = serializers.CharField(max_length=LONGEST_NAME)
    namespace = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_null=True)
    subjects = serializers.CharField(
        max_length=MAX_SELECTOR_LENGTH, default=ALL_SUBJECTS, trim_whitespace=False
    )


class InvitationSerializer(Body[Any]):
    """The body that invites a person."""

    email = serializers.CharField(max_length=LONGEST_EMAIL, required=False)
    username = serializers.CharField(max_length=LONGEST_USER_NAME, required=False)
    bindings = serializers.ListField(
        child=WantedBindingSerializer(),
        default=list,
        max_length=MOST_BINDINGS,
        error_messages={"not_a_list": "Must be a list."},
    )
    lifetime_days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_LIFETIME.days, default=LIFETIME.days
    )

    def command(self) -> Invite:
        """Return what the service is asked."""
        wanted = self.validated_data
        return Invite(
            email=wanted.get("email", ""),
            username=wanted.get("username", ""),
            bindings=tuple(WantedBinding(**one) for one in wanted["bindings"]),
            lifetime=wanted["lifetime_days"] * DAY,
        )


class AcceptSerializer(Body[Any]):
    """The body that accepts an invitation: its secret, and the account that becomes a member."""

    token = serializers.CharField(max_length=LONGEST_NAME)
    username = serializers.CharField(max_length=LONGEST_USER_NAME)
    password = serializers.CharField(max_length=1024, trim_whitespace=False)


class AccountSerializer(Body[Any]):
    """The body that makes a service account."""

    slug = serializers.CharField(max_length=LONGEST_NAME, help_text=SLUG)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, default="", allow_blank=True)


class AccountDetailsSerializer(Body[Any]):
    """What can be said of a service account."""

    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, allow_blank=True)


NARROWED: Final = (WORDS, choice("state", "Only those in this state.", *PEOPLE_STATES))


def _wanted(request: Request) -> WantedPeople:
    state = request.query_params.get("state", "")
    if state and state not in PEOPLE_STATES:
        raise HttpError(400, f"state is one of {', '.join(PEOPLE_STATES)}")
    return WantedPeople(words_asked(request), state)


class PeopleView(TenantView):
    """A view of people and programs of a tenant."""

    hides = False
    kind = PrincipalKind.PERSON

    def key(self, name: str) -> str:
        """Return the key of whom the path names."""
        return principal_of(self.kind, name).key

    def shown(self, record: PrincipalRecord, *, status: int = 200, where: str = "") -> Response:
        """Answer with a member or a service account."""
        document = member_document if self.kind is PrincipalKind.PERSON else account_document
        headers = etag(record.revision) | ({"Location": where} if where else {})
        return Response(document(record), status=status, headers=headers)


class Members(PeopleView):
    """The members of a tenant."""

    rights = {"GET": "member.read"}
    queries = {"GET": NARROWED}
    answers = {"GET": listed(MemberShape)}

    def get(self, request: Request, **_names: str) -> Response:
        """List them by user name."""
        batch = queries.list_members(
            self.scope, wanted=_wanted(request), after=cursor(request), limit=batch_size(request)
        )
        return Response(batch_document(batch, member_document, next_cursor(request, batch.after)))


class Member(PeopleView):
    """One member, by user name."""

    rights = {"GET": "member.read", "DELETE": "member.manage"}
    answers = {"GET": tagged(MemberShape), "DELETE": NOTHING}
    codes = {"DELETE": ("last_admin",)}
    # Whether an account is active is the installation's to say.
    tag_is_whole = False

    def get(self, request: Request, name: str, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """Return it."""
        return self.shown(queries.get_principal(self.scope, self.key(name)))

    def delete(self, request: Request, name: str, **_names: str) -> Response:
        """Let it go: roles and tokens end."""
        services.remove_principal(self.scope, principal=self.key(name), expected=expected_version(request))
        return Response(status=204)


class SuspendMember(PeopleView):
    """Shutting a member out."""

    rights = {"POST": "member.manage"}
    answers = {"POST": tagged(MemberShape)}
    codes = {"POST": ("last_admin",)}
    if_match = {"POST": False}

    def post(self, request: Request, name: str, **_names: str) -> Response:
        """Shut it out, its tokens too, until somebody resumes it."""
        expected = expected_if_named(request)
        return self.shown(services.suspend_principal(self.scope, principal=self.key(name), expected=expected))


class ResumeMember(PeopleView):
    """Letting a suspended member in again."""

    rights = {"POST": "member.manage"}
    answers = {"POST": tagged(MemberShape)}
    if_match = {"POST": False}

    def post(self, request: Request, name: str, **_names: str) -> Response:
        """Let it in again, with roles and tokens as they were."""
        expected = expected_if_named(request)
        return self.shown(services.resume_principal(self.scope, principal=self.key(name), expected=expected))


class Accounts(PeopleView):
    """The service accounts of a tenant."""

    rights = {"GET": "member.read", "POST": "member.manage"}
    bodies = {"POST": AccountSerializer}
    queries = {"GET": NARROWED}
    answers = {"GET": listed(AccountShape), "POST": made(AccountShape, is_tagged=True)}
    codes = {"POST": ("invalid_slug", "slug_taken")}
    examples = {"POST": {"slug": "ci", "description": "Checks schemas before they are merged"}}
    kind = PrincipalKind.SERVICE

    def get(self, request: Request, **_names: str) -> Response:
        """List them by name."""
        batch = queries.list_accounts(
            self.scope, wanted=_wanted(request), after=cursor(request), limit=batch_size(request)
        )
        return Response(batch_document(batch, account_document, next_cursor(request, batch.after)))

    def post(self, request: Request, tenant: str) -> Response:
        """Make one; it can do nothing until a role is bound to it."""
        record = services.create_service_account(self.scope, **self.body(request).validated_data)
        return self.shown(record, status=201, where=reverse("native-account", args=[tenant, record.name]))


class Account(Member):
    """One service account, by name."""

    rights = {"GET": "member.read", "PATCH": "member.manage", "DELETE": "member.manage"}
    bodies = {"PATCH": AccountDetailsSerializer}
    answers = {"GET": tagged(AccountShape), "PATCH": tagged(AccountShape), "DELETE": NOTHING}
    kind = PrincipalKind.SERVICE

    def patch(self, request: Request, name: str, **_names: str) -> Response:
        """Change what is said of it, if nobody was faster."""
        expected = expected_version(request)
        said = self.body(request).validated_data["description"]
        return self.shown(
            services.update_service_account(self.scope, slug=name, description=said, expected=expected)
        )


class SuspendAccount(SuspendMember):
    """Shutting a service account out."""

    answers = {"POST": tagged(AccountShape)}

    kind = PrincipalKind.SERVICE


class ResumeAccount(ResumeMember):
    """Letting a suspended service account in again."""

    answers = {"POST": tagged(AccountShape)}

    kind = PrincipalKind.SERVICE


class Invitations(TenantView):
    """The invitations of a tenant."""

    rights = {"GET": "member.read", "POST": "member.manage"}
    bodies = {"POST": InvitationSerializer}
    answers = {"GET": listed(InvitationShape), "POST": Reply(SentInvitation, 201)}
    queries = {"GET": (choice("state", "`open`: only those that can be accepted.", "open"),)}
    codes = {
        "POST": (
            "invalid_detail",
            "invalid_grant",
            "unknown_role",
        )
    }
    hides = False
    secrets = frozenset({"token"})

    def get(self, request: Request, **_names: str) -> Response:
        """List them, newest first."""
        batch = invitation_queries.list_invitations(
            self.scope,
            is_open=request.query_params.get("state") == "open",
            after=cursor(request),
            limit=batch_size(request),
        )
        return Response(batch_document(batch, invitation_document, next_cursor(request, batch.after)))

    def post(self, request: Request, **_names: str) -> Response:
        """Invite a person; the secret is shown this once."""
        serializer = self.body(request)
        invited = invite(self.scope, command=serializer.command())
        return Response({**invitation_document(invited.record), "token": invited.value}, status=201)


class Invitation(TenantView):
    """One invitation."""

    rights = {"DELETE": "member.manage"}
    answers = {"DELETE": single(InvitationShape)}
    codes = {"DELETE": ("invitation_not_found",)}
    unversioned = {"DELETE": "An invitation is never changed, only ended."}
    hides = False

    def delete(self, request: Request, invitation: UUID, **_names: str) -> Response:  # noqa: ARG002  # the signature is the framework's
        """End it, unless it is over."""
        return Response(invitation_document(revoke_invitation(self.scope, invitation=invitation)))


class AcceptInvitation(PublicView):
    """Becoming a member: whoever has the secret of an invitation may, with an account of their own."""

    keeps_answers = True
    bodies = {"POST": AcceptSerializer}
    answers = {"POST": Reply(NewMember, 201)}
    codes = {
        "POST": (
            "invalid_user",
            "invitation_not_found",
            "invitation_refused",
            "too_many_requests",
        )
    }

    def asker(self, request: Request) -> Asker | None:
        """Return the invitation: its secret is all that is known of whoever asks."""
        secret = self.asked_again(request).get("token")
        found = invitation_queries.resolve_invitation(secret) if isinstance(secret, str) else None
        if found is None:
            return None
        tenant, invitation = found
        return Asker(f"invitation:{invitation}", Scope(tenant, None, ANYBODY))

    def asked_again(self, request: Request) -> dict[str, Any]:
        """Return all but the password, of which nothing is kept."""
        sent: Any = request.data
        return {name: value for name, value in sent.items() if name != "password"}

    def post(self, request: Request) -> Response:
        """Become a member; as slow as signing in for whoever tries passwords out."""
        wanted = self.body(request).validated_data
        username, address = wanted["username"], request.META.get("REMOTE_ADDR")
        if not attempts.may_try(str(address), username):
            raise HttpError(429, "Too many attempts; wait a few minutes.", headers=A_WHILE)
        who = {"username": username, "password": wanted["password"], "address": address}
        tenant, record = accept_invitation(
            value=wanted["token"], request_id=request_id_of(request.META), **who
        )
        attempts.succeeded(str(address), username)
        return Response({"tenant": tenant.slug, **member_document(record)}, status=201)
