### jq selects
jq -c '.users[] | select(.active) | {id, n: (.tags | length)}' data.json
### jq with an argument
jq -r --arg n Bo '.users[] | select(.name == $n) | .id' data.json
### jq updates
jq -c '.total += 1 | del(.users)' data.json
### json by python
python3 -c 'import json; d = json.load(open("data.json")); print(len(d["users"]))'
### python script with arguments
cd src && python3 main.py
### a module's tool
echo '{"b":1,"a":[1,2]}' | python3 -m json.tool --sort-keys --indent 1
### seq pads
seq -w 8 11
### date in a format
date -u -d '2024-02-28 12:00' '+%Y/%m/%d %H:%M'
### date to a stamp
date -u -d '2024-01-01 00:00:00' +%s
### the year is plausible
[ "$(date +%Y)" -gt 2020 ] && echo yes
### expr
expr 3 + 4; expr length hello; expr substr hello 2 3
### env without a parent
env -i A=1 bash -c 'echo $A'
### the host has a name
test -n "$(hostname)" && echo named
### an unknown command
no-such-command 2>/dev/null; echo $?
### make builds what is old
printf 'out: words.txt\n\tsort words.txt > out\n' > Makefile; make -s out && head -1 out; make out
### strings in a binary
printf 'ab\0hello\0\1' > b.bin; strings -n 4 b.bin
### convert line ends
printf 'a\r\nb\r\n' | tr -d '\r' | od -An -c
### the three largest files
find . -type f -printf '%s %p\n' | sort -rn | head -3 | awk '{print $2}'
### errors per day
grep ERROR app.log | cut -d' ' -f1 | uniq -c
### transpose a line
echo 'a b c' | tr ' ' '\n' | tac | paste -sd' '
### pad with zeros
for i in 1 10 100; do printf '%04d\n' $i; done
### check a port number
port=8080; if [[ $port =~ ^[0-9]+$ ]] && (( port > 1024 )); then echo valid; fi
### the longest word
awk '{ if (length($0) > length(m)) m = $0 } END { print m }' words.txt
### a table with printf
while IFS=, read -r a b c _; do printf '%-8s|%6s\n' "$a" "$c"; done < people.csv
