"""A search over a million fields: how long the slow ones take, over HTTP.

The fields of ten thousand subjects are stored directly, as registrations would leave them. The yardstick is a
read of one schema by id, which the process answers from memory. What counts is the 95th of a hundred times of
all kinds of searches, in milliseconds; ``FIELDS`` in the environment makes the pile smaller.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Callable
