### a script with a main
cat > run.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
log() { printf '[%s] %s\n' "$1" "${*:2}"; }
main() {
  local dir="${1:-.}" count=0
  while IFS= read -r -d '' f; do
    count=$((count + 1))
    log INFO "$(basename "$f")"
  done < <(find "$dir" -name '*.txt' -print0 | sort -z)
  log DONE "$count files"
}
main "$@"
EOF
bash run.sh src
### fail early
bash -c 'set -e; cd nowhere 2>/dev/null || { echo "cannot cd" >&2; exit 2; }; echo no'; echo $?
### strict mode with a missing argument
bash -c 'set -u; main() { local a=$1; echo "$a"; }; main' 2>&1 | grep -c unbound
### count lines of code
find src -name '*.py' | xargs wc -l | tail -1 | awk '{print $2}'
### git-like ignore
printf '*.log\n' > .ignore; while read -r p; do ls $p; done < .ignore
### env defaults in a function
connect() { local host=${HOST:-localhost} port=${PORT:-80}; echo "$host:$port"; }; connect; PORT=81 connect; HOST=x connect
### associative array from a file
declare -A cfg; while IFS='=' read -r k v; do [[ $k =~ ^[a-z]+ ]] || continue; cfg[${k// /}]=${v# }; done < config.ini; for k in host port retries; do echo "$k -> ${cfg[$k]}"; done
### inverted index
declare -A by; while IFS=, read -r n c _; do [[ $n == name ]] && continue; by[$c]+="$n "; done < people.csv; for c in Brno Oslo Praha; do echo "$c: ${by[$c]% }"; done
### histogram bars
sort words.txt | uniq -c | while read -r n w; do printf '%-8s %s\n' "$w" "$(printf '#%.0s' $(seq $n))"; done
### matrix sum
printf '1 2\n3 4\n' | awk '{for(i=1;i<=NF;i++) s[i]+=$i} END{for(i=1;i<=NF;i++) printf "%d%s", s[i], i<NF?" ":"\n"}'
### split an assignment
awk -F'=' '/=/{gsub(/ /,"",$1); sub(/^ /,"",$2); n=split($2,p,"."); print $1, n}' config.ini
### times of events
awk '$3=="ERROR"{split($2,t,":"); print t[1]*3600+t[2]*60+t[3]}' app.log
### first and last by day
awk '{d=$1; if(!(d in f)) f[d]=$2; l[d]=$2} END{for(d in f) print d, f[d], l[d]}' app.log | sort
### tail follows nothing
tail -n 2 app.log | cut -d' ' -f3-
### last field and second last
awk '{print $NF, $(NF-1)}' app.log | head -2
### median
sort -n numbers.txt | awk '{a[NR]=$1} END{print (NR%2)?a[(NR+1)/2]:(a[NR/2]+a[NR/2+1])/2}'
### transpose
printf 'a b c\n1 2 3\n' | awk '{for(i=1;i<=NF;i++) m[NR,i]=$i; n=NF} END{for(i=1;i<=n;i++) print m[1,i], m[2,i]}'
### uppercase first letters
sed 's/.*/\L&/; s/[a-z]*/\u&/g' words.txt | head -2
### remove duplicates keeping order
awk '!s[$0]++' words.txt | paste -sd' '
### numbers over a limit
awk '$1>=10' numbers.txt | sort -n; grep -c . numbers.txt
### lines longer
awk 'length>5' words.txt | wc -l; grep -E '^.{6,}$' words.txt | sort -u
### delete a line by number and range
sed '2d' words.txt | head -2; sed '2,$d' words.txt; sed '/fig/d' words.txt | wc -l
### sed in a loop
for w in fig pear; do sed -n "/^$w$/=" words.txt; done
### print matching groups with perl regular expressions
grep -oP 'GET \K\S+' app.log; grep -P '\d{4}ms' app.log | wc -l
### extract ips
printf 'from 10.0.0.1 to 192.168.1.20:80\n' | grep -oE '([0-9]{1,3}\.){3}[0-9]{1,3}'
### emails
printf 'a@b.cz, x.y@z.org; none\n' | grep -oE '[[:alnum:]._]+@[[:alnum:].]+' | sort
### html titles
echo '<h1>One</h1><h2>Two</h2>' | grep -oP '(?<=<h[12]>)[^<]+'; echo '<b>x</b>' | sed 's/<[^>]*>//g'
### csv to json by python
python3 -c '
import csv, json
print(json.dumps(list(csv.DictReader(open("people.csv")))[:1]))'
### csv to json by jq
jq -Rsc 'split("\n")[1:3] | map(split(",") | {name: .[0], age: (.[2]|tonumber)})' people.csv
### jq sort and limit
jq -r '.users | sort_by(.name) | reverse | .[0:2][] | .name' data.json
### jq build an object
jq -n --arg a 1 --argjson b 2 '{a: $a, b: $b, c: ($b + 1)}' -c
### jq keys, has, test
jq -c 'keys, has("total"), (.users[0].name | test("^A"))' data.json
### jq update in place
jq '.total = 9' data.json > t && mv t data.json && jq .total data.json
### jq paths and recursion
jq -r '[.. | strings] | unique | join(" ")' data.json
### jq if and reduce
jq -r 'reduce .users[] as $u (0; . + (if $u.active then 1 else 0 end))' data.json
### a counter in a file
echo 0 > n; for i in 1 2 3; do echo $(( $(cat n) + i )) > n; done; cat n
### wait for a file
( sleep 0.1; touch ready ) & until [ -e ready ]; do sleep 0.05; done; echo found
### kill a background job
sleep 30 & p=$!; kill $p; wait $p 2>/dev/null; echo $?
### a lock by mkdir
mkdir lock && echo got; mkdir lock 2>/dev/null || echo busy; rmdir lock
### a fifo-free queue
printf '%s\n' a b c > q; while [ -s q ]; do head -1 q; sed -i 1d q; done
### sum sizes by extension
find . -type f -printf '%f %s\n' | awk '{n=split($1,p,"."); s[p[n]]+=$2} END{print s["ini"], s["csv"]}'
### rename with a counter
i=1; for f in src/deep/*.txt; do mv "$f" "$(printf 'src/deep/%02d.txt' $i)"; ((i++)); done; ls src/deep
### change extension of all
for f in *.txt; do cp -- "$f" "${f%.txt}.md"; done; ls *.md | wc -l
### compare directories by name
diff <(ls src) <(ls src/deep); echo $?
### common lines of two commands
comm -12 <(sort -u words.txt) <(printf 'apple\nzebra\n')
### while with two files
paste words.txt numbers.txt | head -2 | while read -r w n; do echo "$w=$n"; done
### here-string arithmetic by bc
bc <<< '2^8 - 1'; bc <<< 'scale=2; 22/7'
### hexadecimal conversions
printf '%x %d %o\n' 255 0xff 8; echo $((16#ff)) ; echo 'obase=2; 10' | bc
### string repetition
printf '=%.0s' {1..10}; echo; printf '%*s|\n' 5 x; printf '%-*s|\n' 5 x
### string contains and position
s=hello; [[ $s == *ell* ]] && echo in; t=${s%%l*}; echo ${#t}; echo "${s:0:1}${s: -1}"
### split by a character
IFS=: read -r a b rest <<< 'x:y:z:w'; echo "$a $b $rest"; echo 'a,b,c' | tr ',' '\n' | nl -w1 -s': '
### array of lines and sort
mapfile -t l < words.txt; IFS=$'\n' s=($(sort -u <<< "${l[*]}")); unset IFS; echo "${#l[@]} ${#s[@]} ${s[0]}"
### pass an array by name
sum() { local -n arr=$1; local t=0 x; for x in "${arr[@]}"; do ((t += x)); done; echo $t; }; v=(1 2 3); sum v
### stack and queue
st=(); st+=(a); st+=(b); echo "${st[-1]}"; unset 'st[-1]'; echo "${#st[@]} ${st[0]}"; q=(1 2 3); q=("${q[@]:1}"); echo "${q[0]}"
### default argument list
f() { set -- "${@:-x}"; for a; do printf '<%s>' "$a"; done; echo; }; f; f 1 '2 3'
### exit codes through functions
ok() { return 0; }; bad() { return 3; }; ok && echo fine; bad || echo "bad $?"; if ! bad; then echo neg; fi
### nested functions and traps
bash -c 'cleanup() { echo "clean $?"; }; trap cleanup EXIT; work() { false; return 5; }; work'; echo $?
### source with arguments
echo 'echo "$# $1"; return 3' > l.sh; . ./l.sh a b; echo $?
### colon and null commands
: ${X:=default}; echo $X; while :; do break; done; true; echo $?
### tr sets
echo 'a1 b2' | tr -d '[:digit:]'; echo 'A B' | tr '[:upper:]' '[:lower:]'; echo 'a,b;c' | tr ',;' '\n\n'
### heredoc to a command with a pipe
cat <<EOF | sort -r | head -1
a
c
b
EOF
### write with tee and sudo-less append
echo one | tee f > /dev/null; echo two | tee -a f; wc -l < f
### find and exec plus
find src -name '*.txt' -exec cat {} + | wc -l; find . -name 'no*.txt' -exec basename {} .txt \;
### find by regex and case
find . -iname 'NOTES*' ; find src -regex '.*/[ab]\.txt' | sort; find src -path '*deep*' -type f | wc -l
### xargs with replaced words and shell
printf 'a\nb\n' | xargs -I% sh -c 'echo "%-$(echo % | tr a-z A-Z)"'; echo 1 2 3 4 | xargs -n2
### date arithmetic in a loop
for i in 0 1 2; do date -u -d "2024-02-27 + $i days" +%m/%d; done; date -u -d 'Sun, 10 Mar 2024 10:00:00 GMT' +%s
### number formats
printf "%'d\n" 1234 2>/dev/null | tr -d ,; printf '%.3f %g %s\n' 3.14159 0.00001 "$(printf %05.1f 2.5)"; numfmt --to=iec 2048
### long pipeline
cut -d, -f2,4 people.csv | tail -n +2 | sort -t, -k1,1 -k2,2n | awk -F, '{print $2" "$1}' | sort -k2 -s | head -3 | tac | tr ' ' ':' | paste -sd' '
