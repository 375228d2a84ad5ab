"""A Django app for the tests: a topic whose handler leaves marks in a file."""
