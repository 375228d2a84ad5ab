"""Avro: typed nodes, the parser, canonical and normalised text, fingerprints, references."""
