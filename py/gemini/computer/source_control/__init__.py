"""Source Control: the state of a git repository, and the panel's actions in it."""
