"""The HTTP dialects of the registry: one package each, none knows another's views."""
