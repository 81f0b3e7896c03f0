"""Calls as people see them: their sentences, and what they open to."""
