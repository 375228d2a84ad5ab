"""Tests of what a search finds."""
