"""MCP for clients outside of the browser, on the official SDK's low-level server."""
