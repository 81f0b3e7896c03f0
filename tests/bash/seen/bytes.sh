### byte-order marks stay
printf '\xef\xbb\xbfa' | xxd -p; x=$(printf '\xef\xbb\xbfid'); echo ${#x}; printf '\xEF\xBB\xBF' > b.csv; wc -c < b.csv; echo -e '\xef\xbb\xbfq' | xxd -p
### a byte-order mark as an argument and in the environment
x=$'\xef\xbb\xbfa'; export x; python3 -c 'import os, sys; print(ascii(sys.argv[1]), ascii(os.environ["x"]))' "$x"
### bytes that are no characters come back
x=$(printf 'caf\xe9'); printf %s "$x" | xxd -p; echo "${x/f/F}" | xxd -p; xargs printf '%s|' <<< "$x" | xxd -p; env y="$x" printenv y | xxd -p
### bytes as arguments of programs
x=$(printf 'caf\xe9'); python3 -c 'import os, sys; print(os.fsencode(sys.argv[1]))' "$x"; export x; python3 -c 'import os; print(os.environb[b"x"])'
### bytes in scripts
printf 'echo caf\xe9\ncat <<E\ncaf\xe8\nE\n' > s; bash s | xxd -p; . ./s | xxd -p; chmod +x s; ./s | xxd -p; bash < s | xxd -p
### the codes of characters
printf '%d %d\n' "'é" "'$(printf '\xe9')"; printf '\ud800' | xxd -p; printf %c 'é' | xxd -p; printf '%d\n' 18446744073709551615
### null bytes
printf 'a\0b\0' | while IFS= read -r -d '' x; do echo "<$x>"; done; x=$'a\x00b'c; echo $x; printf 'a\0b\n' | { mapfile m; echo ${#m[0]}; }
