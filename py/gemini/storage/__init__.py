"""What the surface keeps beside files: its database, and all of it as one file to take along."""
