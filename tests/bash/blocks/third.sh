### R1
cat > gen.pl <<'PL'
my %h = map { $_ => 1 } @ARGV; print "$_\n" for sort keys %h; s/^\s+|\s+$//g; @a = (1..3); $#{$r};
PL
cat gen.pl; grep -c '\$' gen.pl
### R2
cat <<EOF > nginx.conf
server { listen ${PORT:=8080}; location ~ \.php\$ { fastcgi_pass unix:/run/php.sock; } rewrite ^/(.*)\$ /index.php?q=\$1; }
EOF
cat nginx.conf; echo "[$PORT]"
### R3
cat <<'EOF' > q.graphql
query Q($id: ID!, $n: Int = 10) { user(id: $id) { ...F @include(if: $x) posts(first: $n) { edges { node { id } } } } }
EOF
sed -n 's/.*query \([A-Z]\).*/\1/p' q.graphql; wc -c < q.graphql
### R4
for s in dev prod; do cat <<EOF > "$s.env"
NODE_ENV=$s
URL=https://$s.example.com/\${path}?a=1&b=2
N=$((${#s} * 2))
EOF
done; paste -d'|' dev.env prod.env
### R5
cat <<-EOF | tr -d '\r' | cat -A
	indented $((6*7))
		deeper `echo cmd`
	end	tab
	EOF
### R6
python3 <<'EOF'
text = '''a 'quoted' "thing" \\n $HOME `x`'''
print(text, r"\d+", "tab\there", f"{'nested'!r:>10}")
EOF
### R7
cat <<'ONE' - <<'TWO'
first doc
ONE
second doc
TWO
### R8
f=t.rs; cat > $f <<'EOF'
fn main() { let v: Vec<&'static str> = vec!["a", "b"]; match v.len() { 0 => {}, n if n > 1 && !(n == 3) => println!("{n}"), _ => () } }
EOF
wc -w $f; grep -o "'[a-z]*" $f
### R9
x=$(cat <<'EOF' | tr a-z A-Z
line (one
line "two
EOF
) ; echo "$x" | cat -n
### R10
while IFS='=' read -r k v; do [ -z "$k" ] && continue; case $k in \#*) continue;; esac; echo "$k -> ${v%\"}" ; done <<'CONF'
# comment
name="x y"

path=/a=b
CONF
### W1
for w in while=1 'do' done{,x} then:; do echo "<$w>"; done; echo {1..3}then
### W2
alias g='grep -n'; shopt -s expand_aliases
g fig words.txt
alias e='echo A ' b='B'; 
e b c
unalias -a; type g 2>/dev/null || echo gone
### W3
case $- in *i*) echo int;; *) echo non;; esac; case a.b in *.?) echo dot;; esac; case '' in ?*) echo some;; '') echo empty;; esac
### W4
if [ "$(echo x)" = x -a 1 -lt 2 ]; then echo y; fi; [ -z '' -o -n '' ] && echo o; test 5 -ge 5 && echo ge; [ ! -e /nope ] && echo ne; [ "a" \< "b" ] && echo lt
### W5
f() { echo "$# ${1-}"; }; f ''; f; f "$@"; f $nothing; f "${nothing[@]}"; f "x${nothing[@]}y"; f $'\n'
### W6
a='x=1;y=2'; IFS=';' read -ra p <<< "$a"; declare -p p; for kv in "${p[@]}"; do declare "v_${kv%%=*}=${kv#*=}"; done; echo $v_x$v_y
### W7
echo $(( (1+2)*3 )) $((1+ 2 *3)) "$((2>1))" $[2**3] $((0x1f)) $((017)) $((-5 % 3)) $((5 & 3 | 8 ^ 1)); echo $((1 ? 2 : 3 ? 4 : 5))
### W8
time_out=5; export time_out; ( echo $time_out; time_out=6; echo $time_out ); echo $time_out; { time_out=7; }; echo $time_out | cat; echo x | { time_out=8; cat; }; echo $time_out
### W9
printf '%s\n' "a\\b" 'a\\b' a\\b "a\b" $'a\\b' "\$x" "\"q\"" '"q"' "it's" it\'s
### X1
printf 'id,name,qty\n1,apple,3\n2,pear,10\n3,fig,7\n' > inv.csv; awk -F, 'NR>1{s+=$3} END{print s, NR-1}' inv.csv; sort -t, -k3,3nr inv.csv | head -2; cut -d, -f2 inv.csv | tail -n +2 | paste -sd, -
### X2
printf '%s\n' b a c a b | sort | uniq -c | sort -k1,1nr -k2 | awk '{print $2":"$1}'; printf '%s\n' b a c a b | awk '!s[$0]++' | xargs; printf 'x\nx\ny\n' | uniq -d; printf 'x\nx\ny\n' | uniq -u
### X3
echo 'The Quick brown' | sed 's/\b\(.\)/\u\1/g'; echo 'a1b22c333' | sed 's/[0-9]\+/(&)/2'; echo 'k=v;k2=v2' | sed 's/;/\n/g'; echo path/to/file | sed 's#/#::#g'; sed -n '$=' words.txt; sed '2q' words.txt; sed -n '/fig/,$p' words.txt | head -2
### X4
printf 'a\tb\tc\n' | expand -t 4; printf 'a   b\n' | unexpand -a -t 4 | cat -A; printf 'one two three four' | fold -sw 9; echo; printf '%s\n' abc de f | column -c 20; echo abc | rev; printf '1\n2\n3\n' | tac -s '2'
### X5
find . -type f -name '*.py' -exec grep -l TODO {} +; find src -type d -empty; find . -maxdepth 1 -newer nothing 2>&1 | head -1; find src -name '*.txt' -printf '%f %s\n' | sort; find . -name '*.csv' -o -name '*.ini' | sort; find src -mindepth 1 -maxdepth 1 | sort
### X6
tar czf a.tgz words.txt src; tar tzf a.tgz | sort | head -3; mkdir out; tar xzf a.tgz -C out src/util.py; find out -type f; tar czf - words.txt | tar xzf - -O | head -1; tar --list -f a.tgz words.txt
### X7
jq -n '{a:1,b:[1,2,{c:"x"}]}' > j; jq -r '.b[2].c' j; jq '.b|length' j; jq -c '.a=5|del(.b[0])' j; jq -c 'to_entries|map(.key)' j; jq -r '.b[]|tostring' j; jq -c '[.[]?]' j; jq -r '@base64 "\(.a)"' j
### X8
ln -s words.txt l1; ln -s l1 l2; readlink -f l2 | sed 's/.*\///'; readlink l2; cp -P l1 l3; [ -L l3 ] && echo islink; cp l1 copy; [ -L copy ] || echo file; rm l1; [ -e l2 ] || echo broken; find . -xtype l | sort
### X9
date -u -d '2023-12-31 23:59:59 +1 second' '+%F %T'; date -u -d '2024-02-28 +2 days' +%D; date -u -d 'Thu, 01 Jan 1970 00:00:10 GMT' +%s; date -u -d '1 Jan 2024' '+%G-W%V-%u'; date -u -d @1e9 2>/dev/null; echo $?; date -u -d '2024-06-15 12:00 UTC' '+%-d/%-m/%y %I:%M %p'
### X10
seq 5 | awk '{a[NR]=$1} END{for(i=NR;i>0;i--) printf "%s%s", a[i], (i>1?",":"\n")}'; seq 3 | while read n; do printf '%d^2=%d ' $n $((n*n)); done; echo; seq 10 | sed -n 'n;p' | paste -sd' '; seq 1 2 9 | tr '\n' +; echo
### X11
printf 'aaa\nbbb\nccc\n' > p1; printf 'aaa\nBBB\nccc\nddd\n' > p2; diff -u p1 p2 | sed '1,2d'; diff p1 p2 > d.patch; patch -s p1 < d.patch; cmp p1 p2 && echo patched; diff -i <(echo A) <(echo a) && echo same; diff -y -W 20 p1 p2 | head -2
### X12
printf 'z 1\na 3\nm 2\n' | sort -k2n; printf '1.2.10\n1.2.9\n1.10\n' | sort -t. -k1,1n -k2,2n -k3,3n; printf 'b\nA\na\nB\n' | sort -f; printf 'Mar\nJan\nFeb\n' | sort -M; printf '5 x\n5 a\n' | sort -s -k1,1; sort -o words.txt -u words.txt; wc -l < words.txt
### X13
dd if=words.txt bs=1 skip=6 count=5 2>/dev/null; echo; printf 'Straße\n' | iconv -f utf-8 -t latin1 | wc -c; echo 'scale=4; a=5; define f(x) { return x/a; }; f(3)' | bc; echo 'a[3]=7; a[3]*2; i=1; i++; i' | bc; bc <<< 'for (i=1;i<=3;i++) { if (i%2) print i, " "; }; print "\n"'
### X14
printf '%s\n' one two three | nl -w2 -s'. '; printf 'a b c\n' | tr ' ' '\n' | head -n -1; printf 'h1\nr1\nr2\n' | { read h; echo "head $h"; sort -r; }; printf 'x y\n' | tee >(cat > t1) > t2; sleep 0.1; cat t1 t2
### K1
awk 'BEGIN { while ((getline line < "words.txt") > 0) n++; close("words.txt"); print n; "echo hi" | getline x; print x; printf "%s %s\n", "a", "b" | "sort"; close("sort") }'
### K2
awk -v n=3 -v s='a b' 'BEGIN{print n+1, s, length(s); split(s, p, " "); print p[2]; print index(s, "b"), substr(s, 2, 2) "|"}'; echo 'a:b:c' | awk 'BEGIN{FS=":"; OFS="-"} {$1=$1; print; print NF}'
### K3
awk 'function fact(n) { return n <= 1 ? 1 : n * fact(n-1) } BEGIN { for (i = 1; i <= 5; i++) printf "%d ", fact(i); print ""; x["a"]; if ("a" in x) print "in"; delete x["a"]; print length(x) }'
### K4
awk '/ERROR/{e++; next} /WARN/{w++} END{printf "errors=%d warns=%d total=%d\n", e, w, NR}' app.log; awk 'length > 5' words.txt | sort -u; awk 'NR%2==0{print NR": "$0}' words.txt | head -2; awk '{ $2 = ""; print }' OFS=, <<< 'a b c'
### K5
printf 'r1 a\nr2 b\n\nr3 c\n' | awk 'BEGIN{RS=""; FS="\n"} {print NR": "$1" ("NF")"}'; printf 'a,b;c,d;' | awk 'BEGIN{RS=";"; FS=","} NF{print $2}'; echo 'abc' | awk '{gsub(/b/, "[&]"); print; sub(/c/, "\\&"); print}'; echo foo | awk '{print toupper(substr($0,1,1)) substr($0,2)}'
### E1
printf '\xef\xbb\xbfid,name\r\n1,Zo\xc3\xab\r\n' > w.csv; head -c 3 w.csv | xxd -p; sed -i '1s/^\xef\xbb\xbf//; s/\r$//' w.csv; cat w.csv; file -b w.csv; wc -m w.csv
### E2
s='naïve café 日本'; echo ${#s} ${s:0:5} ${s#* } ${s^^}; printf '%s' "$s" | wc -c; echo "$s" | cut -c1-3 | xxd -p | head -c 8; echo; echo "$s" | grep -o 'é'; echo "$s" | sed 's/./X/3'; printf '%-8s|\n' é
### E3
printf 'a\0b\0c' | tr '\0' '\n' | wc -l; printf 'x\0y\0' | xargs -0 -n1 echo; printf 'b\0a\0' | sort -z | tr '\0' ','; echo; find words.txt notes.txt -print0 | tr '\0' ' '; echo; printf 'k\0v\0' | while IFS= read -r -d '' z; do echo "[$z]"; done
### E4
LC_ALL=C wc -m <<< 'é'; LC_ALL=C awk '{print length($0)}' <<< 'é'; echo é | LC_ALL=C tr -d '\200-\377'; x=日本; (LC_ALL=C; echo ${#x}); echo ${#x}; echo é | LC_ALL=C sed 's/[^ -~]/?/g'; echo é | LC_ALL=C grep -cP '[\x80-\xff]'
### E5
printf '\x00\x01\xff\xfe' | od -An -tx1; printf '\x00\x01\xff\xfe' | base64; printf 'AAH//g==' | base64 -d | xxd -p; printf '\xff\xfe' | cmp - <(printf '\xff\xfe') && echo eq; printf '%b' '\0101\x42\u00e9' ; echo; echo -e 'a\x41\0102'; printf 'caf\xc3\xa9' | iconv -f utf8 -t ascii//TRANSLIT; echo
### I1
{ echo o; echo e >&2; } 2>&1 >/dev/null | cat; exec 5<>rw.txt; echo hello >&5; exec 5>&-; cat rw.txt; exec 6< words.txt; read -u 6 a; read b <&6; echo $a $b; exec 6<&-; cat <(echo p1) <(echo p2); wc -l < <(seq 4)
### I2
echo first > f; echo second >> f; cat < f > g; cat g; > g; wc -c < g; echo err 2> /dev/null 1>&2; ls nothing > all 2>&1; echo $?; grep -c 'No such' all; set -C; echo x > f 2>/dev/null; echo $?; echo y >| f; cat f; set +C
### I3
mkfifo pipe; (echo one; echo two) > pipe & cat pipe; wait; rm pipe; mkfifo p2; exec 8<>p2; echo buffered >&8; read -r line <&8; echo "$line"; exec 8>&-; [ -p p2 ] && echo fifo; rm p2
### I4
f() { while read -r l; do echo "[$l]"; done; }; f <<< $'a\nb'; seq 2 | f; f < <(echo c); echo d | f | tr d D; tee a1 a2 <<< dup > /dev/null; cat a1 a2; cat - <<< dash; cat words.txt - <<< tail | tail -1
### I5
cat /dev/stdin <<< s; sort /dev/fd/3 3<<< $'b\na'; diff <(echo a) - <<< b; echo $?; paste - - < <(seq 4); read -r x < /dev/fd/0 <<< q; echo $x; wc -c /dev/null; tail -1 /dev/stdin < words.txt; python3 -c 'import sys; print(sys.stdin.readline().strip())' < words.txt
### J1
sleep 0.2 & p=$!; kill -0 $p && echo alive; kill $p; wait $p; echo $?; (exit 7) & wait $!; echo $?; true & wait; echo $?; kill -0 $p 2>/dev/null || echo dead
### J2
trap 'echo bye' EXIT; trap 'echo int' INT; kill -INT $$; (trap 'echo sub' EXIT; exit 3); echo $?; trap - EXIT; trap -p INT; trap '' TERM; kill -TERM $$; echo still
### J3
timeout 0.1 sleep 2; echo $?; timeout 2 echo ok; timeout -s INT 0.1 sleep 2; echo $?; timeout --preserve-status 0.1 sleep 2; echo $?; sh -c 'exit 4'; echo $?; bash -c 'kill -TERM $$' 2>/dev/null; echo $?
### J4
for i in 1 2 3; do (sleep 0.0$i; echo w$i) & done; wait; echo all; seq 4 | xargs -P4 -I{} sh -c 'echo n{}' | sort; { sleep 0.1; echo late; } & echo early; wait
### J5
coproc BC { bc; }; echo '6*7' >&"${BC[1]}"; exec {BC[1]}>&-; read -r ans <&"${BC[0]}"; echo $ans; wait; echo $?; coproc { tr a-z A-Z; }; echo up >&"${COPROC[1]}"; eval "exec ${COPROC[1]}>&-"; cat <&"${COPROC[0]}"
### J6
set -o pipefail; false | true; echo $?; true | false | true; echo "${PIPESTATUS[*]}" $?; (set -e; false; echo no) ; echo $?; set -e; if ! false; then echo cond; fi; false || echo or; f() { return 2; }; f || echo "f $?"; echo end
### Z1
TZ=UTC date -d @0 '+%F %T %Z'; TZ=Asia/Kolkata date -d @0 +%T; TZ=America/New_York date -d '2024-07-01T00:00:00Z' '+%F %H:%M %Z'; TZ=Europe/Paris printf '%(%H:%M)T\n' 86400; date -u -d 'TZ="Asia/Tokyo" 2024-01-01 09:00' +%T; TZ=UTC-3 date -d @0 +%H
### Z2
touch -d '2021-03-04 05:06:07 UTC' s; TZ=UTC stat -c %y s; TZ=Asia/Tokyo ls -l --time-style=+%H:%M s | awk '{print $6}'; date -u -r s '+%j %U'; touch -r s s2; [ s -nt s2 ] || echo not newer; find . -name 's2' -newermt 2021-01-01 ! -newermt 2022-01-01
### Z3
TZ=Europe/Berlin python3 -c 'import time,datetime as d; print(time.strftime("%H:%M %Z", time.localtime(0)), d.datetime.fromtimestamp(0).hour)'; TZ=Asia/Tokyo python3 -c 'from datetime import *; print(datetime(2024,1,1,tzinfo=timezone.utc).astimezone().isoformat())'
### P1
cat > cli.py <<'EOF'
import argparse, json, sys
p = argparse.ArgumentParser(prog="cli"); p.add_argument("-n", type=int, default=1); p.add_argument("names", nargs="*")
a = p.parse_args(); json.dump({"n": a.n, "names": a.names}, sys.stdout); print()
sys.exit(len(a.names))
EOF
python3 cli.py -n 3 x y; echo $?; python3 cli.py --bad 2>/dev/null; echo $?; python3 cli.py -h | head -1
### P2
python3 - a 'b c' <<'EOF'
import sys, os, subprocess, pathlib, re, collections
print(sys.argv, os.environ.get("HOME") is not None, pathlib.Path("words.txt").stat().st_size)
print(collections.Counter(pathlib.Path("words.txt").read_text().split()).most_common(1))
print(subprocess.run(["wc", "-l"], input="a\nb\n", capture_output=True, text=True).stdout.strip(), subprocess.getoutput("echo out"))
EOF
### P3
python3 -c 'import csv,sys; [print(r["name"], r["age"]) for r in csv.DictReader(open("people.csv"))]' | head -2; python3 -c 'import json; d=json.load(open("data.json")); print(len(d["users"]), sorted(d["users"][0]))'; python3 -m json.tool --compact data.json | wc -l; python3 -c 'import sqlite3; c=sqlite3.connect(":memory:"); print(c.execute("select 1+1, upper(\"x\")").fetchone())'
### P4
mkdir pkg; echo 'def f(): return "pkg.f"' > pkg/__init__.py; echo 'from . import f; print(f(), __name__)' > pkg/__main__.py; python3 -m pkg; python3 -c 'import pkg; print(pkg.f())'; PYTHONPATH=src python3 -c 'import util; print(util.__name__)'; python3 -c 'import sys; sys.stderr.write("e\n"); print("o"); sys.exit("msg")' 2>/dev/null; echo $?
### P5
python3 -c 'import sys
for line in sys.stdin: print(line.rstrip()[::-1], flush=True)' < words.txt | head -2; echo '{"a":1}' | python3 -c 'import json,sys; print(json.load(sys.stdin)["a"])'; yes | python3 -c 'import sys; print(sys.stdin.readline(), end="")'; python3 -c 'print(*range(3))' | tr ' ' +; python3 -c 'import os; os.kill(os.getpid(), 15)'; echo $?
### P6
python3 -c 'print(0.1+0.2, 7//2, -7//2, 2**64, 1e16, round(2.5), 10/3, float("inf"), 3.0, 1e-5)'; python3 -c 'print("%05.1f|%x|%-4s|%+d" % (3.14159, 255, "a", 5), "{:,}".format(1234567), "{:>6}".format("r"), "é".encode(), b"\xff".decode("latin1"))'; python3 -c 'import hashlib,base64,zlib; print(hashlib.md5(b"x").hexdigest()[:8], base64.b64encode(b"hi").decode(), zlib.crc32(b"x"))'
### G1
git init -q -b main .; git config user.name N; git config user.email n@x; git add .; git commit -qm init; git log --oneline | wc -l; echo more >> words.txt; git diff --shortstat; git commit -qam two; git show --stat --format=%s | tail -1; git log --format='%an %s' -1; git ls-files | head -2; git rev-parse --is-inside-work-tree
### G2
git init -q -b main .; git config user.name N; git config user.email n@x; echo a > f; git add f; git commit -qm a; git branch topic; git switch -q topic; echo b >> f; git commit -qam b; git switch -q main; git merge -q topic; git log --oneline | wc -l; git branch --merged | tr -d ' *' | sort; git tag v1; git describe --tags; git diff HEAD~1 --name-only; git show HEAD:f; git blame -s f | cut -d' ' -f2-
### G3
git init -q -b main .; git config user.name N; git config user.email n@x; mkdir d; echo 1 > d/x; git add -A; git commit -qm 1; git mv d/x d/y; git status --short; git commit -qm mv; git log --follow --format=%s d/y; rm d/y; git status --porcelain; git restore d/y; git rm -q --cached d/y; git status -s; git reset -q; git stash list | wc -l; git cat-file -p HEAD^{tree} | cut -d' ' -f1,2
### G4
git init -q .; git config user.name N; git config user.email n@x; printf 'a\nb\nc\n' > f; git add f; git commit -qm base; sed -i 's/b/B/' f; git stash -q; git diff --quiet && echo clean; git stash pop -q; git diff -U0 | tail -2; git checkout -q f; git revert --no-edit HEAD >/dev/null 2>&1; ls; git log --format=%s | head -1; git reset -q --hard HEAD~1; cat f | wc -l; git config --get user.name; git config --list | grep -c '^user'
### L1
declare -A m; while read -r k v; do m[$k]+="${m[$k]:+,}$v"; done <<< $'a 1\nb 2\na 3'; for k in $(printf '%s\n' "${!m[@]}" | sort); do echo "$k=${m[$k]}"; done; unset m[a]; echo "${#m[@]} ${m[b]-} ${m[a]-gone}"
### L2
a=({1..5}); echo "${a[@]:2}" "${a[@]::2}" "${a[@]: -1}" "${#a[@]}" "${a[*]/3/X}" "${a[@]%5}"; a=("${a[@]:0:2}" new "${a[@]:2}"); echo "${a[@]}"; IFS=+; echo "${a[*]}"; unset IFS; printf '<%s>' "${a[@]}"; echo; b=(); echo "${#b[@]}" "${b[@]-none}"; readarray -t c < words.txt; echo ${#c[@]} ${c[1]}
### L3
s=hello_world_foo; echo ${s%%_*} ${s##*_} ${s//_/ } ${s/_/-} ${s^} ${s^^[a-h]} ${s:6:5} ${s: -3} ${s/#hello/bye} ${s/%foo/bar} ${#s} ${s//o} "${s//[aeiou]/*}"; p=a/b/c.tar.gz; echo ${p%.*} ${p%%.*} ${p##*/} ${p%/*}; v=s; echo ${!v} ${!s*}
### L4
f() { local x=$1; shift; (( x > 0 )) || return 1; echo "$x: $*"; f $((x-1)) "$@"; }; f 2 a b; echo $?; g() { echo in; return; echo no; }; g; h() (cd /; pwd; exit 5); h; echo $?; unset -f g; declare -F h; i() { echo "${FUNCNAME[0]} $LINENO"; }; i
### L5
getopt_() { local OPTIND o v=; while getopts 'vo:h' o "$@"; do case $o in v) v=1;; o) echo "o=$OPTARG";; h) echo help;; ?) echo "bad"; return 1;; esac; done; shift $((OPTIND-1)); echo "v=$v rest=$*"; }; getopt_ -v -o x a b; getopt_ -ovalue -- -z; getopt_ -q 2>/dev/null; echo $?
### L6
set -- one "two three" four; echo $# "$1" "${2}" "$*"; shift; echo "$@"; set -- "${@/four/4}"; echo $2; for x; do echo "[$x]"; done; set --; echo $#; set -- -a -b; echo "$@"; echo "${@: -1}"; args=(--x "y z"); printf '%s|' "${args[@]}"; echo
### L7
i=0; while :; do ((++i)); ((i == 2)) && continue; ((i > 4)) && break; echo $i; done; for ((;;)); do break; done; until ((i <= 0)); do ((i -= 3)); done; echo $i; for f in *.txt; do [[ $f == n* ]] || continue; echo ${f%.txt}; done; select x in; do :; done; echo after
### L8
[[ "2024-01-15" =~ ^([0-9]{4})-([0-9]{2})-([0-9]{2})$ ]] && echo "${BASH_REMATCH[@]:1}"; v=1.10.2; [[ $v =~ ([0-9]+)\.([0-9]+) ]] && echo ${BASH_REMATCH[2]}; [[ a1 == [a-z][0-9] && ! b -eq 1 ]] 2>/dev/null; echo $?; [[ -d src || -f nope ]] && echo d; [[ "x y" == x\ y ]] && echo sp; [[ 5 -lt 10 && 5 < 10 ]]; echo $?; shopt -s nocasematch; [[ ABC == abc ]] && echo nc; shopt -u nocasematch
### L9
printf -v d '%(%Y)T' 0; echo $d; printf '%s %s\n' a b c; printf '%d %i %u\n' 5 -5 5; printf '%5s|%-5s|%05d|%.2f|%e\n' ab ab 42 3.14159 1234.5; printf '%x %X %o %#x\n' 255 255 8 16; printf '%%|%c|%s\n' hello; printf '%q\n' "it's a \$var"; printf '%*d|%-*d|\n' 5 42 5 42; printf '[%s]\n' "${nope[@]}"
### L10
echo "${x:-default} ${x:=assigned} $x ${x:+alt} ${y:+alt}|"; unset x; echo "${x?}" 2>/dev/null; echo "rc $?"; (set -u; echo $undefined) 2>/dev/null; echo $?; echo "${#x} ${x+set}|${x-unset}"; n=x; printf -v "$n" v; echo $x; declare -n r=x; r=w; echo $x; readonly k=1; (k=2) 2>/dev/null || echo ro
### L11
echo a{b,c{d,e}}f {1..10..3} {a..e..2} {01..3} pre{,.bak}; echo "{1,2}" {1} \{1,2\} {a,b}{c,d}; echo ~root ~+ | sed "s|$PWD|PWD|"; set -f; echo *.txt; set +f; echo [nw]*.txt ?otes.txt; echo "*" '*' \*; shopt -s nullglob; echo none*.x end; shopt -u nullglob; shopt -s failglob; (echo z*.q) 2>/dev/null || echo fail
### L12
eval 'a=1; b=$((a+1))'; echo $b; cmd=(printf '%s-' x 'y z'); "${cmd[@]}"; echo; c='echo "$a"'; eval "$c"; bash -c 'echo $0 $1' zero one; bash -s arg <<< 'echo "s:$1"'; echo 'echo sourced $1; return 3' > lib; . ./lib p; echo $?; exec 3>&1; (exec echo replaced); command -v cd; type -t if; hash ls; declare -i z=3*4; echo $z
### L13
trap 'echo "line $LINENO: $BASH_COMMAND"' ERR; false; (exit 2); ! true; if false; then :; fi; trap - ERR; set -x 2>/dev/null; { echo traced; } 2>/dev/null; set +x 2>/dev/null; PS4='+ '; bash -x -c 'a=1; echo $a; [ $a = 1 ]' 2>&1; bash -n -c 'for' 2>/dev/null; echo $?; bash -c 'set -e; f() { false; echo no; }; f; echo no2'; echo $?
### S1
cat > build.sh <<'EOF'
#!/bin/bash
set -euo pipefail
trap 'rc=$?; echo "exit $rc"; rm -rf "$work"' EXIT
work=$(mktemp -d); src=${1:?usage: build SRC}
log() { printf '[%(%Y)T] %s\n' 0 "$*"; }
log "building $src"; find "$src" -name '*.py' -print0 | while IFS= read -r -d '' f; do n=$(wc -l < "$f"); echo "${f##*/} $n"; done | sort > "$work/list"
cat "$work/list"; [[ -s $work/list ]] || { log empty; exit 3; }
EOF
bash build.sh src; bash build.sh nothing 2>/dev/null; echo $?; bash build.sh 2>/dev/null; echo $?
### S2
mkdir -p logs; for d in 01 02 03; do printf '%s INFO start\n%s ERROR code=%s\n' $d $d $((10#$d * 7)) > logs/$d.log; done; grep -h ERROR logs/*.log | sed -E 's/.*code=([0-9]+)/\1/' | awk '{s+=$1} END{print s}'; grep -c INFO logs/* ; cat logs/*.log | cut -d' ' -f2 | sort | uniq -c; for f in logs/*.log; do mv "$f" "${f%.log}.txt"; done; ls logs
### S3
join -t, <(sort people.csv) <(printf 'name,role\nAlice,dev\nBob,ops\n' | sort) 2>/dev/null | head -3; awk -F, 'NR==FNR{r[$1]=$2;next} $1 in r{print $1, r[$1], $3}' <(printf 'Alice,dev\nBob,ops\n') people.csv; cut -d, -f1 people.csv | sed 1d | xargs -I{} echo "hi {}" | head -2
### S4
conf=app.ini; printf '[a]\nx=1\n[b]\nx=2\ny=3\n' > $conf; get() { sed -n "/^\[$1\]/,/^\[/{s/^$2=//p}" $conf; }; get a x; get b y; sed -i '/^\[b\]/,/^\[/ s/^x=.*/x=9/' $conf; get b x; awk -F= '/^\[/{s=$0} /=/{print s "." $1 " -> " $2}' $conf
### S5
urlencode() { local s=$1 i c; for ((i=0;i<${#s};i++)); do c=${s:i:1}; case $c in [a-zA-Z0-9.~_-]) printf %s "$c";; *) printf '%%%02X' "'$c";; esac; done; echo; }; urlencode 'a b&c=d/é'; urldecode() { local s=${1//+/ }; printf '%b\n' "${s//%/\\x}"; }; urldecode 'a%20b%26+c'; b64() { printf %s "$1" | base64 -w0; echo; }; b64 'long text that goes on and on and on and on and on and on and on beyond'
### S6
tasks=(a:b b:c c: d:b); declare -A dep; for t in "${tasks[@]}"; do dep[${t%%:*}]=${t#*:}; done; visit() { [[ ${seen[$1]-} ]] && return; seen[$1]=1; [[ -n ${dep[$1]} ]] && visit "${dep[$1]}"; echo -n "$1 "; }; declare -A seen; for t in a d; do visit $t; done; echo
### S7
printf '#!/usr/bin/env bash\necho "run $0 $#"\n' > run; chmod +x run; ./run a b | sed 's/\.\///'; PATH=.:$PATH run; install -m 644 run r2; ./r2 2>/dev/null; echo $?; printf '#!/usr/bin/env python3\nimport sys; print(sys.argv[1:])\n' > py; chmod 755 py; ./py 1 2; stat -c %a r2 run; cp -p run r3; [ -x r3 ] && echo x; umask 077; touch priv; stat -c %A priv
### S8
make -s -f - <<'EOF'
SRCS := a.c b.c
OBJS := $(SRCS:.c=.o)
all: $(OBJS) ; @echo $^ $(words $(SRCS)) $(sort c b a) $(filter %.c,$(SRCS) x.h)
%.o: ; @echo "CC $*"
ifeq ($(origin CC),default)
all: extra
endif
extra: ; @echo extra $(if ,t,f) $(shell echo sh) $(notdir a/b.c) $(addprefix p/,x y)
EOF
### S9
sqlite3 t.db 'create table u(id integer primary key, n text, v real); insert into u(n,v) values ("a",1.5),("b",2),("c",null);'; sqlite3 t.db 'select n, coalesce(v,0)*2 from u order by id desc' ; sqlite3 -header -csv t.db 'select * from u limit 2'; echo 'select count(*), sum(v), group_concat(n) from u;' | sqlite3 t.db; sqlite3 t.db '.tables'; sqlite3 -json t.db 'select id from u where v is null'
### S10
n=5; a=0 b=1; for ((i=0;i<n;i++)); do printf '%d ' $a; ((t=a+b, a=b, b=t)); done; echo; for ((r=1;r<=3;r++)); do printf '%*s' $((3-r)) ''; printf '*%.0s' $(seq $((2*r-1))); echo; done; rev_() { local s=$1 o=; while [ -n "$s" ]; do o=${s:0:1}$o; s=${s:1}; done; echo $o; }; rev_ abc; echo $((0b101)) 2>/dev/null || echo nob; printf '%s\n' $((2#1011)) $(( 1 << 10 )); echo "obase=2; 10" | bc
### S11
cat > t.sh <<'EOF'
retry() { local n=$1; shift; for ((i=1;i<=n;i++)); do "$@" && return 0; echo "attempt $i failed"; done; return 1; }
count=0; try() { ((++count >= 3)); }
retry 5 try && echo "ok after $count"; retry 2 false || echo "gave up: $?"
EOF
sh t.sh 2>/dev/null | head -1; bash t.sh; bash -u t.sh | wc -l
### S12
zip -q a.zip words.txt src/util.py && unzip -l a.zip | awk 'NR>3{print $1, $4}' | head -2; unzip -p a.zip words.txt | head -1; gzip -c words.txt > w.gz; gzip -t w.gz && echo fine; zcat w.gz | wc -l; gunzip -l w.gz | wc -l; md5sum words.txt | cut -c1-8; sha1sum < words.txt | cut -c1-8; tar cf t.tar --exclude=deep src; tar tf t.tar | sort
### S13
node -e 'const fs=require("fs"); const t=fs.readFileSync("words.txt","utf8").trim().split("\n"); console.log(t.length, t.map(x=>x[0]).join("")); process.exitCode=3'; echo $?; node -p '[3,1,2].sort().concat([..."ab"]).join()'; node --input-type=module -e 'import p from "path"; console.log(p.basename("/a/b.js",".js"))'; echo '{"a":[1,2]}' | node -e 'let s="";process.stdin.on("data",c=>s+=c).on("end",()=>console.log(JSON.parse(s).a.length))'
### S14
cat > parse.sh <<'EOF'
while (($#)); do case "$1" in --*=*) k=${1%%=*}; v=${1#*=}; shift;; --*) k=$1; v=${2-}; shift $(( $# > 1 ? 2 : 1 ));; *) echo "pos $1"; shift; continue;; esac; echo "${k#--}=<$v>"; done
EOF
bash parse.sh --a=1 --b two pos --c='x y' --last
### S15
find src -type f | sort | while read -r f; do printf '%s %s\n' "$(md5sum < "$f" | cut -c1-6)" "${f#src/}"; done; find src -type f -name '*.txt' | xargs wc -c | tail -1; find . -maxdepth 1 -name '[a-d]*' -printf '%P\n' | sort; find src -name '*.py' -exec sh -c 'for f; do basename "$f" .py; done' _ {} + | sort
### S16
paste <(cut -d, -f1 people.csv) <(cut -d, -f3 people.csv) | sed 1d | sort -k2,2nr | awk '{printf "%-8s %3d\n", $1, $2}'; tr ',' '\t' < people.csv | cut -f2 | sort | uniq -c | sort -rn | head -1 | xargs; sed -n '2,$p' people.csv | awk -F, '{c[$2]=c[$2] (c[$2]?",":"") $1} END{for(k in c) print k": "c[k]}' | sort
### L14
x=$'multi\nline'; echo "$x" | { mapfile -t l; echo "${#l[@]} ${l[1]}"; }; y="${x//$'\n'/;}"; echo "$y"; echo ${x}; printf '%s\n' "${x%%$'\n'*}"; [[ $x == *$'\n'* ]] && echo has; z=$(printf '%s\n\n' "$x"); echo "${#z}"; echo "${x@Q}"
### L15
for c in a 7 _ - . ']' '!' ~; do case $c in [a-z]) echo lower;; [0-9]) echo digit;; [_-]) echo line;; []!]) echo brack;; [^.]) echo other;; *) echo dot;; esac; done; [[ x- == *[!a-z] ]] && echo tail; v=a.b-c_d; echo ${v//[.~_-]/ } ${v//[^a-z]} ${v%%[-.]*}
### W10
! [ -f nope ] && echo no; time true 2>/dev/null; { ! false; } && echo grp; if ! { false || false; }; then echo neither; fi; echo a && ! echo b; echo $?; while ! [ "$n" = xx ]; do n=x$n; done; echo $n
### G5
git init -q -b main .; git config user.name N; git config user.email n@x; echo 1 > a; git add a; git commit -qm one; echo 2 > a; git commit -qam two; git log --reverse --format='%s' | paste -sd,; git diff HEAD~1..HEAD | grep '^[+-][0-9]'; git checkout -q HEAD~1 -- a; cat a; git status -s; git commit -qm back; git rev-list --count HEAD; git shortlog -sn HEAD | xargs; git log -1 --format=%B | head -1; git show -s --format=%P HEAD | wc -w
