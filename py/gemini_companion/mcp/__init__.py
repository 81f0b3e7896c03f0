"""MCP for clients outside the browser, on the official SDK's low-level server."""
