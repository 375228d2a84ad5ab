"""Metadata and rule sets of schemas: read, checked, merged, compared, and written again."""
