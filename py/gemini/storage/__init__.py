"""The surface's database, and the export and import of everything that it stores."""
