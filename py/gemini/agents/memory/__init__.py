"""Memory: agents' memories from run to run, and the user's pinned ones for them."""
