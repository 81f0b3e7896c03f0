"""Calls that small models wrote, and what becomes of them in a run."""
