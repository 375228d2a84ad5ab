"""How the kit's tables came to be."""
