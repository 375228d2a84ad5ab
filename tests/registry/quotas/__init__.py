"""Quotas as the registry holds them."""
