"""Real clients: for Python called by tests, of other languages as programs that tests speak with."""
