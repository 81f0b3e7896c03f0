### R1
cat > util.h <<'EOF'
#define MAX(a,b) ((a) > (b) ? (a) : (b))
#ifdef X /* if ((!x)) */
static inline int f(int *p) { return !(*p & ~0x0F) && ((!p[1])); }
#endif
EOF
wc util.h; grep -c '((!' util.h
### R2
cat > q.py <<EOF
name = "${USER}"
path = r"C:\\temp\\$USER"
print(f"{name!r:>10}", '\$5', "\`x\`")
EOF
cat q.py; python3 q.py
### R3
cat <<'EOF' | while IFS='|' read -r a b; do printf '%s -> %s\n' "${a// /}" "${b# }"; done
x | one two
y|!(z)
EOF
### R4
cat >k8s.yaml <<'YAML'
apiVersion: v1
kind: ConfigMap
data: {run.sh: "#!/bin/sh\nset -e; [ \"$A\" ] || exit 1\n", n: !!str 5}
---
items: [*a, &b {c: d}]
YAML
grep -c . k8s.yaml; sed -n '$p' k8s.yaml
### R5
for n in a b; do cat > "$n.conf" <<EOF
[$n]
id=$((++i))
EOF
done; cat a.conf b.conf
### R6
node - <<'EOF' 2>/dev/null || cat <<'EOF2'
console.log(`${[1,2].map(x => x * 2)}`, !!'' || !(0))
EOF
fallback
EOF2
### R7
(cat <<EOF
one ${HOME##*/}
EOF
) | tr a-z A-Z; x=$(cat <<-EOF
	indented $(echo sub)
	EOF
); echo "[$x]"
### R8
cat <<'END' > .gitattributes; cat <<'END' > .editorconfig; cat .gitattributes .editorconfig | md5sum
*.sh text eol=lf
END
[*.{js,ts}]
indent_style = space
END
### R9
sqlite3 a.db <<'SQL'
CREATE TABLE "we ird" (a INTEGER PRIMARY KEY, "b!" TEXT DEFAULT 'it''s');
INSERT INTO "we ird"("b!") VALUES ('x'),(NULL);
SELECT a || ':' || coalesce("b!",'null') FROM "we ird" WHERE NOT (a = 3);
SQL
### R10
f() { cat <<-X > "$1"
	#!/bin/sh
	echo "\$0 \$@ $2"
	X
chmod +x "$1"; }; f run.sh baked; ./run.sh p q
### W1
for x in do done esac then; do echo $x; done; echo if then else; a[1]=fi; echo ${a[1]}; echo [a] {b} ]] [[
### W2
export A=1 B="$A$A" C; declare x=1 y; echo $B ${C-unset} $x; readonly Q='a=b'; echo $Q; env X=1 Y='a b' sh -c 'echo $X $Y'
### W3
case x=1 in *=1) echo y;; esac; case 'a b' in a\ b) echo sp;; esac; case $(echo z) in [a-y]) echo no;; [!a-y]) echo z;; esac
### W4
[[ -f words.txt && ( -d src || -z x ) ]] && echo a; [[ "$HOME" == /home/* ]] && echo h; [[ ! -e q ]] && echo n; [[ 5 -lt 10 && b > a ]] && echo lt
### W5
i=5; until ((i-- <= 2)); do printf '%d ' $i; done; echo; for ((a=1, b=5; a < b; a++, b--)); do echo $a,$b; done; ((1<<4 == 16)) && echo sh
### W6
x=(a=1 'b c' "$HOME" [7]=z); echo ${#x[@]} ${!x[@]}; declare -A m=(["a b"]=1 [c]='d e'); for k in "${!m[@]}"; do echo "$k:${m[$k]}"; done | sort
### W7
f() { local -a l=("$@"); local -i n=${#l[@]}; echo $n "${l[n-1]}"; }; f a 'b c'; function g() { echo g$#; }; g 1 2
### W8
echo $'a\'b' "a'b" 'a"b' a\"b "\$x" $"t"; echo "${x:-"a b"}" ${x:-'c d'}; echo "a\
b"
### X1
sort -t: -k3,3nr -k1,1 <<< $'a:x:1\nb:y:10\nc:z:10'; sort -s -k1,1 <<< $'b 1\na 2\nb 0'; sort -um <(seq 3) <(seq 2 4); printf '%s\n' Feb Jan Mar | sort -M
### X2
cut -d' ' -f2- <<< 'a b c'; cut -c-3 <<< abcdef; cut -d: -f1,3 --output-delimiter=/ <<< a:b:c; cut -s -d: -f1 <<< nodelim; cut -b1,3 <<< abc
### X3
head -n 2 words.txt numbers.txt; tail -n 1 -q words.txt numbers.txt; head -c -5 <<< abcdefgh; tail -c +3 <<< abcdef; head -0 words.txt; tail -n +7 words.txt
### X4
sed -n '/^a/{p;q}' words.txt; sed 's/[aeiou]/\U&/g' words.txt | head -2; sed '2!d' words.txt; sed -e '1{h;d}' -e '$G' numbers.txt | tail -2; sed 's/a/X/2' <<< banana; sed = words.txt | sed 'N;s/\n/\t/' | head -2
### X5
sed '/apple/c\replaced' words.txt | head -3; sed -n 'l' <<< $'a\tb'; sed 's/\(.*\)@\(.*\)/\2 at \1/' <<< u@h; sed -E 's/(^|,)([^,]*)/\1"\2"/g' <<< a,b; sed '1~2d' words.txt; sed ':a;s/^\(\s*\)x/\1y/;ta' <<< '  xx'
### X6
grep -c '' words.txt; grep -n '^[^a]' words.txt | head -2; grep -o 'a.' words.txt | sort | uniq -c; grep -rn --include='*.py' def src; grep -m1 a words.txt; grep -vc a words.txt; grep -E '(ap|fi)' words.txt | wc -l; grep -F . words.txt; echo $?
### X7
find . -name '*.py' -o -name '*.csv' | sort; find src -depth | sort -r | head -2; find . -empty; find . -type f -newer words.txt; find . -path '*deep*' -type f | sort; find . -maxdepth 1 -name '[a-d]*' -printf '%f %s\n' | sort
### X8
find src -name '*.txt' -delete; find src -type f | wc -l; find . -iname 'WORDS*' -exec sh -c 'echo "$1: $(wc -l < "$1")"' _ {} \;; find . -type d -exec basename {} \; | sort; find nothing 2>/dev/null; echo $?
### X9
printf '%s\n' a b c | xargs -I% echo '<%>'; echo 'a "b c" d' | xargs -n1; seq 5 | xargs -n2 echo x; printf 'a\0b c\0' | xargs -0 printf '[%s]\n'; xargs echo < /dev/null; echo 1 | xargs -I{} sh -c 'exit {}'; echo $?
### X10
printf '%.1f %.0f %.2f %5.2f|%-8.3f|%+.1e %g %g\n' 0.25 1.5 1.005 2.675 3.14159 12345 0.0000123 1234567; printf '%03d|%x|%#x|%o|%X\n' 7 255 255 8 171; printf '%s %d\n' a 1 b 2; printf '%5s|%-5s|%.2s\n' ab ab abc
### X11
seq -s' ' 5; seq 5 -2 1 | paste -sd' '; seq -w 9 11 | tr '\n' ' '; seq 0.5 0.5 1.5; seq -f '%.2f' 1 2; expr 5 % 3; expr \( 1 + 2 \) \* 3; expr abc \< abd; expr 5 / 0 2>/dev/null; echo $?
### X12
date -u -d '2024-12-25' '+%A %-d %B %Y week %V day %j'; date -u -d '2024-01-01 + 90 days' +%F; date -u -d '@1700000000' '+%FT%T%:z'; date -u -d 'Jan 5 2024 3:04 PM' +%s; date -u -d '2024-03-10 14:00 + 2 hours 30 minutes' '+%F %R'
### X13
diff -u <(printf 'a\nb\nc\n') <(printf 'a\nx\nc\nd\n') | tail -n +3; diff <(echo a) <(echo a); echo $?; diff -rq src src && echo same; diff -w <(echo 'a  b') <(echo 'a b') && echo w; diff -y -W 20 <(echo a) <(echo b); cmp words.txt numbers.txt; echo $?
### X14
tar cf a.tar src words.txt; tar tf a.tar | sort | head -3; tar xf a.tar -C / --to-stdout words.txt | head -1; mkdir d; tar xf a.tar -C d src/util.py; find d -type f; gzip -c words.txt | gunzip | cmp - words.txt && echo eq; zip -qr s.zip src; unzip -l s.zip | tail -1 | awk '{print $2, $3}'
### X15
jq -c '[.users[]|{(.name):.id}]|add' data.json; jq -r '.users[]|select(.tags|index("dev"))|.name' data.json; jq '.users|length as $n|"\($n) users"' data.json; jq -c 'del(.users[0].tags)|.users[0]' data.json; jq -r '.users[0]|keys|@tsv' data.json; jq -n '[1,2,3]|map(select(.>1))|tojson'
### X16
jq -Rs 'split("\n")|map(select(length>0))|length' words.txt; jq -r --arg n Bo '.users[]|select(.name==$n).id' data.json; jq -c 'reduce .users[] as $u (0; .+$u.id)' data.json; jq '.users[5]' data.json; jq -c 'with_entries(.value|=type)' data.json; jq 'if .total>2 then "many" else "few" end' data.json; jq -cn 'try error("x") catch .'
### K1
awk -F, 'NR>1{print $1, $4/12}' people.csv | head -2; awk -F, '$3>30{c++} END{print c+0}' people.csv; awk 'length>5' words.txt; awk '{print substr($0,1,2)}' words.txt | sort -u | head -2
### K2
awk '{c[$1]++} END{for(w in c) print c[w], w}' words.txt | sort -rn | head -2; awk 'NR%2{printf "%s,", $0; next} {print}' numbers.txt; awk 'END{print}' words.txt; awk '/ERROR/{n++} END{print n}' app.log
### K3
awk 'BEGIN{OFS="\t"} {$1=$1} 1' <<< 'a b c'; awk -v RS=, '1' <<< 'x,y'; awk '{sub(/o/,"0")} 1' <<< foo; awk 'BEGIN{split("2024-01-02",d,"-"); print d[3]"/"d[2]}'; awk '{t=$1; $1=$2; $2=t} 1' <<< 'a b'
### K4
awk '{s+=$1; q+=$1^2} END{printf "%.2f %.3f\n", s/NR, sqrt(q/NR-(s/NR)^2)}' numbers.txt; awk 'BEGIN{printf "%s %s\n", 3/2, int(7/2); print length("abc") length("de"); print 1 " " 2, -1 " " -2}'
### K5
printf 'b\na\n' | awk '{print | "sort"}'; awk 'BEGIN{"echo hi" | getline x; print x}'; awk '{print $1 > "o_" $1}' <<< $'p\nq'; cat o_p o_q; echo 'a:b' | awk -F: -v OFS=- '{print $2,$1}'
### E1
printf 'ab\xc3\xa9c' | cut -b3- | xxd -p; printf '\xef\xbb\xbf{"a":1}' > b.json; jq -c . b.json 2>/dev/null || tail -c +4 b.json; head -c 3 b.json | xxd -p; x='naïve'; echo ${#x} ${x^} ${x: -2}; echo 'ÄÖ' | sed 's/./-/g'
### E2
echo -n 'é' | od -An -tx1; printf 'é\n' | grep -o . | wc -l; printf '%s\n' 'ñ' 'n' 'o' | sort | head -1; python3 -c 'print("\u00e9" == "é", len("日本"))'; printf '%q\n' 'é à' $'\e[0m'; echo 'ab' | tr ab 'xy'; echo $'\x41\u0042\103'
### E3
printf 'l1\r\nl2\r\n' | while IFS= read -r l; do printf '%s|' "${l%$'\r'}"; done; echo; printf 'a\r\n' | od -c | head -1; printf '1\r\n' | { read n; [ "$n" = 1 ] || echo cr; }; printf 'x\ty\n' | expand -t 3; printf 'a\fb\vc' | xxd -p
### E4
printf '\x80\x81' > b; cat b b > c; wc -c < c; cmp b <(head -c 2 c) && echo eq; base64 < c; xxd -p c | xxd -r -p | md5sum; x=$(< b); printf %s "$x" | xxd -p; printf '\377' | tr '\377' a; echo; tr -dc '[:print:]' < b | wc -c
### I1
wc -l < words.txt; wc -l words.txt - < numbers.txt | tail -1; sort - words.txt < numbers.txt | head -2; cat /dev/stdin < words.txt | head -1; tee /dev/null < numbers.txt | tail -1; grep -H fig - < words.txt; sed -n 1p - < words.txt
### I2
{ echo out; echo err >&2; } 2>e | cat; cat e; { ls nope; } 2>&1 | wc -l; exec 4>t4; echo x >&4; exec 4>&-; cat t4; (echo a; echo b >&2) > a1 2>&1; sort a1; f() { echo f >&2; }; f 2>/dev/null; f 2>&1 | tr f g
### I3
while read -r n && read -r m <&3; do echo "$n $m"; done < numbers.txt 3< words.txt | head -3; exec 3<<< $'p\nq'; read -u 3 a; read -u 3 b; echo $b$a; read -r x y <<< "1 2 3"; echo "$y"; IFS=, read -ra p <<< 'a,b c,d'; echo "${p[1]}"
### I4
python3 -c 'import sys; d=sys.stdin.read(); print(len(d), d.split()[0])' < words.txt; echo '{"k":[1]}' | python3 -c 'import json,sys; print(json.load(sys.stdin)["k"])'; python3 -c 'for i in range(3): print(i)' | tail -1; echo 3 | python3 -c 'print(int(input())*2)'; python3 -c 'input()' < /dev/null 2>&1 | tail -1
### I5
cat src 2>&1; head -1 src 2>&1 | tail -1; wc -l < src; echo $?; sed p src 2>&1; cp src x 2>&1; rm src 2>&1; cat nope words.txt 2>&1 | head -2; mv nope y 2>&1; mkdir src 2>&1; rmdir src 2>&1; touch nodir/x 2>&1; echo a > nodir/x; echo $?
### J1
(exit 3); echo $?; sh -c 'kill -INT $$'; echo $?; false & wait $!; echo $?; sleep 0.1 & a=$!; sleep 0.2 & b=$!; wait $a $b; echo $?; wait 999999 2>/dev/null; echo $?
### J2
trap 'echo exit $?' EXIT; trap 'echo err' ERR; false; (exit 5); true | false; ! true; f() { return 2; }; f || true; exit 6
### J3
bash -c 'trap "echo TERM; exit 9" TERM; kill $$; sleep 1'; echo $?; bash -c 'trap "" TERM; kill $$; echo alive'; bash -c 'trap "echo a" EXIT; trap "echo b" EXIT; trap - EXIT'; bash -c 'trap "echo sub" EXIT; (true); echo main'
### J4
timeout 0.1 bash -c 'while :; do :; done'; echo $?; timeout 1 sh -c 'exit 4'; echo $?; timeout --preserve-status 0.1 sleep 5; echo $?; timeout -s INT 0.1 sleep 5; echo $?; timeout 0 echo zero
### J5
for i in 1 2 3; do { sleep 0.0$i; echo $i >> log; } & done; wait; cat log; xs=$(for i in a b; do echo $i & done; wait); echo $xs | wc -w; (sleep 0.05; echo later) & wait %1; echo $?
### Z1
TZ=America/Chicago date -d '2024-06-01 12:00 UTC' '+%F %T %Z'; TZ=Asia/Kathmandu date -d @0 +%:z; for z in Europe/Paris Asia/Dubai; do TZ=$z date -d '2024-01-01T00:00Z' '+%R %z'; done; TZ=UTC date -d '2024-01-01 12:00 +0200' +%R; date -u -d 'TZ="Asia/Tokyo" 2024-01-01 09:00' +%FT%TZ
### Z2
export TZ=Europe/Rome; date -d '2024-03-31 03:30' +%s; date -d @1711846800 +%R; printf '%(%H:%M %Z)T\n' 1720000000; touch -d '2024-01-15 10:00' f; date -r f '+%F %R %z'; find f -printf '%TH:%TM\n'; ls -l --time-style='+%F %R' f | cut -d' ' -f6,7; stat -c %Y f
### P1
python3 -c 'import os; [print(r, sorted(d), sorted(f)) for r, d, f in sorted(os.walk("src"))]'; python3 -c 'import sys; print(sys.stdin.encoding, sys.getdefaultencoding(), sys.maxsize > 2**31)'; python3 -c 'print(*[x**2 for x in range(5)], sep=",")'; python3 -c 'import random; random.seed(1); print(random.randint(1,100))'
### P2
python3 - <<'EOF'
from dataclasses import dataclass, asdict
import enum, typing, contextlib, io, struct, decimal, fractions, heapq, bisect, statistics
@dataclass
class P: x: int; y: float = 2.5
print(P(1), asdict(P(3)), struct.pack('<I', 258), decimal.Decimal('0.1')*3, fractions.Fraction(3,6), statistics.mean([1,2,4]))
with contextlib.redirect_stdout(io.StringIO()) as s: print("hidden")
print(s.getvalue().strip().upper(), bisect.bisect([1,3,5],3), heapq.nsmallest(2,[5,1,4]))
EOF
### P3
cat > cli.py <<'EOF'
import argparse, sys
p = argparse.ArgumentParser(description="d"); p.add_argument("x", type=int); p.add_argument("--v", action="store_true")
a = p.parse_args(); print(a.x * 2, a.v); sys.exit(a.x)
EOF
python3 cli.py 3 --v; echo $?; python3 cli.py z 2>&1 | tail -1; python3 cli.py 2>/dev/null; echo $?; python3 cli.py 0 | cat; python3 -c 'import cli' 2>/dev/null; echo $?
### G1
git init -q -b main .; git config user.email a@b; git config user.name A; git add words.txt; git commit -qm init; sed -i 1d words.txt; git diff --shortstat; git commit -qam 'edit: (!x)'; git log --format='%s|%an' ; git show --name-only --format=%s; git diff HEAD~1 --name-status; git revert --no-edit HEAD >/dev/null; git log --oneline | wc -l
### G2
git init -q -b main .; git config user.email a@b; git config user.name A; git add -A; git commit -qm a; git checkout -q -b f; git mv words.txt w.txt; git rm -q numbers.txt; git status -s; git commit -qm mv; git diff --stat main f | tail -1; git checkout -q main; git merge -q f; ls *.txt; git branch --merged | tr -d ' *'; git log -1 --format=%P | wc -w
### G3
git init -q -b main .; git config user.email a@b; git config user.name A; echo 1 > a; git add a; git commit -qm 1; echo 2 >> a; git stash -q; cat a; git stash pop -q; cat a; git checkout -q -- a; cat a; echo x > b; git add b; git reset -q; git status --short b; git tag t; git rev-parse --abbrev-ref HEAD; git ls-tree --name-only HEAD; git cat-file -t HEAD
### L1
v=path/to/file.tar.gz; echo ${v%%/*} ${v##*.} ${v/to/TO} ${v//[aeiou]/} ${v:5:2} ${v^^} ${#v}; set -- a b c; echo ${@:2} $# ${*/b/B} "${@^}"; unset z; echo ${z:=5}$z ${z:+alt}
### L2
arr=(5 3 9 1); max=${arr[0]}; for n in "${arr[@]}"; do ((n > max)) && max=$n; done; echo $max; IFS=$'\n' sorted=($(sort -n <<< "${arr[*]}")); unset IFS; echo "${sorted[@]}"; arr=("${arr[@]:1}"); echo ${#arr[@]}; printf '%s,' "${arr[@]}"; echo; [[ " ${arr[*]} " == *" 9 "* ]] && echo has
### L3
f() { local x=$1; ((x <= 1)) && { echo 1; return; }; echo $((x * $(f $((x-1))))); }; f 6; g() { local -n ref=$1; ref+=(new); }; a=(old); g a; echo "${a[@]}"; h() { echo "${1:?need arg}"; }; (h) 2>/dev/null; echo $?; k() { printf '%s\n' "$FUNCNAME" "${#}"; }; k 1 2
### L4
set -euo pipefail; x=$(echo ok); echo $x; y=${UNSET:-dflt}; echo $y; if ! grep -q zzz words.txt; then echo none; fi; n=0; ((n++)) || true; echo $n; cat words.txt | head -1; false || echo caught; z=$(false) || echo sub; echo "$(exit 3)" && echo still; ls nope 2>/dev/null; echo never
### L5
echo $((10 % 3 ** 2)) $((-5 / 2)) $((1 ? 2 : 3)) $((x = 5, x * 2)) $((0b1 + 1)) 2>/dev/null; echo $((0xff & 0x0f)) $((1 << 10)) $((~5 & 7)) $((3 > 2 && 2 > 1)); printf '%d\n' $((016)) "$((36#zz))"; let "a = 3 ** 2" ; echo $a; echo $(( a++ + ++a )) $a
### L6
shopt -s extglob nullglob; ls -d !(src|*.txt); for f in *.md; do echo $f; done; echo *.@(csv|json); x='  trim  '; x=${x##+([[:space:]])}; echo "[${x%%+([[:space:]])}]"; shopt -u nullglob; echo *.md; [[ foo.txt == *.@(txt|md) ]] && echo ext
### L7
set -x; v='a b'; echo "$v" >/dev/null; [[ -n $v ]] && (( 1 + 1 )); case $v in a*) : ;; esac; for i in "$v"; do true "$i"; done; set +x; echo done; bash -c 'nosuch; echo $((1/0)); cd /nope; echo "${q?msg}"' 2>&1
### L8
exec 5>&1; r=$(echo cap; echo direct >&5); echo "r=$r"; exec 5>&-; { read -r a; read -r b; } < <(printf '1\n2\n'); echo $a$b; diff <(sort words.txt) <(sort -u words.txt) > /dev/null || echo differ; paste <(seq 2) <(printf 'a\nb\n'); mapfile -t l < <(seq 3); echo ${l[@]: -1}
### L9
getopt_() { while [[ $# -gt 0 ]]; do case "$1" in -f|--file) f=$2; shift 2;; --x=*) x=${1#*=}; shift;; -v) ((v++)); shift;; *) rest+=("$1"); shift;; esac; done; echo "$f $x $v ${rest[*]}"; }; v=0 getopt_ -v --file a b --x=1=2 -v 'c d'; while getopts 'a:b' o -a 1 -b; do echo $o $OPTARG; done
### L10
time_() { local s=$SECONDS; "$@"; echo $((SECONDS - s < 2)); }; time_ true; printf -v pad '%*s' 5 ''; echo "[${pad// /-}]"; echo {1..3}{a,b} {z..x} {05..07}; echo "${BASH_VERSINFO[0]}" ${BASH_VERSION%%.*}; type -t cd ls if f_; compgen -A function | head -1; command -v nope || echo no; hash -d nope 2>/dev/null; echo $?
### L11
while IFS= read -r line || [[ $line ]]; do [[ $line =~ ^([a-z]+)\ *=\ *(.*)$ ]] && declare "cfg_${BASH_REMATCH[1]}=${BASH_REMATCH[2]}"; done < config.ini; echo $cfg_host $cfg_port; compgen -v cfg_ | head -2; for v in ${!cfg_@}; do echo "$v=${!v}"; done | head -1; unset "${!cfg_@}"; echo "${cfg_host-gone}"
### S1
log() { printf '%s [%s] %s\n' "$(date -u -d @0 +%FT%TZ)" "$1" "${*:2}"; }; run() { "$@" > out.log 2>&1 && log ok "$*" || { log fail "$*: $?"; tail -1 out.log | sed 's/.*: //'; }; }; run ls words.txt; run ls nope; run grep -q zzz words.txt
### S2
cat > build.sh <<'EOF'
#!/bin/bash
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND" >&2' ERR
cd "$(dirname "$0")"
mkdir -p out; for f in src/*.py; do install -m 644 "$f" "out/$(basename "${f%.py}").bak"; done
ls out | paste -sd' '
[[ ${1:-} == fail ]] && grep -q zzz words.txt
echo built
EOF
bash build.sh || true; bash build.sh fail; echo $?; bash -n build.sh && echo syntax; bash -x build.sh 2>&1 | grep -c '^+'
### S3
printf '%s\n' '# Title' '' 'text `code` *b*' '- [ ] todo' > a.md; sed -nE 's/^# (.*)/<h1>\1<\/h1>/p' a.md; awk '/^- \[ \]/{n++} END{print n}' a.md; grep -n '`' a.md; python3 -c 'import re; print(re.sub(r"`(.*?)`", r"<c>\1</c>", open("a.md").read().splitlines()[2]))'; tr -cd '[:alnum:]\n' < a.md | grep -c .
### S4
mkdir -p p/{src,test}/{a,b}; touch p/src/a/{1..3}.js p/test/b/x.test.js; find p -name '*.js' | sort | sed 's|^p/||' | xargs -n1 dirname | sort | uniq -c; for f in p/src/a/*.js; do mv "$f" "${f%.js}.ts"; done; ls p/src/a; du -a p 2>/dev/null | wc -l; find p -type d -empty | sort; rm -r p && [ ! -e p ] && echo gone
### S5
ps aux | head -1 | awk '{print $1, $2, $NF}'; id -u | grep -c '^[0-9]*$'; uname -s; hostname | wc -l; nproc | grep -c '[0-9]'; which bash sh | wc -l; echo $SHELL | grep -c sh; df -h / | wc -l; free | head -2 | wc -l; env | grep -c '^PATH='; ulimit -c; pwd | grep -c case; tty; groups | wc -l
### S6
curl -s http://127.0.0.1:9/ ; echo $?; curl -sf file:///nope 2>/dev/null; echo $?; node -v | cut -c1; npm --version >/dev/null 2>&1; python3 -m http.server --help | head -1 | cut -c1-6; pip --version | cut -d' ' -f1; git --version | cut -d' ' -f1-2; jq --version | cut -c1-3; make --version | head -1 | cut -c1-3; sqlite3 -version | cut -c1-1; tar --version | head -1 | cut -d' ' -f1
### S7
printf 'all: a b\n\t@echo done $(words $^)\na b:\n\t@touch $@; echo mk $@\nclean:\n\trm -f a b\n' > Makefile; make; make; make clean; make -n a; make nope 2>&1; echo $?; V=1; printf 'X ?= d\nshow:\n\t@echo $(X) $(shell echo sh) $$HOME\n' > m2; make -sf m2 show; X=env make -sf m2 show; make -sf m2 show X=cli
