"""A registry in memory that the real one is held against."""
