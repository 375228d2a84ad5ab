"""Behaviour of the Confluent dialect, one file per topic; numbers are those of the behaviour list."""
