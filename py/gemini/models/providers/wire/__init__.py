"""Clients of providers. Import only when the packages of the group `models` are loaded."""
