"""Web pages: tabs, searching and reading without a tab, and pictures of tabs and of the screen."""
