"""Terminals of this machine, for a page that a person agreed to let in."""
