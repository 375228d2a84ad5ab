"""The HTTP of people, access and tokens, below ``/api/v1/``."""
