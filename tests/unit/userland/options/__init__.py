"""Every option of the programs that aren't GNU coreutils, against Debian's programs."""
