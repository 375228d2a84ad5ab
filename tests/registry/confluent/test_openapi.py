"""The OpenAPI document: of every route, valid, and true of whatever is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import schemathesis
from hypothesis import given
from schemathesis.openapi import from_dict

from registry.api.confluent.openapi import document
from registry.api.confluent.operations import OPERATIONS, PARAMETERS
from registry.api.confluent.urls import ROUTES

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db
