"""Personal: the user's calendar and contacts, and what their own browser can do for them, such as sharing a text."""
