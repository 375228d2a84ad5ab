"""Real clients: those for Python called by tests, those of other languages as programs that tests speak with."""
