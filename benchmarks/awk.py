"""Compares the page's awk with mawk on 100,000 lines.

Each figure is a ratio to the time of mawk in the same minute, the median of several runs.
"""

import random

from _commands import medians, shells

RUNS = 5
MAX_RATIO = 10.0
# Shell's sort, by the values.
SORT = """function sort(a, n,  g, i, j, t) {
  for (g = int(n / 2); g > 0; g = int(g / 2))
    for (i = g + 1; i <= n; i++) {
      t = a[i]
      for (j = i; j > g && a[j - g] > t; j -= g) a[j] = a[j - g]
      a[j] = t
    }
}"""
STEPS = "function steps(n,  c) {while (n != 1) {n = n % 2 ? 3 * n + 1 : n / 2; c++} return c}"
CODES = 'BEGIN {for (i = 32; i < 127; i++) o[sprintf("%c", i)] = i}'
SEARCH = """lo = 1; hi = 1000
  while (lo < hi) {mid = int((lo + hi) / 2); if (a[mid] < $1) lo = mid + 1; else hi = mid}"""
COMMANDS = [
    "'{s += $1} END {print s}' numbers",
    "'{print $2}' numbers",
    "'$1 > max {max = $1} END {print max}' numbers",
    "'{for (i = 1; i <= NF; i++) s += $i} END {print s}' numbers",
    "'{for (i = 1; i <= NF; i++) n[$i]++} END {print length(n)}' numbers",
    "'{n = split($0, a, \" \"); for (i = 1; i <= n; i++) s += length(a[i])} END {print s}' numbers",
    "'{split($3, a, \":\"); s += a[1]} END {print s}' numbers",
    "'{for (i = 1; i <= 5; i++) if (substr($0, i, 1) == \"7\") s++} END {print s}' numbers",
    "'index($0, \"7:\") {n++} END {print n}' numbers",
    "'length($0) > 38 {n++} END {print n}' numbers",
    "'{gsub(/o/, \"0\"); print}' numbers",
    "'{sub(/quick.*fox/, \"cat\"); print}' numbers",
    '\'{r = ""; for (i = NF; i > 0; i--) r = r $i " "; print r}\' numbers',
    "'{printf \"%s %d %.2f\\n\", $2, $1, $1 / 3}' numbers",
    "'BEGIN {while ((getline line < \"numbers\") > 0) n += length(line); print n}'",
    "'function f(x) {return x * 2 + 1} {s += f($1)} END {print s}' numbers",
    "'match($0, /[0-9]+:/) {s += substr($0, RSTART, RLENGTH - 1)} END {print s}' numbers",
    "'{a[NR] = $0} END {for (i = NR; i > 0; i--) print a[i]}' numbers",
    "'!seen[$1]++' numbers",
    "-F, '{s[$3] += $2} END {for (k in s) n++; print n}' csv",
    "-F, '$3 == \"k7\" && $2 > 500 {print $1}' csv",
    "-F, 'NR == FNR {name[$1] = $2; next} $3 in name {print $0 FS name[$3]}' names csv",
    "'{l = length($0); if (l > m) m = l; t += l} END {print m, t, t / NR}' numbers",
    "'{while (match($0, /[0-9]+/)) {n++; $0 = substr($0, RSTART + RLENGTH)}} END {print n}' numbers",
    "'{$2 = \"\"; print}' numbers",
    "'{k = toupper(substr($3, 1, 1)) tolower(substr($4, 2)); c[k]++} END {for (k in c) n++; print n}' numbers",
    "'{a[$1 % 100, NR % 10] += $1} END {for (k in a) {split(k, p, SUBSEP); s[p[1]] += a[k]} print s[7]}' numbers",
    '\'BEGIN {while (("cat numbers" | getline line) > 0) {split(line, f, ":"); n += length(f[2])} print n}\'',
    "'{r = \"\"; for (i = length($2); i > 0; i--) r = r substr($2, i, 1); print r}' numbers",
    '\'{printf "%s%*s|%s\\n", $1, 8 - length($1), "", $3}\' numbers',
    "'{n = split($0, kv, /[: ]/); for (i = 1; i <= n; i++) if (kv[i] ~ /^q/) c++} END {print c}' numbers",
    '\'{b = int($1 / 1e5); h[b]++; s[b] = s[b] "*"; if (length(s[b]) > 40) s[b] = ""} END {print h[7], s[7]}\' numbers',
    f"'{SORT} NR <= 20000 {{a[NR] = $1}} END {{sort(a, 20000); print a[1], a[20000]}}' numbers",
    "-F, '{k = $3; if (!(k in a) || $2 < a[k]) a[k] = $2; if ($2 > b[k]) b[k] = $2} END {print a[\"k7\"]}' csv",
    "'{b[NR % 10] = $1; t = 0; for (i = 0; i < 10; i++) t += b[i]; if (t > m) m = t} END {print m}' numbers",
    "'{if ($1 < p) d++; else u++; p = $1} END {print u, d}' numbers",
    f"'{STEPS} BEGIN {{for (i = 1; i <= 3000; i++) if ((s = steps(i)) > m) m = s; print m}}'",
    "'BEGIN {n = 200000; for (i = 2; i <= n; i++) if (!c[i]) {p++; for (j = i * i; j <= n; j += i) c[j] = 1} print p}'",
    "'NR <= 20000 {for (i = 1; i <= NF; i++) m[NR, i] = $i} END {for (j = 1; j < 2e4; j++) s += m[j, 1]}' numbers",
    f"'{CODES} {{h = 0; for (i = 1; i <= length($4); i++) h = (h * 31 + o[substr($4, i, 1)]) % 65536}}' numbers",
    f"'NR <= 1000 {{a[NR] = NR * 1000}} {{{SEARCH}; s += lo}} END {{print s}}' numbers",
]


def make(root: str) -> None:
    """Create the files; the page runs it, too."""
    random.seed(1)
    with open(f"{root}/numbers", "w", encoding="utf-8") as file:
        for line in range(100_000):
            file.write(f"{random.randrange(10**6)} line {line}: the quick brown fox\n")
    with open(f"{root}/csv", "w", encoding="utf-8") as file:
        for line in range(100_000):
            file.write(f"u{line},{random.randrange(1000)},k{random.randrange(100)},x y\n")
    with open(f"{root}/names", "w", encoding="utf-8") as file:
        for line in range(100):
            file.write(f"k{line},name {line}\n")


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    good = True
    with shells(make) as shell:
        # The browser compiles Python's code while it runs.
        shell[0].python(f"await run_ms({f'awk {COMMANDS[0]}'!r})")
        for arguments in COMMANDS:
            command = f"awk {arguments} > out"
            here, native = medians(shell, command, f"m{command}", "mawk 'BEGIN {}'", RUNS)
            good = good and here / native <= MAX_RATIO
            ratio = f"{here / native:.1f} times mawk's ({MAX_RATIO:.0f})"
            print(f"awk {arguments}: {ratio}; {here:.0f} and {native:.1f} ms")
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
