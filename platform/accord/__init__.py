"""Accord: schema formats, compatibility rules, policies, wire formats, client and command line."""
