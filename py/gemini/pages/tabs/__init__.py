"""Tabs: read the pages in them, and act on them."""
