"""The house watched from outside: contracts, lints, budgets, changelog, templates, and tests of each.

`python -m tests.house.lints`, `.budgets`, `.changelog` and `.templates` are what `make check` runs.
"""
