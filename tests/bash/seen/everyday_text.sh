### top words
tr -cs 'A-Za-z' '\n' < notes.txt | tr A-Z a-z | grep -v '^$' | sort | uniq -c | sort -k1,1nr -k2 | head -3
### sum a column
awk -F, 'NR>1{s+=$4} END{print s, s/(NR-1)}' people.csv
### average by group
awk -F, 'NR>1{s[$2]+=$4; n[$2]++} END{for(c in s) printf "%s %.1f\n", c, s[c]/n[c]}' people.csv | sort
### column by name
awk -F, -v col=age 'NR==1{for(i=1;i<=NF;i++) if($i==col) c=i; next} {print $c}' people.csv | paste -sd+ | bc
### sort by two keys
tail -n +2 people.csv | sort -t, -k2,2 -k4,4nr | cut -d, -f1,2,4
### unique by a field
awk -F, '!seen[$2]++' people.csv
### max in a column
sort -t, -k4 -n people.csv | tail -1 | cut -d, -f1
### csv to table
column -t -s, people.csv | head -3
### swap columns
awk 'BEGIN{FS=OFS=","} {t=$1; $1=$2; $2=t; print}' people.csv | head -2
### lines between patterns
sed -n '/\[server\]/,/^$/p' config.ini
### delete comments and blank lines
sed -e '/^#/d' -e '/^\s*$/d' config.ini
### ini value by awk
awk -F' *= *' '/^\[/{sec=$0} sec=="[server]" && $1=="port"{print $2}' config.ini
### extract with sed groups
sed -nE 's/^([0-9-]+) ([0-9:]+) ERROR +(.*)$/\1|\3/p' app.log
### grep context
grep -n -A1 ERROR app.log | cut -c1-40
### grep with only matching and a count
grep -oE '[A-Z]{4,5}' app.log | sort | uniq -c | sort -rn | awk '{print $2"="$1}'
### grep inverse of several
grep -vE 'INFO|WARN' app.log | wc -l
### grep perl classes
grep -oP '(?<=port )\d+' app.log; grep -oP '\d+(?=ms)' app.log
### grep word and case
grep -iw 'the' notes.txt | wc -l; grep -ciw error app.log
### grep from a file of patterns
printf 'fig\npear\n' > pats; grep -Fxf pats words.txt | sort | uniq -c | awk '{$1=$1};1'
### status codes
grep -oE ' [0-9]{3}$' app.log | sort -n | uniq -c
### per hour
awk '{split($2,t,":"); h[t[1]]++} END{for(x in h) print x, h[x]}' app.log | sort
### tr squeeze and delete
echo 'a   b    c' | tr -s ' '; echo 'h3ll0' | tr -d '0-9'; echo hello | tr 'a-y' 'b-z'
### rot13
echo 'Hello World' | tr 'A-Za-z' 'N-ZA-Mn-za-m'
### reverse lines and characters
tac numbers.txt | head -2; echo abc | rev
### number lines
nl -ba words.txt | head -3; cat -n words.txt | tail -1
### fold and fmt
echo 'the quick brown fox jumps over the lazy dog' | fold -s -w 20
### join two files
printf '1 a\n2 b\n3 c\n' > l; printf '1 x\n3 z\n' > r; join l r; join -v1 l r
### comm of sorted
sort -u words.txt > a; printf 'apple\nkiwi\n' | sort > b; comm -12 a b; comm -13 a b
### paste columns
paste -d: <(cut -d, -f1 people.csv) <(cut -d, -f3 people.csv) | sed -n '2,3p'
### expand tabs
printf 'a\tb\n' | expand -t4; printf 'a\tb' | cat -A
### base64 both ways
echo -n 'héllo' | base64; echo aGk= | base64 -d; echo
### hex dump
printf 'AB\n' | xxd -p; printf 'AB\n' | od -An -tx1
### cut ranges
echo a:b:c:d:e | cut -d: -f2-4; echo abcdef | cut -c-3; echo a:b:c | cut -d: -f1,3 --output-delimiter=-
### sed several edits
echo 'foo bar baz' | sed 's/foo/1/; s/bar/2/; s/\(b\)az/\1/'
### sed insert, append, change
printf '1\n2\n3\n' | sed -e '2i before' -e '2a after' -e '3c three'
### sed nth and global
echo 'aaaa' | sed 's/a/b/2'; echo 'a.b.c' | sed 's/\./-/2g'
### sed with a variable and another delimiter
p=/usr/local; echo 'path=/old/dir' | sed "s|/old/dir|$p|"
### sed hold space
printf 'a\nb\nc\n' | sed -n '1!G;h;$p'
### sed join lines
printf 'a\nb\nc\n' | sed ':a;N;$!ba;s/\n/,/g'
### sed last line and quit
sed -n '$p' words.txt; sed 3q words.txt | wc -l; sed -n '2,4p' numbers.txt
### sed y and ampersand
echo abc | sed 'y/abc/xyz/'; echo 42 | sed 's/[0-9]*/<&>/'
### awk with printf and widths
awk -F, 'NR>1{printf "%-6s %5d %8.2f\n", $1, $3, $4/12}' people.csv | head -3
### awk begin end and NF
awk 'BEGIN{print "start"} NF{n+=NF} END{print n, NR}' notes.txt
### awk string functions
echo 'Hello World' | awk '{print toupper($1), tolower($2), length($0), substr($0,7,3), index($0,"W")}'
### awk sub and gsub
echo 'a-b-c' | awk '{gsub(/-/,"+"); print; sub(/\+/,"="); print}'
### awk ranges and next
awk '/server/,/client/{if(/^\[/)next; print}' config.ini
### awk getline and system
awk 'NR==1{print; getline; print "second:", $0}' words.txt
### awk multiple files
awk 'FNR==1{print FILENAME, NR}' words.txt numbers.txt
### awk lookup from another file
printf 'Brno CZ\nOslo NO\n' > m; awk 'NR==FNR{c[$1]=$2; next} FNR>1{split($0,f,","); print f[1], (f[2] in c ? c[f[2]] : "?")}' m people.csv
### awk do and while
awk 'BEGIN{i=1; while(i<=3){printf "%d ", i; i++}; do {i--} while(i>1); print i}'
### awk user function
awk 'function f(n){return n<2?n:f(n-1)+f(n-2)} BEGIN{print f(15)}'
### awk output to files
awk -F, 'NR>1{print $1 > ($2 ".txt")}' people.csv; cat Brno.txt
### awk record separator
printf 'a 1\nb 2\n\nc 3\n' | awk 'BEGIN{RS=""; FS="\n"} {print NR": "$1}'
### sort kinds
printf '10K\n2M\n1G\n' | sort -h; printf 'v1.10\nv1.9\n' | sort -V; sort -rn numbers.txt | head -1
### sort unique and check
sort -u numbers.txt -n | paste -sd,; sort -c words.txt 2>/dev/null || echo unsorted
### wc variants
wc -l < words.txt; wc -w notes.txt | awk '{print $1}'; printf 'ab\n' | wc -c
### diff unified
printf 'a\nb\nc\n' > x; printf 'a\nB\nc\nd\n' > y; diff -u x y | tail -n +3; diff x y; echo $?
### patch round trip
cp words.txt w2; sed -i 's/fig/FIG/' w2; diff -u words.txt w2 > p.diff; patch -s words.txt p.diff && cmp words.txt w2 && echo patched
### printf table
printf '%5s|%-5s|%05d|%x|%o|%e\n' ab cd 42 255 8 1234.5
### printf repeats its format
printf '%s=%s\n' a 1 b 2; printf '%d\n' 0x1f 010 "'A"
### printf q and b
printf '%q\n' "it's a b"; printf '%b\n' 'x\ty'; printf '%%|%c|%.2s\n' xyz abc
### seq and shuf
seq 1 2 9 | paste -sd' '; seq -s, 5; seq 5 -2 1 | tr '\n' ' '; echo; seq 100 | shuf | sort -n | tail -1
### urls
url='https://user@example.com:8080/a/b.html?q=1#top'; h=${url#*://}; h=${h%%/*}; echo ${h#*@} "${url##*/}" "${url%%\?*}"
### json by jq
jq -r '.users[] | [.id, .name, (.tags|join("|"))] | @csv' data.json; jq '.users | map(.id) | add' data.json
### jq to entries
echo '{"a":1,"b":2}' | jq -r 'to_entries[] | "\(.key)=\(.value)"'; echo '[3,1,2]' | jq -c 'sort | reverse'
### jq with exit code
echo '{"ok":false}' | jq -e .ok; echo $?; echo '{bad' | jq . 2>/dev/null; echo $?
### jq default and types
echo '{"a":null}' | jq -r '.a // "none", (.b|type), ([1,"x"]|map(type)|join(","))'
### jq slurp and group
printf '{"k":"a","v":1}\n{"k":"b","v":2}\n{"k":"a","v":3}\n' | jq -sc 'group_by(.k) | map({(.[0].k): map(.v)|add}) | add'
