"""Pages: tabs, what is in them, and what can be done to them."""
