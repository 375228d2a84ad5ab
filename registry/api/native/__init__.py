"""The native API of the registry: what the Confluent dialect has no words for."""
