"""The base of all rooms: JSON-RPC, events, JSON encoding, interrupts and the access to the browser."""
