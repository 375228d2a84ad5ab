"""Commands of the kit."""
