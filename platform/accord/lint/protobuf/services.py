"""Rules about services and their methods."""

from collections.abc import Iterator
from typing import Final

from accord.formats.protobuf.model import Method, Service
from accord.lint.hits import Hit
from accord.lint.profile import LintOptions
from accord.lint.protobuf.modules import Module
from accord.lint.protobuf.sites import inside, named, whole
from accord.lint.spelling import pascal_case
from accord.lint.table import LINT, Category
from accord.model import Format

EMPTY: Final = "google.protobuf.Empty"
REQUEST: Final = (2,)
RESPONSE: Final = (3,)


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def service_pascal_case(service: Service, _asked: LintOptions) -> Iterator[Hit]:
    """The names of services are in `PascalCase`.

    Rename the service; see the message for how.
    """
    wanted = pascal_case(service.name)
    if service.name != wanted:
        yield named(service, f'the service "{service.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.STANDARD, "service_suffix")
def service_suffix(service: Service, asked: LintOptions) -> Iterator[Hit]:
    """The names of services end with `Service`, or with the suffix that is asked for.

    A message of the same name may then stand beside it.

    Put the suffix behind the name.
    """
    if not service.name.endswith(asked.service_suffix):
        yield named(service, f'the service "{service.name}" should end with "{asked.service_suffix}"')


@LINT.rule(Format.PROTOBUF, Category.BASIC)
def rpc_pascal_case(method: Method, _asked: LintOptions) -> Iterator[Hit]:
    """The names of methods are in `PascalCase`.

    Rename the method; see the message for how.
    """
    wanted = pascal_case(method.name)
    if method.name != wanted:
        yield named(method, f'the method "{method.name}" should be "{wanted}"')


@LINT.rule(Format.PROTOBUF, Category.UNARY_RPC)
def rpc_no_client_streaming(method: Method, _asked: LintOptions) -> Iterator[Hit]:
    """No method takes a stream.

    Streams are not served by every proxy, and not by HTTP with JSON.

    Take a message with a list, or let clients call more than once.
    """
    if method.proto.client_streaming:
        yield whole(method, f'the method "{method.name}" takes a stream')


@LINT.rule(Format.PROTOBUF, Category.UNARY_RPC)
def rpc_no_server_streaming(method: Method, _asked: LintOptions) -> Iterator[Hit]:
    """No method answers with a stream.

    Streams are not served by every proxy, and not by HTTP with JSON.

    Answer with a page of a list, and let clients ask for the next one.
    """
    if method.proto.server_streaming:
        yield whole(method, f'the method "{method.name}" answers with a stream')


@LINT.rule(Format.PROTOBUF, Category.STANDARD, "rpc_allow_google_protobuf_empty_requests")
def rpc_request_standard_name(method: Method, asked: LintOptions) -> Iterator[Hit]:
    """The request of method `Get` is called `GetRequest`, or `ShopGetRequest` in service `Shop`.

    Each method then has a request of its own, which can grow without touching others.

    Give the method a request message of that name.
    """
    if not (asked.rpc_allow_google_protobuf_empty_requests and _request(method) == EMPTY):
        yield from _standard_name(method, _request(method), "Request", REQUEST)


@LINT.rule(Format.PROTOBUF, Category.STANDARD, "rpc_allow_google_protobuf_empty_responses")
def rpc_response_standard_name(method: Method, asked: LintOptions) -> Iterator[Hit]:
    """The response of method `Get` is called `GetResponse`, or `ShopGetResponse` in service `Shop`.

    Each method then has a response of its own, which can grow without touching others.

    Give the method a response message of that name.
    """
    if not (asked.rpc_allow_google_protobuf_empty_responses and _response(method) == EMPTY):
        yield from _standard_name(method, _response(method), "Response", RESPONSE)


@LINT.rule(
    Format.PROTOBUF,
    Category.STANDARD,
    "rpc_allow_same_request_response",
    "rpc_allow_google_protobuf_empty_requests",
    "rpc_allow_google_protobuf_empty_responses",
)
def rpc_request_response_unique(module: Module, asked: LintOptions) -> Iterator[Hit]:
    """No message is the request or the response of two methods, or of one method both.

    A field that one of them needs would be there for the other too. `google.protobuf.Empty` may be shared
    where its options allow it.

    Give each method messages of its own.
    """
    requests = asked.rpc_allow_google_protobuf_empty_requests
    responses = asked.rpc_allow_google_protobuf_empty_responses
    if not asked.rpc_allow_same_request_response:
        for method in module.methods:
            name = _request(method)
            if name == _response(method) and not (name == EMPTY and requests and responses):
                yield whole(method, f'the method "{method.name}" takes and returns "{name}"')
    for name, methods in module.users.items():
        users = list(methods)
        if name == EMPTY and (requests or responses):
            side = _response if requests else _request
            users = [] if requests and responses else [one for one in users if side(one) == EMPTY]
        if len(users) > 1:
            yield from (whole(one, f'"{name}" is used by {len(users)} methods') for one in users)


def _standard_name(method: Method, type_name: str, suffix: str, steps: tuple[int, ...]) -> Iterator[Hit]:
    name = pascal_case(method.name) + suffix
    wanted = (name, pascal_case(method.service.name) + name)
    if type_name.rpartition(".")[2] not in wanted:
        told = f'"{type_name}" should be called "{wanted[0]}" or "{wanted[1]}"'
        yield inside(method, steps, "input" if steps == REQUEST else "output", told)


def _request(method: Method) -> str:
    return method.proto.input_type.removeprefix(".")


def _response(method: Method) -> str:
    return method.proto.output_type.removeprefix(".")
