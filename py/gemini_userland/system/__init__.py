"""Commands that report on the machine: `nproc`, `uptime`, `free`, `df`, `ps`, `top`, `lsof`, `pgrep` and `pkill`."""
