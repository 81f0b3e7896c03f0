### sort by a numeric column, largest first
tail -n +2 people.csv | sort -t, -k4,4nr
### unique words only
sort -u words.txt
### numeric sort
sort -n numbers.txt
### average by city
awk -F, 'NR>1 {s[$2]+=$4; n[$2]++} END {for (c in s) printf "%s %.1f\n", c, s[c]/n[c]}' people.csv | sort
### awk printf columns
awk -F, 'NR>1 {printf "%-8s %5d\n", $1, $3}' people.csv
### awk split and arrays
echo 'a:b:c' | awk '{n = split($0, p, ":"); for (i = n; i > 0; i--) printf "%s%s", p[i], (i > 1 ? "-" : "\n")}'
### awk removes duplicates and keeps order
awk '!seen[$0]++' words.txt
### awk while loop and ternary
awk 'BEGIN {i=0; while (i<5) {print i, (i%2 ? "odd" : "even"); i++}}'
### sed deletes blank and comment lines
sed -e '/^#/d' -e '/^$/d' config.ini
### sed inserts and appends
printf 'one\ntwo\n' | sed -e '1i zero' -e '$a three'
### sed y and an address with negation
printf 'abc\nxyz\n' | sed '/x/!y/abc/ABC/'
### sed ampersand and case
echo 'hello world' | sed 's/[a-z]*/[&]/2; s/^./\U&/'
### tr complement
echo 'a1b2c3' | tr -cd '0-9\n'
### all but the last two lines
head -n -2 numbers.txt
### count characters and bytes
wc -m -c < notes.txt
### cat numbers lines
cat -n words.txt | head -3
### paste columns
paste -d: words.txt numbers.txt
### comm of two lists
comm -12 <(sort src/deep/a.txt) <(sort src/deep/b.txt)
### fold at blanks
echo 'the quick brown fox jumps' | fold -s -w 12
### diff of two files
diff src/deep/a.txt src/deep/b.txt
### grep counts
grep -c ERROR app.log
### grep only the match
grep -oE '[0-9]+ms|[0-9]+s\b' app.log
### grep context
grep -A1 -B1 WARN app.log
### grep fixed strings
grep -F '[client]' config.ini
### split a file
split -l 3 numbers.txt part- && wc -l part-* | tail -1 && cat part-ab
### sort by human sizes
printf '10K\n2M\n512\n1G\n' | sort -h
### od dumps bytes
printf 'AB\n' | od -An -c
### check sums
printf 'abc' | md5sum; printf 'abc' | sha256sum | cut -c1-16
