"""Bodies about tokens: grants with namespaces by name, presets, lifetimes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from rest_framework import serializers

from accord_server.kit.clients import CLASSES
from accord_server.kit.rest_bodies import Body, Changes, DescribedField
from tenants.conditions import MAX_NETWORKS, MAX_PACE, NETWORKS, OUTSIDE, WITHIN, parse_conditions
from tenants.details import LONGEST_DESCRIPTION, LONGEST_NAME
from tenants.errors import InvalidGrant, NamespaceNotFound
from tenants.grants import EVERYWHERE, MAX_GRANTS, MAX_NAMESPACES, MAX_SELECTORS, parse_grants
from tenants.lifetimes import FORM, read_lifetime, write_lifetime
from tenants.principals import parse_key
from tenants.queries.namespaces import ids_of_namespaces
from tenants.records import IssueToken, TokenDetails
from tenants.rights import PRESETS, RIGHTS
from tenants.selectors import MAX_SELECTOR_LENGTH
from tenants.services.token_life import GRACE
from tenants.tokens import TokenKind

if TYPE_CHECKING:
    from datetime import timedelta

    from accord_server.kit.networks import Networks
    from accord_server.kit.scope import Grant, Scope

KINDS: Final = {kind.name.lower(): kind for kind in TokenKind if kind is not TokenKind.OPERATOR}
PRESETS_SAID: Final = "; ".join(
    f"`{name}` {one.summary[:1].lower()}{one.summary[1:]}" for name, one in PRESETS.items()
)
NOT_A_LIST: Final[dict[str, Any]] = {"not_a_list": "Must be a list."}


def names(longest: int, most: int, **options: Any) -> serializers.ListField:
    """Return a member that lists texts."""
    child = serializers.CharField(max_length=longest, trim_whitespace=False)
    return serializers.ListField(child=child, max_length=most, error_messages=NOT_A_LIST, **options)


class LifetimeField(DescribedField["timedelta"]):
    """A number with its unit."""

    described: ClassVar[dict[str, Any]] = {"type": "string", "pattern": "^[0-9]{1,6}[mhd]$"}
    default_error_messages = {"invalid": f"Must be a lifetime: {FORM}."}

    def to_internal_value(self, data: object) -> timedelta:
        """Return it."""
        found = read_lifetime(data) if isinstance(data, str) else None
        if found is None:
            self.fail("invalid")
        return found

    def to_representation(self, value: timedelta) -> str:
        """Return it as it is written."""
        return write_lifetime(value)


class GrantSerializer(Body[Any]):
    """What a token opens: rights by name or by preset, on some subjects of some namespaces."""

    namespaces = names(
        LONGEST_NAME, MAX_NAMESPACES, required=False, min_length=1, help_text="Their slugs; all unless given."
    )
    subjects = names(
        MAX_SELECTOR_LENGTH,
        MAX_SELECTORS,
        default=lambda: [EVERYWHERE],
        min_length=1,
        help_text="Names, prefixes such as `orders-*`, or topics such as `topic:orders`; all unless given.",
    )
    actions = names(
        LONGEST_NAME,
        len(RIGHTS),
        required=False,
        min_length=1,
        help_text="Rights by name, such as `compat.check`; either these or a preset.",
    )
    preset = serializers.ChoiceField(
        list(PRESETS),
        required=False,
        help_text=f"Rights by the name of a set: {PRESETS_SAID}.",
        error_messages={"invalid_choice": f"Must be one of: {', '.join(PRESETS)}."},
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take one of the two."""
        if ("actions" in attrs) == ("preset" in attrs):
            raise serializers.ValidationError("Give either actions or preset.")
        return attrs


def grants_field(*, is_required: bool) -> serializers.ListField:
    """Return the member that says what a token opens."""
    return serializers.ListField(
        child=GrantSerializer(),
        required=is_required,
        min_length=1,
        max_length=MAX_GRANTS,
        error_messages=NOT_A_LIST,
    )


class NetworksSerializer(Body[Any]):
    """Where a token counts."""

    def get_fields(self) -> dict[str, Any]:
        """Return the members, one of which is named by a word of Python."""
        return {WITHIN: names(50, MAX_NETWORKS, default=list), OUTSIDE: names(50, MAX_NETWORKS, default=list)}


