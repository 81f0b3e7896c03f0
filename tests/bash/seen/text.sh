### cut a column of a csv
cut -d, -f2 people.csv
### cut several columns and skip the header
tail -n +2 people.csv | cut -d, -f1,3
### the highest paid
sort -t, -k4 -n people.csv | tail -1 | cut -d, -f1
### count words by frequency
sort words.txt | uniq -c | sort -rn
### words that appear once
sort words.txt | uniq -u
### repeated words with counts
sort words.txt | uniq -dc
### lexical sort reversed
sort -r numbers.txt
### sum a column with awk
awk -F, 'NR>1 {s+=$4} END {print s}' people.csv
### awk with a condition and OFS
awk -F, -v OFS=' | ' '$3 > 35 {print $1, $3}' people.csv
### awk prints the last field and the count
awk '{print NF, $NF}' app.log
### awk string functions
echo 'Hello World' | awk '{print toupper($1), length($2), substr($0, 3, 4), index($0, "o")}'
### awk gsub and match
awk '{gsub(/o/, "0"); if (match($0, /[0-9]+/)) print RSTART, RLENGTH, $0}' notes.txt
### awk line range
awk '/\[server\]/,/^$/' config.ini
### awk BEGIN arithmetic
awk 'BEGIN {print 7/2, int(7/2), 7%3, 2^10, 1e3, 0.1+0.2}'
### awk with two files
awk 'NR==FNR {a[$1]; next} $1 in a' src/deep/a.txt src/deep/b.txt
### awk reads a variable from the shell
limit=40; awk -F, -v max="$limit" 'NR>1 && $3<max {c++} END {print c+0}' people.csv
### sed substitutes all
sed 's/o/0/g' notes.txt
### sed prints a range of lines
sed -n '2,4p' app.log
### sed with groups
sed -E 's/^([^,]+),([^,]+).*/\2: \1/' people.csv
### sed in place with a backup
sed -i.bak 's/8080/9090/' config.ini; grep port config.ini config.ini.bak
### sed changes a line
printf 'a\nb\nc\n' | sed '2c\changed'
### sed until a pattern
sed '/WARN/q' app.log
### sed joins lines
printf 'a\nb\nc\n' | sed ':a;N;$!ba;s/\n/,/g'
### sed step address
seq 10 | sed -n '1~3p'
### tr to upper case
echo 'Hello' | tr a-z A-Z
### tr deletes and squeezes
echo 'aabb  cc   dd' | tr -s ' ' | tr -d b
### head and tail together
head -5 app.log | tail -2
### head of bytes
head -c 10 notes.txt
### last bytes
printf 'abcdef' | tail -c 3
### line and word counts
wc -l app.log words.txt
### longest line
wc -L people.csv
### number lines
nl -ba notes.txt
### cat shows tabs and ends
printf 'a\tb\nc\n' | cat -A
### reverse lines and characters
tac numbers.txt | head -2; echo stressed | rev
### paste one line
paste -sd+ numbers.txt
### join two sorted files
join <(sort src/deep/a.txt) <(sort src/deep/b.txt)
### comm shows three columns
comm src/deep/a.txt src/deep/b.txt
### fold long lines
echo 'the quick brown fox jumps' | fold -w 10
### column makes a table
column -t -s, people.csv
### expand tabs
printf 'a\tb\n' | expand -t 4
### unified diff without its header
diff -u src/deep/a.txt src/deep/b.txt | tail -n +3
### diff says whether files differ
diff -q words.txt numbers.txt; diff words.txt words.txt && echo same
### grep with line numbers
grep -n TODO src/*.py
### grep is recursive
grep -rn beta src | sort
### grep without matches
grep -v INFO app.log; grep nothing app.log; echo "rc=$?"
### grep ignores case and whole words
grep -iw the notes.txt
### grep several patterns
grep -e ERROR -e WARN app.log | wc -l
### grep lists files
grep -rl TODO src | sort
### grep quiet in a condition
if grep -q '^port' config.ini; then echo found; else echo none; fi
### grep with perl syntax
grep -oP '(?<=GET )\S+' app.log
### shuffle keeps the lines
shuf numbers.txt | sort -n | head -3
### sort versions
printf 'v1.10\nv1.9\nv1.2\n' | sort -V
### sort checks order
sort -c words.txt 2>/dev/null || echo 'not sorted'
### sort is stable by one key
sort -s -t, -k2,2 people.csv
### xxd dumps hex
printf 'hello' | xxd -p
### base64 round trip
echo 'secret text' | base64 | tee enc.txt | base64 -d; cat enc.txt
### fmt fills a paragraph
printf 'a b c\nd e f\n' | fmt -w 7
### numfmt of a size
numfmt --to=iec 1048576
