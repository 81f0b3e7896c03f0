"""Finding things by their words: files, what was run, and what tools were called with."""
