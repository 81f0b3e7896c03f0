"""Answers to the editor about Python code: completions, signatures, documentation, definitions, and new names."""
