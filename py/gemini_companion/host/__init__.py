"""Terminals of this machine, for a page to which the person grants access."""
