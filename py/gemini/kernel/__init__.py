"""The kernel, which creates the rooms and connects them, and the answers to its clients."""
