"""`bc`: arithmetic on decimal numbers of any size.

`compiler` turns a text into instructions, which `machine` runs; `number` calculates; `library` has the functions of
`-l`.
Sources: POSIX.1-2017, "bc"; the manual of GNU bc 1.07.
"""

from gemini_userland.bc.command import bc as bc
