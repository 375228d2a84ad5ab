"""A Django app for the tests: empties tables as their owner."""
