"""The companion's own Chromium: windows, headless pages and tabs."""
