### errors by day
awk '$3=="ERROR"{n[$1]++} END{for(d in n) print d, n[d]}' app.log | sort
### top words of a text
tr -cs '[:alpha:]' '\n' < notes.txt | tr '[:upper:]' '[:lower:]' | grep -v '^$' | sort | uniq -c | sort -k1,1nr -k2 | head -4
### csv to json lines by awk
awk -F, 'NR>1{printf "{\"name\":\"%s\",\"age\":%d}\n",$1,$3}' people.csv | head -3
### average by group
awk -F, 'NR>1{s[$2]+=$4;n[$2]++} END{for(c in s) printf "%s %.1f\n",c,s[c]/n[c]}' people.csv | sort
### columns aligned
cut -d, -f1-3 people.csv | column -t -s,
### sort by two keys
tail -n +2 people.csv | sort -t, -k2,2 -k4,4nr | cut -d, -f1,2,4
### insert a line after a match
sed '/^\[server\]/a timeout = 5' config.ini | head -4
### change a setting in place
sed -i.bak 's/^port = .*/port = 9090/' config.ini; grep port config.ini config.ini.bak
### delete comments and blank lines
sed -e 's/#.*//' -e '/^[[:space:]]*$/d' config.ini
### print between two patterns
sed -n '/\[server\]/,/^$/p' config.ini
### section of an ini by awk
awk '/^\[/{s=$0} s=="[client]" && /=/' config.ini
### lines between numbers
sed -n '3,5p;5q' app.log | cut -c1-19
### swap two fields
sed -E 's/^([^,]*),([^,]*)/\2,\1/' people.csv | head -3
### join lines with a backslash
printf 'a \\\nb \\\nc\nd\n' | sed -e ':a' -e '/\\$/N; s/\\\n//; ta'
### number nonblank lines
nl -ba notes.txt | head -3; cat -n words.txt | tail -1; cat -A notes.txt | sed -n 5p
### compare two lists
comm -13 <(sort -u src/deep/a.txt) <(sort -u src/deep/b.txt); comm -12 <(sort src/deep/a.txt) <(sort src/deep/b.txt)
### join on a key
join -t: <(printf '1:ana\n2:bo\n3:cy\n') <(printf '1:x\n3:y\n4:z\n'); join -a1 -e- -o 0,1.2,2.2 <(printf '1 a\n2 b\n') <(printf '1 x\n')
### paste two columns
paste -d: <(cut -d, -f1 people.csv) <(cut -d, -f3 people.csv) | sed 1d | head -2
### lines to a comma list
sort -u words.txt | paste -sd, -; sort -u words.txt | tr '\n' ' ' | sed 's/ $/\n/'
### grep with only matching numbers
grep -oE '[0-9]+ms|[0-9]+s\b' app.log; grep -oP '(?<=GET )\S+' app.log
### grep counts and context
grep -c INFO app.log; grep -A1 -n 'ERROR' app.log | head -5
### grep with several patterns
grep -e fox -e dog -i notes.txt; grep -vE '^(INFO|#)|^$' config.ini | wc -l
### status codes
grep -oE ' [0-9]{3}$' app.log | sort | uniq -c | awk '{print $2":"$1}'
### http requests summary
awk '/request/{split($0,a,"request "); split(a[2],b," "); print b[3], b[1], b[2]}' app.log | sort -n
### running sum
awk '{s+=$1; printf "%d %d\n", $1, s}' numbers.txt | tail -3
### min max mean
awk 'NR==1{min=max=$1} {if($1<min)min=$1; if($1>max)max=$1; s+=$1} END{printf "%d %d %.2f\n",min,max,s/NR}' numbers.txt
### percent column
awk -F, 'NR>1{t+=$4; n[NR]=$1; v[NR]=$4} END{for(i=2;i<=NR;i++) printf "%-6s %5.1f%%\n", n[i], 100*v[i]/t}' people.csv
### url decode and encode
s='a b&c=d'; printf '%s' "$s" | od -An -tx1 | tr ' ' % | tr -d '\n'; echo; printf '%b\n' "$(echo 'a%20b%21' | sed 's/%/\\x/g')"
### base64 round trip
base64 < words.txt | head -c 20; echo; echo secret | base64 | base64 -d
### fold and indent
fold -sw 12 notes.txt | head -4 | sed 's/^/| /'
### tail and head by bytes
head -c 5 words.txt; echo; tail -c 7 words.txt; tail -n +7 words.txt
### reverse lines and characters
tac numbers.txt | head -2; rev <<< "stressed"; echo abc | fold -w1 | paste -sd' '
### squeeze and delete
echo "aa  bb   cc" | tr -s ' '; echo "h3ll0 w0rld" | tr -d 0-9; echo abc | tr 'a-y' 'b-z'
### jq names of active users
jq -r '.users[] | select(.active) | .name' data.json
### jq map and join
jq -r '.users | map(.name) | join(", ")' data.json; jq '[.users[].tags[]] | unique | length' data.json
### jq build an object
jq -c '{n: .total, ids: [.users[].id]}' data.json; jq -c '.users[0] + {x: 1} | del(.tags)' data.json
### jq with arguments
jq -r --arg who Bo '.users[] | select(.name == $who) | "\(.id):\(.active)"' data.json; jq -n --argjson n 3 '[range($n)]' -c
### jq tsv
jq -r '.users[] | [.id, .name, (.tags | length)] | @tsv' data.json
### separators that mean something in expressions
echo 10.0.3.7 | awk -F. '{print $2, NF}'; echo 'a|b' | awk -F'|' '{print $2}'; echo 'a+b' | awk -F + -v OFS=. '{$1=$1; print}'; echo 'a^b' | awk -F^ '{print $2}'; echo 1.2 | awk 'BEGIN{FS="."}{print $2}'; echo 1.2.3 | awk '{n=split($0,v,"."); print n, v[3]}'
### bases of bc
echo 'obase=2; 10' | bc; echo 'ibase=16; FF' | bc; echo 'obase=16; 48879' | bc
### checksums that are checked
md5sum words.txt numbers.txt > sums; md5sum -c sums; echo x >> words.txt; md5sum -c sums 2>/dev/null; echo $?; md5sum --status -c sums; echo $?
### the case of what sed puts
echo 'hello big world' | sed 's/\w\+/\u&/g; s/big/\U&/i'; echo 'Ab' | sed -E 's/(.)(.)/\L\1\U\2/'; echo aXbXc | sed 's/x/-/2I'
