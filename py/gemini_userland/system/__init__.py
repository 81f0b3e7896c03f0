"""Commands that report on the machine: `nproc`, `uptime`, `free`, `df`, `ps` and `top`."""
