"""The companion: a process beside the page that gives what a page may not do."""
