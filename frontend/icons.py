"""Our own line icons on a 16 by 16 grid, printed into the page: no font, no request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.html import format_html

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

PATHS: Final[dict[str, str]] = {
    "search": "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10ZM10.6 10.6 14 14",
    "copy": "M6.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z"
    "M3.5 10.5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1",
    "check": "M3 8.5 6.5 12 13 4.5",
    "cross": "M4 4l8 8M12 4l-8 8",
    "alert": "M8 2.2 14.2 13H1.8L8 2.2ZM8 6.5v3M8 11.4v.01",
    "info": "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5V11M8 5v.01",
    "minus": "M4 8h8",
    "download": "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M2.5 13.5h11",
    "next": "M6 3.5 10.5 8 6 12.5",
    "back": "M10 3.5 5.5 8 10 12.5",
    "down": "M4 6.5 8 10.5l4-4",
    "swap": "M2.5 5h10M10 2.5 12.5 5 10 7.5M13.5 11h-10M6 8.5 3.5 11 6 13.5",
    "sun": "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15"
    "M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13",
    "moon": "M13.5 9.5A5.8 5.8 0 0 1 6.5 2.5a5.8 5.8 0 1 0 7 7Z",
    "screen": "M3 2.5h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1ZM5.5 13.5h5M8 10.5v3",
    "leave": "M9.5 2.5h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-3M2.5 8h7M7 5l3 3-3 3",
    "box": "M8 1.8 13.8 5v6L8 14.2 2.2 11V5L8 1.8ZM2.4 5.1 8 8.2l5.6-3.1M8 8.2V14",
    "layers": "M8 2 14 5 8 8 2 5l6-3ZM2 8l6 3 6-3M2 11l6 3 6-3",
    "lock": "M4 7h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1ZM5 7V5a3 3 0 0 1 6 0v2",
    "key": "M6 10.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM9.2 8.5l4.6 4.6M11.6 10.9 13 9.5",
    "shield": "M8 1.8 13 3.6v3.9c0 3.1-2 5.5-5 6.7-3-1.2-5-3.6-5-6.7V3.6L8 1.8Z",
    "clock": "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.8V8l2.2 1.6",
    "hash": "M6 2.5 4.8 13.5M11.2 2.5 10 13.5M2.8 5.8h11M2.2 10.2h11",
}


def icon(name: str) -> SafeString:
    """Draw an icon that decorates a text beside it, so it is hidden from screen readers."""
    return format_html(
        '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="{}"/></svg>',
        PATHS[name],
    )
