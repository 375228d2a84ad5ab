"""What is measured against what: `python -m benchmarks` runs all of it, or the named ones."""
