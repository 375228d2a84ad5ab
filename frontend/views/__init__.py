"""The views of the pages: each parses the address, makes one call, renders."""
