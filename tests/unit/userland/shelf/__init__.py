"""The lines that the later commands of the userland are compared with, and the programs' recorded answers."""
