"""Sessions, forms, accounts and the browser's policy, for pages alone.

Machine routes authenticate by token and would pay for each of these on every call (measured: a
quarter of the throughput), so they pass by.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.module_loading import import_string

from accord_server.kit.paths import is_machine_path

GetResponse = Callable[[HttpRequest], HttpResponseBase]


class PageMiddleware:
    """Runs ``settings.PAGE_MIDDLEWARE`` around pages and nothing around machine routes."""

    def __init__(self, get_response: GetResponse) -> None:
        self._machine = get_response
        self._views: list[Callable[..., HttpResponseBase | None]] = []
        self._exceptions: list[Callable[..., HttpResponseBase | None]] = []
        self._pages = self._chain(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer through the chain that fits the path."""
        answer = self._machine if is_machine_path(request.path_info) else self._pages
        return answer(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[str, ...], kwargs: dict[str, str]
    ) -> HttpResponseBase | None:
        """Hand Django's hook on to the inner layers; the check of forms works in it."""
        if is_machine_path(request.path_info):
            return None
        answers = (process(request, view, args, kwargs) for process in self._views)
        return next((answer for answer in answers if answer is not None), None)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        """Hand what a page raised on to the inner layers, the innermost first."""
        if is_machine_path(request.path_info):
            return None
        answers = (process(request, error) for process in self._exceptions)
        return next((answer for answer in answers if answer is not None), None)

    def _chain(self, get_response: GetResponse) -> GetResponse:
        for path in reversed(settings.PAGE_MIDDLEWARE):
            layer = import_string(path)(get_response)
            if hasattr(layer, "process_view"):
                self._views.insert(0, layer.process_view)
            if hasattr(layer, "process_exception"):
                self._exceptions.append(layer.process_exception)
            get_response = layer
        return get_response
