"""Tests of what there is to find, and of searches."""
