### jq picks a field
jq .total data.json
### jq maps names
jq -r '.users[].name' data.json
### jq builds a table
jq -r '.users[] | [.id, .name] | @tsv' data.json
### jq sums
jq '[.users[].id] | add' data.json
### jq keys and length
jq -c 'keys, (.users | length)' data.json
### jq groups
jq -c '.users | group_by(.active) | map(length)' data.json
### jq reads raw input
printf 'a\nb\n' | jq -Rn '[inputs]' -c
### jq exit status
jq -e '.missing' data.json; echo $?
### python one-liner
python3 -c 'print(sum(range(10)), 2**64)'
### python reads a pipe
seq 3 | python3 -c 'import sys; print([int(l) for l in sys.stdin])'
### python exit code
python3 -c 'import sys; sys.exit(3)'; echo $?
### python here-document
python3 - <<'EOF'
for i in range(3):
    print(i)
EOF
### seq with a step
seq 2 3 11
### seq with a separator
seq -s, 5
### seq counts down
seq 5 -2 1
### seq of fractions
seq 0 0.5 2
### date arithmetic
date -u -d '2024-02-28 + 2 days' +%F
### date from a stamp
date -u -d @0 +%Y-%m-%dT%H:%M:%SZ
### day of the week
date -d 2024-05-17 +%A
### iso date
date -u -d '2021-03-04 05:06:07' -Iseconds
### bc with scale
echo 'scale=3; 10/3' | bc
### bc expressions
echo '2^20; 17 % 5; (1+2)*3' | bc
### factor
factor 360
### env lists a variable
X=1 env | grep '^X='
### which finds
which ls > /dev/null && echo found; which no-such-thing || echo none
### who am i
test -n "$(whoami)" && echo someone
### sleep and go on
sleep 0.05 && echo awake
### true and false
true; echo $?; false; echo $?
### a directory isn't a command
./src 2>/dev/null; echo $?
### a file without permission
echo 'echo x' > plain; ./plain 2>/dev/null; echo $?
### make with variables
printf 'N = 3\nall:\n\t@echo "N is $(N)"\n' > Makefile; make; make N=5
### tree of processes is not needed
echo $$ | grep -qE '^[0-9]+$' && echo pid
### hex with printf and od
printf '%x\n' 4095; printf '\x01\xff' | od -An -tx1
### bytes of a word
printf 'é' | wc -c; printf 'é' | wc -m
### count files by extension
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -k1,1nr -k2
### rename by a pattern
for f in *.txt; do echo mv "$f" "${f/.txt/.md}"; done
### a csv to json
tail -n +2 people.csv | while IFS=, read -r n c a s; do printf '{"name":"%s","age":%d}\n' "$n" "$a"; done | jq -sc .
### most frequent level in a log
awk '{print $3}' app.log | sort | uniq -c | sort -rn | awk 'NR==1 {print $2, $1}'
### replace in many files
grep -rl TODO src | xargs sed -i 's/TODO/DONE/' && grep -rc DONE src | sort
### an ini value
sed -n '/^\[client\]/,/^\[/{s/^retries *= *//p}' config.ini
### a progress of dots
for i in 1 2 3; do printf .; done; echo
### lines in common
grep -Fxf src/deep/a.txt src/deep/b.txt
### a random password has its length
head -c 100 /dev/urandom | base64 | tr -dc 'a-zA-Z0-9' | head -c 12 | wc -c
### watch a variable
x=1; echo "x is ${x}"; x=$((x+1)) && echo "now $x"
### a menu without a person
echo 2 | { read -r choice; case $choice in 1) echo one;; 2) echo two;; esac; }
### summing with bash
t=0; while read -r n; do (( t += n )); done < numbers.txt; echo $t
### perl substitutes
perl -pe 's/(\w+)/<$1>/' words.txt | head -1
### hexdump
printf 'AB' | hexdump -C | head -1
### url encoding by python
python3 -c 'from urllib.parse import quote; print(quote("a b/c"))'
