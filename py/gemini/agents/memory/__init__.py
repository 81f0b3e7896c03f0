"""Memory: what agents remember from run to run, and what the user has pinned for them."""
