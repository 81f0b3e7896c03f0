"""jedi's API."""
