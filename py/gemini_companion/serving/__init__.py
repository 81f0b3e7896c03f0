"""The running companion: its applications, connections, ports and files."""
