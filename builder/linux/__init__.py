"""Makes the Linux of the page from Debian's packages: a saved machine, which the page restores in place of a boot."""