class TokenSerializer(Body[Any]):
    """The body that issues a token."""

    owner = serializers.CharField(
        max_length=LONGEST_NAME,
        required=False,
        help_text="For whom it is, `service:NAME` or `person:NAME`; the caller unless given."
        " The token can do no more than the roles of its owner.",
    )
    kind = serializers.ChoiceField(
        list(KINDS),
        required=False,
        error_messages={"invalid_choice": f"Must be one of: {', '.join(KINDS)}."},
        help_text="`ci` lives an hour unless told otherwise, and a day at most.",
    )
    name = serializers.CharField(max_length=LONGEST_NAME, help_text="What people know it by.")
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, default="", allow_blank=True)
    grants = grants_field(is_required=True)
    expires_in = LifetimeField(required=False, help_text="How long it lives: minutes, hours or days.")
    not_before = serializers.DateTimeField(
        required=False, help_text="From when on it counts; now unless given."
    )
    max_uses = serializers.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, help_text="How often it counts."
    )
    networks = NetworksSerializer(
        required=False, help_text="From which addresses it counts; all unless given."
    )
    clients = serializers.ListField(
        child=serializers.ChoiceField(
            list(CLASSES), error_messages={"invalid_choice": f"Must be one of: {', '.join(CLASSES)}."}
        ),
        required=False,
        min_length=1,
        max_length=len(CLASSES),
        error_messages=NOT_A_LIST,
    )
    requests_per_second = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PACE)

    def command(self, scope: Scope) -> IssueToken:
        """Return what the service is asked; the owner is the caller unless somebody else is named."""
        wanted = self.validated_data
        owner = wanted.get("owner", scope.principal.key)
        return IssueToken(
            owner=owner,
            kind=KINDS[wanted["kind"]] if "kind" in wanted else _usual_kind(owner),
            name=wanted["name"],
            grants=grants_of(scope, wanted["grants"]),
            description=wanted["description"],
            lifetime=wanted.get("expires_in"),
            not_before=wanted.get("not_before"),
            max_uses=wanted.get("max_uses"),
            networks=_networks(wanted),
            clients=frozenset(wanted.get("clients", ())),
            requests_per_second=wanted.get("requests_per_second"),
        )


class TokenDetailsSerializer(Changes[Any]):
    """What can be changed of a token."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    description = serializers.CharField(max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True)
    grants = grants_field(is_required=False)

    def details(self, scope: Scope) -> TokenDetails:
        """Return what the service is asked."""
        wanted = self.validated_data
        grants = grants_of(scope, wanted["grants"]) if "grants" in wanted else None
        return TokenDetails(wanted.get("name"), wanted.get("description"), grants)


class RollSerializer(Body[Any]):
    """The body that rolls a token."""

    grace = LifetimeField(default=GRACE)


class LeakSerializer(Body[Any]):
    """The body that reports a token that somebody found."""

    token = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)


def grants_of(scope: Scope, wanted: list[dict[str, Any]]) -> tuple[Grant, ...]:
    """Return the grants of a body; namespaces are named as in addresses.

    Raises:
        InvalidGrant: With a JSON pointer to the first place that is wrong.
    """
    named = {name for one in wanted for name in one.get("namespaces", ()) if name != EVERYWHERE}
    ids = ids_of_namespaces(scope, named)
    stored = []
    for index, one in enumerate(wanted):
        actions = one["actions"] if "actions" in one else sorted(PRESETS[one["preset"]].rights)
        stored.append({"subjects": one["subjects"], "actions": actions, **_where(one, ids, index)})
    return parse_grants(stored)


def _where(one: dict[str, Any], ids: dict[str, str], index: int) -> dict[str, Any]:
    slugs = one.get("namespaces", [EVERYWHERE])
    if EVERYWHERE in slugs:
        return {"namespaces": EVERYWHERE}
    for position, slug in enumerate(slugs):
        if slug not in ids:
            place = f"/{index}/namespaces/{position}"
            raise InvalidGrant(place, NamespaceNotFound().message)
    return {"namespaces": [ids[slug] for slug in slugs]}


def _networks(wanted: dict[str, Any]) -> Networks | None:
    if "networks" not in wanted:
        return None
    return parse_conditions({NETWORKS: dict(wanted["networks"])}).networks


def _usual_kind(owner: str) -> TokenKind:
    who = parse_key(owner)
    return TokenKind.PERSON if who is not None and who.kind == "person" else TokenKind.SERVICE
