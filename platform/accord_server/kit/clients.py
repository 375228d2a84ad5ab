"""Classes of clients by what they say of themselves in ``User-Agent``: a claim, which proves nothing."""

from __future__ import annotations

from typing import Final

OTHER: Final = "other"
# By the first words of a name; the first class with one of them in the text counts.
WORDS: Final = {
    "accord": ("accord/",),
    "browser": ("mozilla/", "opera/"),
    "curl": ("curl/", "wget/"),
    "java": ("java/", "java-http-client", "apache-httpclient", "okhttp", "jersey"),
    "python": ("python", "aiohttp", "httpx"),
    "go": ("go-http-client", "go-resty"),
    "dotnet": (".net", "dotnet"),
    "javascript": ("node", "axios", "undici", "deno/", "bun/"),
    "rust": ("reqwest", "hyper/", "rust"),
}
CLASSES: Final = (*WORDS, OTHER)
# What comes after so many characters does not decide.
LONGEST: Final = 200


def class_of(client: str) -> str:
    """Return the class of a client by its ``User-Agent``."""
    text = client[:LONGEST].lower()
    found = (name for name, words in WORDS.items() if any(word in text for word in words))
    return next(found, OTHER)
