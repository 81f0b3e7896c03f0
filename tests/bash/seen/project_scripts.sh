### a script with usage
cat > t.sh <<'EOF'
#!/bin/bash
usage() { echo "usage: ${0##*/} file" >&2; exit 64; }
[ $# -eq 1 ] || usage
wc -l < "$1"
EOF
chmod +x t.sh; ./t.sh words.txt; ./t.sh 2>&1; echo $?
### retry with backoff
n=0; try() { n=$((n+1)); [ $n -ge 3 ]; }; until try; do echo "attempt $n failed"; sleep 0.01; done; echo "ok after $n"
### a lock by mkdir
lock() { mkdir .lock 2>/dev/null && echo locked || echo busy; }; lock; lock; rmdir .lock; lock
### progress of a loop
total=4; for i in $(seq $total); do printf '\r%3d%%' $((100*i/total)); done; echo
### a menu of functions
cmd_add() { echo $(($1+$2)); }; cmd_mul() { echo $(($1*$2)); }; for c in add mul sub; do if declare -F "cmd_$c" >/dev/null; then "cmd_$c" 3 4; else echo "no $c"; fi; done
### a stack and a queue
s=(); s+=(a); s+=(b); s+=(c); echo "${s[-1]}"; unset 's[-1]'; echo "${s[@]}"; q=(1 2 3); echo "${q[0]}"; q=("${q[@]:1}"); echo "${q[@]}"
### bubble sort
a=(5 2 9 1); n=${#a[@]}; for ((i=0;i<n;i++)); do for ((j=0;j<n-i-1;j++)); do if ((a[j]>a[j+1])); then t=${a[j]}; a[j]=${a[j+1]}; a[j+1]=$t; fi; done; done; echo "${a[@]}"
### primes
for ((n=2;n<30;n++)); do p=1; for ((d=2;d*d<=n;d++)); do ((n%d==0)) && { p=0; break; }; done; ((p)) && printf '%d ' $n; done; echo
### fizzbuzz
for i in {1..15}; do o=; ((i%3==0)) && o+=Fizz; ((i%5==0)) && o+=Buzz; echo "${o:-$i}"; done | paste -sd' '
### palindromes
for w in level noon abc; do [ "$w" = "$(rev <<< "$w")" ] && echo "$w yes" || echo "$w no"; done
### word frequency in pure bash
declare -A c; for w in $(<notes.txt); do w=${w,,}; w=${w//[^a-z]/}; [[ $w ]] && c[$w]=$((${c[$w]:-0}+1)); done; for w in the a and; do echo "$w ${c[$w]:-0}"; done
### csv with read
while IFS=, read -r name city age pay; do [ "$name" = name ] && continue; ((age > 40)) && printf '%s (%s)\n' "$name" "$city"; done < people.csv
### ini reader
section=; while IFS= read -r line; do case $line in \[*\]) section=${line#[}; section=${section%]};; *=*) k=${line%%=*}; v=${line#*=}; echo "$section.${k// /}=${v# }";; esac; done < config.ini
### template with variables
name=Ana; age=3; while IFS= read -r l; do l=${l//'{{name}}'/$name}; l=${l//'{{age}}'/$age}; echo "$l"; done <<< $'Dear {{name}},\nyou are {{age}}.'
### log levels
log() { local lvl=$1; shift; printf '%-5s %s\n' "${lvl^^}" "$*"; }; log info started; log error "it broke" badly
### measure steps
SECONDS=0; sleep 0.01; echo $((SECONDS < 5)); time_it() { "$@" > /dev/null; echo "ran $1"; }; time_it ls
### trap with signals
bash -c 'trap "echo got term; exit 0" TERM; kill -TERM $$; sleep 1; echo no'; echo $?
### cleanup stack
bash -c 'cleanup() { local rc=$?; echo "cleanup $rc"; exit $rc; }; trap cleanup EXIT; ls nowhere 2>/dev/null; false; exit 9'; echo $?
### pipe into while with a total
total=0; while read -r n; do total=$((total+n)); done < numbers.txt; echo $total; cat numbers.txt | while read -r n; do total=0; done; echo $total
### parallel with limits
for i in 1 2 3 4; do (sleep 0.0$i; echo $i > r.$i) & while (($(jobs -rp | wc -l) >= 2)); do wait -n; done; done; wait; cat r.*
### dependent commands
mkdir -p build && cd build && touch a.o b.o && ls | wc -l && cd .. && rm -r build && [ ! -d build ] && echo cleaned
### makefile
printf 'all: out.txt\nout.txt: words.txt\n\tsort -u $< > $@\n' > Makefile; make -s && wc -l < out.txt; make -q && echo fresh
### json by python pretty
python3 -m json.tool --indent 2 data.json | sed -n 1,5p; python3 -m json.tool --compact <<< '{"a": [1, 2]}'
### csv with python
python3 -c "
import csv
rows = list(csv.DictReader(open('people.csv')))
print(max(rows, key=lambda r: int(r['salary']))['name'])
print(*sorted({r['city'] for r in rows}))"
### multi line string by printf and cat
cat > conf.yml <<EOF
name: app
env:
  - A=${A:-1}
  - LIST=$(echo {a,b} | tr ' ' ,)
EOF
grep -n '' conf.yml
### string repeated
printf '=%.0s' {1..20}; echo; printf '%0.s-' $(seq 1 5); echo; printf '%*s\n' 10 '' | tr ' ' '*'
### random is a number
r=$((RANDOM % 10)); [[ $r =~ ^[0-9]$ ]] && echo digit; RANDOM=1; a=$RANDOM; RANDOM=1; [ $a = $RANDOM ] && echo same
### check dependencies
for c in bash python3 nosuchtool; do if command -v "$c" > /dev/null; then echo "$c ok"; else echo "$c missing"; fi; done
### exit code of a missing command
nosuchcmd 2>/dev/null; echo $?; ./words.txt 2>/dev/null; echo $?; bash -c 'exit 300'; echo $?
### sum of columns by paste and bc
cut -d, -f4 people.csv | tail -n +2 | paste -sd+ | bc; echo 'scale=3; 10/3' | bc; bc <<< '2^20'
### seq variants
seq -s, 5; seq 2 2 8 | tr '\n' ' '; seq -w 8 11; seq 1 0.5 2
### tests combined
a=5; [ $a -gt 3 ] && [ $a -lt 10 ] && echo mid; [[ $a -eq 5 || -f nofile ]] && echo or; [ -z "" -a -n x ] && echo both; ! [ -d src ] || echo dir
### string comparisons
[[ apple < banana ]] && echo lt; [ abc = abc ] && echo eq; [[ -z $none ]] && echo empty; [[ "a b" == "a "* ]] && echo prefix; [[ x.txt == *.@(txt|md) ]] && echo ext
