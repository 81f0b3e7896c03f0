"""Decides whether a message continues a finished run: rules, and a model where they don't decide."""
