"""Makes the page's Linux from Debian's packages: a saved machine, which the page restores in place of a boot."""
