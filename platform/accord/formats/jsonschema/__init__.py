"""JSON Schema: text to typed nodes, canonical text, references, content models."""
