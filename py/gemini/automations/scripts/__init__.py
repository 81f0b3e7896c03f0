"""Saved scripts that call tools without a model."""
