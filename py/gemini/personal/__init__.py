"""Personal: what the user's own browser can do for them by its sheets and dialogs, such as sharing a text."""
