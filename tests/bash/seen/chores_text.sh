### longest line
awk '{ if (length($0) > n) { n = length($0); l = $0 } } END { print n, l }' app.log
### unique errors with counts
grep ERROR app.log | cut -d' ' -f4- | sed -E 's/[0-9]+/N/g' | sort | uniq -c | sort -rn
### sum of column with header skipped
awk -F, 'NR > 1 { t += $4 } END { printf "total=%d avg=%.2f\n", t, t / (NR - 1) }' people.csv
### group to lists
awk -F, 'NR>1 { a[$2] = a[$2] ? a[$2] "," $1 : $1 } END { for (k in a) print k ": " a[k] }' people.csv | sort
### pivot with printf
sort -t, -k2,2 people.csv | awk -F, '$2 != p { if (p) print ""; printf "%s:", $2; p = $2 } { printf " %s", $1 } END { print "" }'
### remove trailing whitespace
printf 'a  \nb\t\n c \n' | sed 's/[[:space:]]*$//' | cat -A
### comment out a line
sed -i '/^port/s/^/# /' config.ini; grep -n '^#' config.ini
### add a line at top and bottom
sed -e '1i # top' -e '$a # bottom' numbers.txt | sed -n '1p;$p'
### replace only in a section
sed '/\[client\]/,$ s/true/false/' config.ini | tail -2
### collapse blank lines
printf 'a\n\n\n\nb\n\nc\n' | cat -s; printf 'a\n\n\nb\n' | sed '/^$/N;/^\n$/D'
### wrap words
tr '\n' ' ' < words.txt | fold -s -w 20; echo
### context around a match by awk
awk '/ERROR/ { print prev; print } { prev = $0 }' app.log | cut -d' ' -f2-4
### second to last field
awk -F/ '{ print $(NF-1) }' <<< "/a/b/c/d.txt"; echo a.b.c | awk -F. -v OFS=- '{ $1 = $1; print }'
### field by name
awk -F, 'NR==1 { for (i=1; i<=NF; i++) c[$i]=i; next } { print $c["age"], $c["name"] }' people.csv | sort -n | head -3
### dedupe by column
awk -F, '!seen[$2]++ { print $2 }' people.csv
### number formatting
awk 'BEGIN { printf "%05.1f|%-6s|%6s|%x|%c|%e\n", 3.14159, "ab", "cd", 255, 65, 12345.678 }'
### substitution with a function
awk '{ gsub(/[aeiou]/, "*"); print toupper(substr($0, 1, 1)) substr($0, 2) }' words.txt | head -3
### ranges of lines in awk
awk '/first|second/,/tab/ { print NR": "$0 }' notes.txt; awk 'NR==2,NR==3' numbers.txt
### multiple files with FNR
awk 'FNR == 1 { print FILENAME } END { print NR }' src/deep/a.txt src/deep/b.txt
### split and rejoin
echo "2024-03-15" | awk '{ n = split($0, d, "-"); for (i = n; i > 0; i--) printf "%s%s", d[i], (i > 1 ? "/" : "\n") }'
### getline from a command
awk 'BEGIN { while (("sort -n numbers.txt" | getline x) > 0) s = s x " "; print s }'
### cut by characters and complement
cut -c1-10 app.log | uniq -c; cut -d, -f2 --complement people.csv | head -2
### sort human sizes and months
printf '10K\n2M\n512\n1G\n' | sort -h; printf 'Mar\nJan\nDec\n' | sort -M | paste -sd' '
### case insensitive unique
printf 'a\nA\nb\nB\nb\n' | sort -f | uniq -ic
### compare with diff side by side codes
diff <(sort words.txt) <(sort -u words.txt) > /dev/null; echo $?; diff -y --suppress-common-lines <(printf 'a\nb\n') <(printf 'a\nc\n') | tr -s ' \t' ' '
### tsv from printf and column
printf '%s\t%s\n' name age ana 34 | column -t; printf 'k=v\nlong=x\n' | column -t -s=
### hexdump and back
printf 'Hi!\n' | xxd -p; echo 48690a | xxd -r -p
### strip ansi colors
printf '\033[31mred\033[0m plain\n' | sed 's/\x1b\[[0-9;]*m//g'
### extract urls
echo 'see http://a.cz/x?y=1 and https://b.org.' | grep -oE 'https?://[^ ]+[^ .]'
### json values by grep and sed
grep -o '"name":"[^"]*"' data.json | sed 's/.*:"\(.*\)"/\1/' | paste -sd,
### jq keys and types
jq -r 'keys | join(",")' data.json; jq -r '.users[0] | to_entries[] | "\(.key)=\(.value|type)"' data.json
### jq conditionals
jq -c '[.users[] | if .active then .name else empty end]' data.json; jq '[.users[].id] | add / length' data.json
