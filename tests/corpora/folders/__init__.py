"""The folders that the scripts of the corpora start in."""
