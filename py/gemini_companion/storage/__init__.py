"""The companion's storage for one user: folders, private files and the keyring."""
