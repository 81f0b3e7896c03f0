"""Calls as users see them: their sentences, and what they open to."""
