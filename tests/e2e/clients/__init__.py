"""Real clients of other languages, as programs that the tests speak with."""
