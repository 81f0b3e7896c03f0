"""The history of files: versions by checkpoint, differences, and restores."""
