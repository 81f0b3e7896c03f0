"""The local process beside the page."""
