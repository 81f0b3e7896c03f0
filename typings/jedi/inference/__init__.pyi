"""The inference of jedi."""
