"""Terminals of this machine, for a page to which the user grants access."""
