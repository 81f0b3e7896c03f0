"""Runs: start, control and resume them."""
