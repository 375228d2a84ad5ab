"""The public pages of the compatibility and lint rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from accord.lint.table import LINT
from frontend.pages.lint_rules import lint_rule_page
from frontend.pages.rules import rule_page, rules_page
from frontend.pages.shell import Crumb, Frame, render_page
from frontend.views.page import open_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@open_page
def all_rules(request: HttpRequest) -> HttpResponse:
    """List every rule of the engine's table."""
    frame = Frame(_("Compatibility rules"), (Crumb(_("Rules")),), section="rules")
    return render_page(request, "rules.html", page=rules_page(), frame=frame)


@open_page
def rule(request: HttpRequest, rule_id: str) -> HttpResponse:
    """Explain one rule."""
    frame = Frame(rule_id, (Crumb(_("Rules"), reverse("frontend:rules")), Crumb(rule_id)), section="rules")
    if rule_id in LINT.rows:
        return render_page(request, "lint_rule.html", page=lint_rule_page(rule_id), frame=frame)
    return render_page(request, "rule.html", page=rule_page(rule_id), frame=frame)
