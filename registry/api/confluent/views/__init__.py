"""Views of the dialect by topic: each parses, calls one query or service, and renders."""
