"""Finding schemas: what there is to be found in them, and what a search asks for."""
