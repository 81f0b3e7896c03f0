"""Commands that report on the machine: `nproc`, `uptime`, `free`, `df`, `ps`, `lsof`, `pgrep` and `pkill`."""
