### R1
cat > main.c <<'EOF'
#include <stdio.h>
int main(void) { int a[3] = {1,2,3}; if ((!a[0] || a[1]) && !(a[2] == 3)) { return 1; } printf("%d\n", a[0] << 2); return 0; }
EOF
cat main.c; wc -c main.c
### R2
cat <<'JS' > app.js
const f = (a) => !!(a ?? (() => { return `${a}` })());
if ((!(f(0)) && f('x')) || !f) { console.log(/!\(.*\)$/.test("!(x)")); }
let { a, ...rest } = { a: 1, b: 2 }; // select x in y; do done
JS
md5sum app.js; tail -1 app.js
### R3
python3 - <<'PY'
d = {"a": [1, 2], 'b': "it's $HOME `x` \\ \" !("}
for k, v in d.items(): print(f"{k!r:>5} -> {v}")
print("((!x)) coproc", '{ ((cout << 1)) ; }', "\t|")
PY
### R4
cat <<SQL
SELECT name, count(*) AS "n(!)" FROM t WHERE a <> 'it''s' AND b LIKE '%\_x' ESCAPE '\\' GROUP BY name HAVING n > $((2*3));
-- ${HOME} $(echo sub) \$notvar \`tick\`
SQL
### R5
cat > docker-compose.yml <<EOF
version: "3.9"
services:
  web: {image: "nginx:${TAG:-latest}", ports: ["8080:80"]}
  db:
    environment: &env
      - PASS=\${DB_PASS:?err}
      - "X=<<: *env"
EOF
cat docker-compose.yml
### R6
cat <<'EOF' > Dockerfile
FROM node:20-alpine AS build
RUN set -eux; \
    if [ ! -f package.json ]; then echo "no" >&2; exit 1; fi && \
    npm ci || (echo "!fail" && false)
CMD ["sh", "-c", "exec node ${APP:-server.js} \"$@\"", "--"]
EOF
grep -n '' Dockerfile
### R7
cat <<-'EOF'
	tabbed line
		two tabs $x
	  tab and spaces
	EOF
echo after
### R8
cat <<A; cat <<'B'; cat <<-C
a $((1+1))
A
b $((1+1))
B
	c ${x:-d}
	C
### R9
x=$(cat <<'EOF'
unbalanced ) paren ( and ' quote " here
case x in
EOF
)
echo "$x"
### R10
while read -r k v; do echo "[$k]=[$v]"; done <<EOF
a 1 2
b	tab\there
  lead trail  
EOF
### R11
f() { cat <<EOF
arg: $1 ${2:-none} \
joined
EOF
}
f one; f "two words" 'th"ree'
### R12
cat <<"E O F"
text $HOME
E O F
### R13
cat <<EOF | sed 's/^/> /' | tee out.txt | wc -l
one
two ((! three

EOF
cat out.txt
### R14
bash <<'EOF'
set -euo pipefail
arr=(a "b c" d)
for i in "${!arr[@]}"; do printf '%s=%s\n' "$i" "${arr[$i]}"; done
(( ${#arr[@]} == 3 )) && echo three
EOF
### R15
cat << 'EOF' > t.sh
#!/bin/sh
# comment with `backtick and 'quote
echo "${1-unset}" '<<NOT' "a" # <<END
test ! -e nothing && ! false && echo neg
EOF
sh t.sh; sh t.sh v
### R16
cat <<EOF
\a \\ \$ \" ' " `echo tick` $'no' $"no" ${x:-"q"} ${x:-'q'}
EOF
### R17
cat <<'EOF'
#!/usr/bin/env python3
if __name__ == "__main__" and not (1 and (not 0)): pass
	mixed	tabs
trailing space 
no newline next
EOF
### R18
cat <<END
$(for i in 1 2 3; do echo "row $i"; done)
$(cat <<IN
inner $((3**2))
IN
)
END
### R19
cat > m.json <<'EOF'
{"scripts": {"build": "tsc && (cd x; !(y))", "re": "^\\d+\\.(?!x)$"}, "n": 1e3}
EOF
jq -r '.scripts.re, .n' m.json; python3 -m json.tool m.json
### R20
cat <<EOF > .env
A=1
B="two words"
C='single $A'
export D=$((40+2))
EOF
set -a; . ./.env; set +a; env | grep -E '^[ABCD]=' | sort
### R21
cat <<'EOF' >> log; cat <<'EOF' >> log; cat log
first
EOF
second
EOF
### R22
cat <<\EOF
back$slash `x`
EOF
### R23
ssh() { cat; }; ssh host <<'EOSSH'
cd /srv && { ls || true; } ; for f in *.gz; do zcat "$f" | grep -c '!(err)'; done
EOSSH
### R24
cat <<'EOF' | python3
import sys
print(sum(int(x) for x in "1 2 3".split()))
EOF
### R25
cat <<X
a\
b \\
c
X
echo rc=$?
### R26
if true; then cat <<EOF
in if
EOF
else echo no; fi; for i in 1 2; do cat <<EOF
loop $i
EOF
done
### R27
cat <<'EOF' > Makefile
all: a.txt
	@echo $(shell echo hi) $@ $< $$PWD_X
a.txt:
	@echo "data $$((1+2))" > $@
EOF
make -s; cat a.txt
### R28
sed 's/a/b/' <<< 'a (! b'; cat <<< "$(printf 'x\n\n')"; cat <<< '  two  spaces '
### R29
cat <<EOF
${v:=assigned} ${v} ${#v} ${v^^} ${v/s/S} ${v:2:3}
EOF
echo $v
### R30
cat > s.sql <<'EOF'
create table t(a int, b text); insert into t values (1,'x;y'),(2,'(!)'),(3,null);
select a, coalesce(b,'-') from t order by a desc;
EOF
sqlite3 :memory: < s.sql
### R31
cat <<'EOF' > a.tsx
export const A: React.FC<{x?: number}> = ({x = 1}) => <div onClick={() => !x && alert(`n${x}`)}>{x! + 1}</div>;
type T = Array<Record<string, (a: number) => void>>; for (const i of [1]) {}
EOF
wc a.tsx; grep -o 'x!' a.tsx
### R32
eval "$(cat <<'EOF'
g() { echo "g $*"; }
EOF
)"; g 1 2
### R33
cat <<EOF; echo "same line"
doc
EOF
echo next
### R34
cat 3<<EOF <&3
via three
EOF
### R35
{ cat; echo --; cat <<EOF; } <<EOF2
inner
EOF
outer
EOF2
### W1
for a in if=1 then done x=y; do printf '<%s>' $a; done; echo
### W2
echo time function select coproc if fi case esac ! { } [[ ]] in do done
### W3
case if in if) echo kw;; esac; case in in in) echo in;; esac; case "{" in {) echo brace;; esac
### W4
dd=1 for=2 echo ok; env A=b C=d printenv A C; echo x=1 y="a b"
### W5
grep -c 'x=' <<< x=1; cat <<< a=b; tr = : <<< k=v; cut -d= -f2 <<< name=val=more
### W6
declare -A m=([a=b]=1 ["c d"]=2 [e]=x=y); echo "${m[a=b]} ${m[c d]} ${m[e]}"
### W7
a=(x=1 'y z'=2 [5]=five k=); declare -p a
### W8
export P=/usr/bin:/bin Q='a=b' R; echo $Q; declare -x | grep -E '^declare -x (Q|R)'
### W9
f() { local a=1 b="$1" c; c=$a$b; echo $c; }; f if; f =; f 'a=b'
### W10
[ a = a ] && [ ! = ! ] && [ = = = ] && echo ok; test ! ; echo $?; [ -n = ] && echo n
### W11
[[ a=b == a=* ]] && echo m; [[ -n in && ! ( x == y ) ]] && echo in; [[ do < done ]] && echo lt
### W12
echo a#b #c; echo \#d '#e' "f#"; echo ${#} $#; echo $((16#ff)) $((2#101)) 
### W13
if [ -d src ] ; then echo d ; elif false; then :; else echo e; fi; while false; do :; done; until true; do :; done; echo $?
### W14
echo {a,b}{1..3} {x} {} {a,} {1..10..4} {c..a} a{b,c}d{e,f} "{a,b}" {01..03} {-1..1}
### W15
! true; echo $?; ! false && echo neg; ! ! true; echo $?
### W16
function dash-name { echo $FUNCNAME; }; dash-name; x.y() { echo dot; }; x.y; +() { :; }; echo $?
### W17
for ((i=0, j=10; i<j; i+=3, j--)); do echo $i $j; done; for ((;;)); do break; done
### W18
time_x=1; timeit() { "$@"; }; timeit echo hi; alias ll='ls -l'; alias ll; unalias ll; alias ll; echo $?
### W19
select_=1; in=2; do=3; echo $select_ $in $do; in() { echo fn; }; in
### W20
echo "a"'b'c$'\x64'$"e"; echo a\ b "c\d\$\`\"" 'e\f'; echo $'tab\tq\'u\u00e9\101'
### W21
x='a b'; set -- $x "$x" ${x}y; echo $#; for i; do echo "$i"; done
### W22
v=if; $v 2>/dev/null; echo $?; \echo esc; 'echo' q; e\cho m; "ec"ho n
### W23
{ echo a; echo b; } | { read x; read y; echo $y$x; }; (cd /tmp; pwd); { :; }; echo {;}
### W24
a=1 b=$a c=$(echo $b) ; echo $a $b $c; A=x bash -c 'echo $A'; echo ${A-unset}
### W25
[[ "x-y" =~ ^([a-z])-([a-z])$ ]] && echo "${BASH_REMATCH[@]}"; re='a|b c'; [[ "b c" =~ $re ]] && echo yes; [[ 'a.b' =~ a\.b ]] && echo dot
### W26
case "abc" in a?c|x) echo 1;;& [[:alpha:]]*) echo 2;& zzz) echo 3;; *) echo 4;; esac
### W27
echo $((1<2)) $((1<<3)) $((5>3?10:20)) $((x=3, x++ + ++x)) $((~0)) $((!0)) $((7%3)) $((-7/2)) $((2**10))
### W28
let 'a=1+2' b=a*2; echo $a $b; ((a+=b, a>5)) && echo big; echo $(( a > 5 && b < 3 || 1 ))
### W29
if ! grep -q nothing words.txt; then echo "not there"; fi; grep -q apple words.txt && echo there || echo no
### W30
echo a;echo b&&echo c||echo d; echo e & wait; (echo f) ; { echo g;}
### X1
seq 20 | head -n -17; seq 20 | tail -n +19; seq 5 | head -c 3; seq 100 | tail -c 4
### X2
seq 1 3 10 | paste -sd+ | tee /dev/stderr 2>/dev/null | bc
### X3
printf 'b 2\na 10\nc 1\na 9\n' | sort -k1,1 -k2,2n; printf '10\n9\n1.5\n' | sort -g | tr '\n' ' '; printf 'v1.10\nv1.9\n' | sort -V
### X4
printf '3K\n2M\n100\n' | sort -h; sort -u words.txt; sort -r -t, -k3 people.csv | head -2; sort -c numbers.txt; echo $?
### X5
cut -d, -f1,3- people.csv | column -s, -t; cut -c2-4 words.txt | head -3; cut -d, -f2 --complement people.csv | head -2
### X6
tr 'a-z' 'A-Z' < words.txt | sort | uniq -c | sort -rn; tr -s ' ' <<< 'a   b'; tr -d '[:digit:]' <<< a1b2; tr -c 'a-z\n' _ <<< 'a-B c'
### X7
expr 7 + 3 \* 2; expr length hello; expr substr hello 2 3; expr index hello l; expr abc : 'a\(.\)c'; expr 1 = 2; echo $?
### X8
basename /a/b/c.tar.gz .gz; basename -a x/y.c z.c -s .c; dirname /a/b/c d ./e/f; basename /; dirname ///
### X9
date -u -d '2024-02-29 12:34:56' '+%Y/%m/%d %H:%M:%S %j %U %u %a %b %s %%'; date -u -d '2024-01-31 +1 month' +%F; date -u -d @86400 +%c
### X10
wc -l words.txt numbers.txt; wc -w < notes.txt; wc -L notes.txt; wc -cm people.csv; printf 'no newline' | wc
### X11
nl -ba notes.txt | head -4; nl -s': ' -w3 words.txt | head -2; cat -A notes.txt | tail -3; cat -n words.txt | tail -1; tac numbers.txt | head -2
### X12
paste words.txt numbers.txt | head -3; paste -d, - - < numbers.txt; paste -s -d' ' numbers.txt
### X13
comm -12 <(sort words.txt) <(printf 'apple\nfig\n'); comm -3 <(printf 'a\nb\n') <(printf 'b\nc\n'); join -t, -1 1 -2 1 <(printf 'a,1\nb,2\n') <(printf 'a,x\nc,y\n')
### X14
diff <(seq 3) <(printf '1\n2\n4\n'); echo $?; diff -u --label a --label b <(seq 2) <(seq 3); diff -q words.txt words.txt && echo same
### X15
sed -n '2,4p;5q' words.txt; sed -e 's/\(a\)\(p\)/\2\1/g' -e '/fig/d' words.txt; sed '$!N;s/\n/ /' numbers.txt
### X16
sed -i.bak 's/localhost/0.0.0.0/; /^#/d' config.ini; cat config.ini; diff config.ini config.ini.bak | head -3
### X17
sed '/\[server\]/,/^$/{s/port = .*/port = 9090/}' config.ini; sed -E 's/([a-z]+) = (.*)/\U\1\E="\2"/' config.ini | head -4
### X18
sed '1i\header' words.txt | head -2; sed '/fig/a after fig' words.txt | sed -n 3,5p; sed 's|/|\\/|g' <<< a/b; sed 'y/abc/xyz/' <<< aabbcc
### X19
grep -n TODO -r src | sort; grep -c . words.txt; grep -v '^#' config.ini | grep -v '^$'; grep -oE '[0-9]+' app.log | head -3; grep -A1 -B1 ERROR app.log
### X20
grep -P '\d{4}-\d{2}' app.log | head -1; grep -iw info app.log | wc -l; grep -l TODO src/*; grep -L TODO src/*; grep -e a -e b -c words.txt; grep -x fig words.txt
### X21
find . -name '*.txt' -not -path './src/*' | sort; find src -type f -size -1k | sort; find . -maxdepth 1 -type d; find src -name '*.py' -exec wc -l {} + | tail -1
### X22
find . -name '*.txt' -print0 | sort -z | xargs -0 -n1 basename; find src -type f | sort | xargs -I{} echo "<{}>"; echo 1 2 3 4 5 | xargs -n2 echo; printf 'a b\nc\n' | xargs -d '\n' -n1 echo
### X23
tar czf t.tgz src && tar tzf t.tgz | sort; mkdir x && tar xzf t.tgz -C x --strip-components=1 && find x -type f | sort; tar cf - words.txt | tar tf -
### X24
gzip -k words.txt && zcat words.txt.gz | head -1; gunzip -c words.txt.gz | md5sum; gzip -l words.txt.gz | tail -1 | awk '{print $2}'; rm words.txt.gz
### X25
jq -c '.users[] | select(.active) | {name, n: (.tags|length)}' data.json; jq -r '.users | map(.name) | join(", ")' data.json; jq '[.users[].id] | add' data.json; jq -e '.missing' data.json; echo $?
### X26
jq -r '.users[] | [.id, .name, (.tags|join(";"))] | @csv' data.json; jq -n --arg a 1 --argjson b '{"x":2}' '{a:$a,b:$b.x}' -c; jq -s 'length' data.json; echo '{"a":[1,{"b":null}]}' | jq -c 'paths'
### X27
printf '%s\n' 3 1 2 | jq -s 'sort' -c; jq -R 'split(" ")' -c <<< 'a b'; jq -r 'to_entries[] | "\(.key)=\(.value|type)"' data.json; jq '.users[0].tags |= map(ascii_upcase) | .users[0].tags' -c data.json
### X28
printf '%05d|%-6s|%+d|%x|%o|%e|%.2f|%c|%5.1f|%%\n' 42 ab 7 255 8 12345.678 3.14159 xyz 2.25; printf '%s-%s\n' a b c; printf '%q %q\n' "a b" '$x'
### X29
printf '%d\n' 0x1f 010 "'A"; printf '%s\n' "${PATH:0:4}"; printf '%(%Y)T\n' 0; printf -v out '%03d' 7; echo $out; printf '%b\n' 'a\tb\\n'; printf '%.3s|\n' abcdef
### X30
xxd <<< hello; xxd -p <<< hi; echo 6869 | xxd -r -p; echo; od -c <<< 'a b'; od -An -tx1 <<< hi; hexdump -C <<< 'xyz'
### X31
base64 <<< 'hello world'; base64 -d <<< aGVsbG8=; echo; echo -n x | sha256sum; md5sum words.txt | md5sum; echo abc | sha1sum | cut -c1-8; cksum < /dev/null
### X32
split -l 3 words.txt part_; ls part_*; wc -l part_* | tail -1; cat part_* | cmp - words.txt && echo equal; split -b 10 -d numbers.txt n; ls n0*
### X33
seq 10 | shuf --random-source=/dev/zero | wc -l; seq -w 8 11; seq -s, 1 0.5 3; seq 3 -1 1 | tr '\n' ' '; seq -f 'f%02g' 2
### X34
fold -w 10 <<< 'the quick brown fox'; fold -sw 10 <<< 'the quick brown fox'; fmt -w 20 <<< 'the quick brown fox jumps over the lazy dog'; rev <<< abc; expand -t4 <<< $'a\tb'
### X35
ls -1; ls -d */; ls -1 src | head -2; ls nothing 2>&1 | sed 's/.*: //'; ls -A | wc -l; ls -1S *.txt | head -1; ls -p | grep /
### X36
touch -d '2020-01-02 03:04:05 UTC' f; stat -c '%n %s %a %F %Y' f; date -u -r f +%F; chmod 640 f; stat -c %A f; ln -s f l; readlink l; stat -c %N l; [ -L l ] && echo link
### X37
cp -r src copy && rm -rf copy/deep && ls copy; mv copy moved; mkdir -p a/b/c && rmdir a/b/c && ls a; cp words.txt{,.bak}; ls words*; rm -v words.txt.bak; rm -f nothing; echo $?
### X38
du -s --apparent-size -b words.txt | cut -f1; truncate -s 100 t; stat -c %s t; realpath --relative-to=src words.txt; realpath src/../src/deep | sed "s|$PWD/||"; mktemp -u /tmp/xXXXXXX | wc -c; install -m 755 words.txt bin.sh; stat -c %a bin.sh
### X39
bc <<< 'scale=3; 10/3'; bc -l <<< 's(0)+e(1)' | cut -c1-6; bc <<< '2^100'; echo 'obase=16; 255' | bc; echo 'ibase=2; 1010' | bc; bc <<< '5 > 3'
### X40
column -t <<< $'a bb ccc\ndddd e f'; numfmt --to=iec 1048576 2000; numfmt --from=si 1K; factor 84; tsort <<< $'a b\nb c'
### X41
env -i A=1 sh -c 'echo $A ${HOME-none}'; env -u HOME sh -c 'echo ${HOME-unset}'; printenv NOPE; echo $?; which sh >/dev/null && echo yes; command -v cd; type -t if ls cd
### X42
timeout 0.2 sleep 5; echo $?; timeout 5 echo fast; sleep 0.01; yes | head -3; yes no | sed 2q; true | false | true; echo ${PIPESTATUS[@]}
### X43
zip -q z.zip words.txt numbers.txt && unzip -l z.zip | tail -1 | awk '{print $2}'; unzip -p z.zip numbers.txt | head -1; mkdir o; unzip -qo z.zip -d o; ls o
### X44
python3 -c 'print("a,b\n1,2")' > c.csv; sqlite3 :memory: -cmd '.mode csv' '.import c.csv t' 'select b from t'; sqlite3 d.db 'create table t(x); insert into t values(1),(2)'; sqlite3 -header -column d.db 'select count(*) n, sum(x) s from t'
### X45
patch --version >/dev/null; cp words.txt w2; sed -i s/fig/kiwi/ w2; diff -u words.txt w2 > p.diff; patch words.txt < p.diff; cmp words.txt w2 && echo patched; patch -R words.txt < p.diff
### X46
cat words.txt - numbers.txt <<< middle | sed -n 8,10p; cat nothing words.txt 2>/dev/null | wc -l; cat < words.txt > w3; cat w3 | cat | cat | head -1; cat -s <<< $'a\n\n\nb'
### X47
file words.txt data.json src | sed 's/  */ /g'; file -b --mime-type words.txt src/main.py; file - <<< hi
### X48
tee a.txt b.txt <<< hi >/dev/null; cat a.txt b.txt; echo more | tee -a a.txt; wc -l < a.txt; uniq -d words.txt; sort words.txt | uniq -u; uniq -i <<< $'a\nA\nb'; uniq -f1 <<< $'1 a\n2 a'
### X49
envsubst '$A' <<< '$A $B' ; A=1 envsubst <<< '${A}-$A'; strings -n 4 <<< $'ab\x01abcd\x02efghi'; cmp <(echo abc) <(echo abd); echo $?; csplit -s words.txt 3 && wc -l xx0*
### X50
test -e words.txt -a -s words.txt && echo both; [ -z "" ] && [ words.txt -nt nothing ] && echo nt; test 5 -gt 3; echo $?; [ 1 -eq 1 -o 2 -eq 3 ]; echo $?; [ abc \< abd ] && echo lt; [ x ]; echo $?; [ ]; echo $?
### K1
awk -F, 'NR>1 {s[$2]+=$4; n[$2]++} END {for (c in s) printf "%s %.1f\n", c, s[c]/n[c]}' people.csv | sort
### K2
awk '{print NR": "$0; w+=NF} END {print w}' notes.txt; awk 'END{print NR}' words.txt; awk '!seen[$0]++' words.txt
### K3
awk 'BEGIN{x=1e6; y=0.1+0.2; print x, y, 1/3, 100000*100000, 2^53+1; printf "%d %i %5.2f|%-5s|%05d\n", 3.9, "12abc", 3.14159, "ab", 42}'
### K4
awk -v n=3 'NR%n==0' words.txt; awk -v s='a\tb' 'BEGIN{print s}'; awk 'BEGIN{print ENVIRON["USER"], ARGC, ARGV[1]}' x
### K5
awk 'BEGIN{FS=":"; OFS="-"} {$2="X"; print; $5="e"; print NF, $0}' <<< 'a:b:c'
### K6
awk '{gsub(/a/, "[&]"); print} /fig/{next} {n=gsub("p","\\&")} END{print n}' words.txt | tail -4
### K7
awk 'BEGIN{s="hello world"; print length(s), substr(s,5,3), substr(s,-1,3), index(s,"wor"), toupper(s), match(s,/o w/), RSTART, RLENGTH; n=split("a:b:c",p,":"); print n, p[3]}'
### K8
awk 'BEGIN{while (("echo a; echo b" | getline line) > 0) print "got", line; close("echo a"); "date -u -d @0 +%Y" | getline y; print y}'
### K9
awk '{print > ("out_" NR % 2 ".txt")} END {close("out_0.txt"); while ((getline l < "out_0.txt") > 0) print l}' numbers.txt
### K10
awk 'BEGIN{printf "%s\n", "z" | "sort"; print "a" | "sort"; close("sort"); print "end"}'; awk 'BEGIN{r=system("exit 3"); print r}'
### K11
awk '/server/,/^$/' config.ini; awk 'NR==2,NR==4{print $1}' words.txt; awk '$1 ~ /^a/ && NR>1 || /fig/' words.txt
### K12
awk 'function f(n) {return n<2?1:n*f(n-1)} function g(a, i) {a["x"]=5; i=9} BEGIN{print f(10); g(z); print z["x"], i}'
### K13
awk 'BEGIN{a["x"]=1; a["y",2]=3; if (("y",2) in a) print "in"; for (k in a) {split(k,p,SUBSEP); print p[1]}; delete a["x"]; print length(a)}' | sort
### K14
awk 'BEGIN{RS=""; FS="\n"} {print NR, NF, $1}' notes.txt; awk 'BEGIN{RS=";"} {print NR":"$0}' <<< 'a;b;c'; awk -F'[ :]+' '{print $2}' <<< 'a: b:c'
### K15
awk '{ if ($1 > max || NR==1) max=$1; sum+=$1 } END { print max, sum, sum/NR; exit 3 }' numbers.txt; echo $?
### K16
echo '10 9 abc 1e2 0x10' | awk '{print ($1>$2), ($1>"9"), ($3>$1), $4+0, $5+0, -$1, !$3, $1 $2, $1-$2 "x"}'
### K17
awk 'BEGIN{i=5; do {i--; if (i==3) continue; printf "%d ", i} while (i>0); print ""; for(;;){if(++j>3)break}; print j; print 1==1.0, "a"<"b", 2<10, "2"<"10"}'
### K18
awk 'BEGIN { printf "%c%c%c|%5s|%-5s|%.2s|%%|%e|%g|%G\n", 65, "hello", 0x42, "r", "l", "trunc", 12345.6789, 0.0001, 1e-10 }'
### K19
awk -f /dev/stdin words.txt <<'EOF'
# a program
BEGIN { print "start" }
length($0) > 4 { print FILENAME, FNR, $0 }
EOF
### K20
awk 'NR==FNR{a[$1]=NR;next} ($1 in a){print $1, a[$1], FNR}' words.txt <(printf 'fig\nkiwi\npear\n')
### K21
ls -1 | awk -F. 'NF>1{e[$NF]++} END{for(x in e) print e[x], x}' | sort -k1,1nr -k2
### K22
awk '{$1=$1};1' <<< '  a   b  '; awk '{print $NF, $(NF-1)}' <<< 'a b c'; awk '{NF=2; print}' <<< 'a b c'; awk 'NF' <<< $'a\n\nb'; awk '{$3=""; print}' <<< 'a b c d'
### K23
awk 'BEGIN{print substr("hello",2), substr("hello",0,3), substr("hello",10), index("","a"), length(), tolower("ÀB")}' < /dev/null
### K24
awk 'BEGIN{print -3%2, 7%-3, int(-3.7), int("3x"), sqrt(16), exp(0), log(1), atan2(0,-1), sin(0), cos(0); srand(1); x=rand(); print (x>=0 && x<1)}'
### K25
awk 'BEGIN { "pwd" | getline d; print (d == ENVIRON["PWD"]); print toupper(substr("abc", 1, 1)) substr("abc", 2) }'
### K26
awk '{a[NR]=$0} END{for(i=NR;i>0;i--) print a[i]}' numbers.txt | head -3; awk 'BEGIN{getline; print "first", $0; getline x; print x, NR}' words.txt
### K27
awk 'BEGIN{x["a"]; if ("a" in x) print "yes"; if (!("b" in x)) print "no"; print length(x); y = x["c"] == 0 && x["c"] == ""; print y}'
### K28
printf 'k1=v1;k2=v2\n' | awk -F'[=;]' '{for(i=1;i<=NF;i+=2) print $i " -> " $(i+1)}'; awk -F'\t' '{print $2}' <<< $'a\tb c\td'; awk -F '|' '{print $2}' <<< 'a|b|c'
### K29
awk 'BEGIN{print "a" > "/dev/stderr"; print "b"}' 2>/dev/null; awk 'BEGIN { if (!("x" ~ /y/)) print "nomatch"; print "a.b" ~ "a\\.b", "axb" ~ /a\.b/, "a+b" ~ /a[+]b/ }'
### K30
awk 'BEGIN{exit} END{print "end runs"}'; awk '{nextfile} END{print NR}' words.txt numbers.txt; awk 'BEGIN{print length("a\\b\"c/"), "tab\there"}'; awk '1;{print "-"}' <<< x; awk 'BEGIN{print 1,2 > "f"; close("f"); getline z < "f"; print z}'
### E1
printf '\xef\xbb\xbfid,name\n1,x\n' > bom.csv; head -1 bom.csv | xxd -p; sed '1s/^\xef\xbb\xbf//' bom.csv | head -1 | xxd -p; wc -m bom.csv; cut -d, -f1 bom.csv | xxd -p
### E2
printf 'na\xefve\n' > l1; iconv -f latin1 -t utf-8 l1 2>/dev/null | cat; sort l1 | xxd -p; grep -c na l1; sed 's/n/N/' l1 | xxd -p; tr a-z A-Z < l1 | xxd -p
### E3
x='héllo wörld'; echo ${#x} ${x:1:3} ${x^^} ${x/ö/o}; echo -n "$x" | wc -c; echo -n "$x" | wc -m; cut -c1-2 <<< "$x" | xxd -p
### E4
printf '日本語\n' | rev; printf '日本語' | wc -m -c; x=日本語; echo ${x:1:1} ${#x}; printf '%5s|\n' 日; awk '{print length($0) > 0}' <<< 日本
### E5
printf 'a\0b\0c' | tr '\0' '\n'; echo; printf 'a\0b\0' | xargs -0 -n1 echo; printf 'x\0y\0' | while IFS= read -r -d '' v; do echo "<$v>"; done; printf 'b\0a\0' | sort -z | tr '\0' ' '
### E6
printf '\x00\x01\xff\xfe' > bin; od -An -tx1 bin; wc -c < bin; cp bin bin2; cmp bin bin2 && echo same; base64 bin; cat bin | md5sum; xxd bin; file -b bin
### E7
echo -e 'a\x00b' | od -c; echo -e '\u20ac\U1F600'; echo $'\u20ac' | xxd -p; printf '\u00e9\n' | xxd -p; echo -n -e '\0101\n'; printf '%b' '\0101\n'
### E8
python3 -c "import sys; sys.stdout.buffer.write(b'caf\xe9\n')" > c; xxd -p c; cat c | tr e E | xxd -p; read -r v < c; printf %s "$v" | xxd -p; echo "${#v}"
### E9
python3 -c "print('ñ', 'ñ'.encode(), len('😀'))"; python3 -c "import sys; print(sys.argv[1].encode('utf-8','surrogateescape'))" $'a\xe9'; echo 'ü' | python3 -c "import sys; print(ascii(sys.stdin.read()))"
### E10
sed 's/é/e/g' <<< 'été'; sed 's/./X/g' <<< 'é日'; grep -o '.' <<< 'aé日' | wc -l; grep 'é' <<< été; expr length 'é日'; expr 'été' : 'é\(.\)'
### E11
printf 'a\r\nb\r\n' > crlf; wc -l crlf; cat -A crlf; sed 's/\r$//' crlf | xxd -p; tr -d '\r' < crlf | wc -c; grep -c $'\r' crlf; while read -r l; do echo "[${l%$'\r'}]"; done < crlf; file crlf
### E12
x=$(printf 'a\n\n\n'); echo "[$x]"; y=$(printf 'a\0b' 2>/dev/null); echo "$y" | xxd -p; z=$(cat bin 2>/dev/null); echo "${#z}"
### E13
printf 'é\xff\n' | while read -r l; do printf %s "$l" | xxd -p; done; mapfile -t a < <(printf '\xfe\n\xff\n'); printf '%s' "${a[@]}" | xxd -p
### E14
echo 'Straße' | tr 'a-zß' 'A-ZX' | xxd -p; awk '{print toupper($0)}' <<< 'abc'; tr '[:lower:]' '[:upper:]' <<< 'abc é'; tr -d 'é' <<< 'aéb' | xxd -p
### E15
printf 'z\nä\na\nZ\n' | sort | tr '\n' ' '; printf 'z\nä\na\nZ\n' | sort -f | tr '\n' ' '; printf 'é\ne\nf\n' | sort -r | tr '\n' ' '; ls -1 | head -2; for f in *.txt; do printf '%s ' $f; done
### E16
touch 'a b' 'c"d' "e'f" $'g\nh' 'ü' '-x'; ls | cat -A; for f in [a-h]*; do printf '<%s>' "$f"; done; rm -- -x; printf '%q\n' * | grep -v txt; ls -Q | head -2
### E17
printf '%s' 'x' > nonl; cat nonl; echo; wc -l nonl; while read -r l || [ -n "$l" ]; do echo "l=$l"; done < nonl; tail -1 nonl | xxd -p; sed 's/x/y/' nonl | xxd -p; sort nonl | xxd -p; echo >> nonl; cat nonl
### E18
jq -r . <<< '"caf\u00e9 \ud83d\ude00"'; jq . <<< '"é"'; jq -a . <<< '"é😀"'; jq -r '@uri' <<< '"a b&é"'; jq -r '@base64' <<< '"é"'; jq 'length, utf8bytelength' <<< '"é日"'
### E19
fold -w 3 <<< 'ééééé' | head -2 | xxd -p; column -t <<< $'é x\nabc y'; printf '%-4s|%.1s|\n' é éa; paste -d'é' <(echo a) <(echo b) | xxd -p; nl <<< é | xxd -p
### E20
printf '\xc3\x28\n' | grep -c .; printf '\xff\n' | sed 's/./x/' | xxd -p; printf '\xffa\n' | cut -c1 | xxd -p; printf '\xffa\n' | cut -b2 | xxd -p; printf 'a\xffb' | wc -m; printf '\xff' | od -c
### E21
echo ' a b' | sed 's/ / /g' | xxd -p; LC_ALL=C wc -m <<< é; LC_ALL=C sed 's/./x/g' <<< é; LC_ALL=C sort <<< $'é\nz'; LC_ALL=C grep -c '^..$' <<< é; LC_ALL=C; x=é; echo ${#x}
### E22
printf '%s\n' "$(printf '\xe2\x82')" | xxd -p; printf '\xe2\x82' > a; printf '\xac\n' > b; cat a b; x=$(cat a)$(cat b); echo "$x ${#x}"; printf 'AB' | tr 'A' '\377' | xxd -p
### E23
git init -q . && printf 'a\xe9\n' > f && git add f && git -c user.name=a -c user.email=a@b commit -qm 'é' && git show HEAD:f | xxd -p && git log --format=%s
### E24
python3 - <<'EOF'
open('u.txt','w',encoding='utf-16').write('hi\n')
open('b.txt','wb').write(bytes(range(250,256)))
EOF
xxd -p u.txt; xxd -p b.txt; file -b u.txt; iconv -f utf-16 u.txt 2>/dev/null; head -c 2 b.txt | xxd -p; tail -c 2 b.txt | xxd -p
### E25
diff <(printf 'é\n') <(printf 'e\n'); diff <(printf 'a\xff\n') <(printf 'a\xfe\n') | xxd -p; cmp -l <(printf 'a\xff') <(printf 'b\xfe'); comm <(printf 'é\n') <(printf 'é\n') | xxd -p
### I1
echo data | sort /dev/stdin; wc -c /dev/stdin <<< abc | awk '{print $1}'; sed s/a/b/ /dev/stdin <<< a; grep -c x /dev/fd/0 <<< x; head -1 /proc/self/fd/0 <<< h
### I2
python3 -c 'import sys; print(sys.stdin.readline().strip(), sys.stdin.read().split())' < numbers.txt; python3 -c 'print(open("/dev/stdin").read(), end="")' <<< q; python3 /dev/stdin <<< 'print(6*7)'
### I3
exec 5<>rw; echo hello >&5; exec 5>&-; cat rw; exec 6< words.txt; head -c 5 <&6; read -r r <&6; echo "[$r]"; exec 6<&-; { echo x >&6; } 2>/dev/null || echo closed
### I4
cat < src; echo "rc $?"; read x < src; echo "rc $?"; wc -l src 2>/dev/null; echo "rc $?"; head src 2>/dev/null; echo "rc $?"; sort src 2>/dev/null; echo "rc $?"; grep x src 2>/dev/null; echo "rc $?"
### I5
{ read a; read b; cat; } < words.txt | head -1; (read a; echo "$a"; sed 1q) < numbers.txt; while read -r a && read -r b; do echo $a-$b; done < numbers.txt
### I6
echo err >&2 2>/dev/null; { echo out; echo err >&2; } 2>&1 >/dev/null | sed 's/^/E:/'; ls nothing words.txt 2>err >out; wc -l < err; cat out; echo both &> o; cat o; echo more &>> o; wc -l o
### I7
cat <(echo a) <(echo b) - <<< c; diff <(sort words.txt) <(sort -u words.txt) | head -2; tee >(wc -l > n) < words.txt > /dev/null; sleep 0.3; cat n; echo <(:) | sed 's/[0-9]*$/N/'
### I8
exec 3>log 4>&3; echo a >&3; echo b >&4; exec 3>&- 4>&-; cat log; echo c 3>x >&3; cat x; { echo d; } 3>&1 1>&3; echo e > f g; cat f
### I9
echo 'echo sourced $1' | . /dev/stdin arg; source <(echo 'v=5'); echo $v; bash -s a b <<< 'echo $# $2'; bash <(echo 'echo script $0' | sed 's/\$0/x/'); sh -c 'echo $0 $1' zero one
### I10
paste - - < numbers.txt | head -2; cat - < words.txt | head -1; tar cf - src 2>/dev/null | tar tf - | wc -l; echo a | cat - words.txt | head -2; diff - words.txt < words.txt && echo same; join - <(echo 'a 2') <<< 'a 1'
### I11
set -C; echo a > nc; echo b > nc; echo "rc $?"; echo c >| nc; cat nc; set +C; : > nc; wc -c < nc; > empty; ls -s empty | cut -d' ' -f1; echo x >> new; cat new
### I12
python3 -c 'import os; os.write(1, b"raw\n"); os.write(2, b"e\n"); print(os.read(0, 3))' <<< abcdef 2>/dev/null; python3 -c 'import sys; print(sys.stdin.isatty(), sys.stdin.fileno())' < /dev/null; python3 -c 'import sys; [print(l.strip()[::-1]) for l in sys.stdin]' < words.txt | head -2
### I13
mapfile -t a < words.txt; echo ${#a[@]} ${a[-1]}; readarray -n 2 -s 1 b < words.txt; printf '%s' "${b[@]}"; mapfile -d , c <<< 'x,y'; echo ${#c[@]}; IFS=, read -ra d <<< 'a,b,,c'; echo ${#d[@]} ${d[3]}
### I14
read -r -n 3 x <<< abcdef; echo $x; read -d ';' y <<< 'a b;c'; echo "$y"; read -t 0 z; echo $?; IFS=: read -r u p rest <<< 'root:x:0:0'; echo $u $p $rest; read -r v < /dev/null; echo $?
### I15
cp /dev/stdin copied <<< text; cat copied; cp /dev/null emptied; wc -c < emptied; cat /dev/null; echo x > /dev/null; dd if=/dev/zero bs=4 count=1 2>/dev/null | xxd -p; head -c 3 /dev/zero | xxd -p; head -c 8 /dev/urandom | wc -c
### I16
node -e 'console.log(require("fs").readFileSync(0,"utf8").trim())' <<< fromnode; node -e 'process.stdin.on("data",d=>process.stdout.write(d))' <<< piped; echo 'console.log(1+1)' | node; node -p '[1,2,3].map(x=>x*2)'
### I17
exec 7< <(seq 3); while read -u 7 n; do echo n$n; done; exec 7<&-; coproc C { sed -u 's/^/c:/'; }; echo hi >&"${C[1]}"; read -r l <&"${C[0]}"; echo $l; kill $C_PID; wait $C_PID 2>/dev/null; echo done
### I18
{ echo a; exec 1>&2; echo b; } 2>/dev/null; f() { echo in; } > ff; f; cat ff; for i in 1 2; do echo $i; done > loop; cat loop; if true; then echo t; fi >> loop; tail -1 loop; (echo sub; exit 3) > s; echo $?; cat s
### I19
echo '{"a":1}' | jq .a /dev/stdin; md5sum /dev/stdin <<< x; md5sum - <<< x | cut -d' ' -f3; xxd /dev/stdin <<< x; cat /dev/fd/3 3<<< three; base64 /dev/stdin <<< y; cut -c1 /dev/stdin <<< zz; awk '{print "k" $0}' /dev/stdin <<< v
### I20
cat nothing; cat < nothing; echo "rc $?"; . ./nothing; echo "rc $?"; bash nothing 2>/dev/null; echo "rc $?"; ./nothing 2>/dev/null; echo "rc $?"; nosuchcmd 2>/dev/null; echo "rc $?"; src 2>/dev/null; echo "rc $?"; ./words.txt 2>/dev/null; echo "rc $?"
### J1
sleep 5 & p=$!; kill $p; wait $p; echo $?; sleep 0.05 & wait $!; echo $?; (exit 7) & wait $!; echo $?; wait; echo $?
### J2
for i in 3 1 2; do (sleep 0.$i; echo $i) & done; wait; echo all
### J3
trap 'echo got term' TERM; kill -TERM $$; echo after; trap - TERM; trap 'echo bye' EXIT; trap -p EXIT; exit 4
### J4
f() { trap 'echo cleanup' EXIT; exit 2; }; (f); echo $?; bash -c 'trap "echo int; exit 5" INT; kill -INT $$; echo no'; echo $?; trap '' HUP; kill -HUP $$; echo alive
### J5
jobs; sleep 3 & sleep 4 & jobs | sed 's/  */ /g'; kill %1 %2; wait 2>/dev/null; echo end
### J6
(sleep 9 & echo $! > p; wait) & sleep 0.1; kill -0 $(cat p) && echo alive; kill $(cat p); wait; kill -0 $(cat p) 2>/dev/null || echo gone
### J7
timeout -s KILL 0.1 sleep 3; echo $?; timeout -k 1 0.1 bash -c 'trap "" TERM; sleep 0.3; echo survived'; echo $?; timeout 1 false; echo $?; timeout nonsense 2>/dev/null; echo $?
### J8
kill -l 15 9 2; kill -l TERM; kill -s 0 $$ && echo self; kill -9 99999999 2>/dev/null; echo $?; kill 2>/dev/null; echo $?
### J9
a() { sleep 0.1; echo a; }; b() { echo b; }; a & b & wait; x=$(a & b; wait); echo $x
### J10
wait -n 2>/dev/null; echo $?; (sleep 0.05; exit 3) & (sleep 1; exit 4) & wait -n; echo $?; kill %2 2>/dev/null; wait 2>/dev/null; sleep 0.1 & disown; echo $?
### J11
bash -c 'kill -9 $$'; echo $?; bash -c 'kill -TERM $$; sleep 1'; echo $?; sh -c 'exit 300'; echo $?; bash -c 'exit -1'; echo $?; (kill -USR1 $BASHPID); echo $?
### J12
python3 -c 'import time; time.sleep(10)' & p=$!; sleep 0.3; kill $p; wait $p; echo $?; python3 -c 'import os,signal; os.kill(os.getpid(), signal.SIGTERM)'; echo $?; python3 -c 'import sys; sys.exit(9)'; echo $?
### J13
set -e; trap 'echo "err at $LINENO"' ERR; f() { false || true; }; f; echo ok; false; echo never
### J14
(trap 'echo child exit' EXIT; true); trap 'echo usr1 $?' USR1; false; kill -USR1 $$; echo then; trap; trap 'x=1' DEBUG; trap - DEBUG; echo $x
### J15
{ sleep 0.2; echo late; } & echo early; wait $!; { echo g; sleep 0.05; } | cat & wait; echo $!x | grep -c '[0-9]x'
### J16
nohup sh -c 'echo nh' > nh.out 2>/dev/null; cat nh.out; setsid sh -c 'echo sid'; nice -n 5 echo nice; time true 2>/dev/null; { time sleep 0; } 2>&1 | grep -c real; TIMEFORMAT=%R; { time :; } 2>&1 | grep -c '^0\.'
### J17
mkfifo ff 2>/dev/null && { cat ff & echo through > ff; wait; } || echo nofifo; flock lock -c 'echo locked'; (flock -n 9 && echo got) 9> l2; exec {fd}> l3; echo $((fd>=10)); exec {fd}>&-
### J18
sleep 10 & sleep 0.1; kill -STOP $! 2>/dev/null; kill -CONT $! 2>/dev/null; kill $!; wait $! 2>/dev/null; echo $?; while :; do :; done & p=$!; sleep 0.1; kill -9 $p; wait $p 2>/dev/null; echo $?
### J19
python3 - <<'EOF'
import subprocess, sys
r = subprocess.run(['sh','-c','echo out; echo err >&2; exit 3'], capture_output=True, text=True); print(r)
print(subprocess.check_output('seq 3 | wc -l', shell=True).strip())
p = subprocess.Popen(['sleep','5']); p.terminate(); print(p.wait())
try: subprocess.run(['sleep','5'], timeout=0.1)
except subprocess.TimeoutExpired as e: print('timeout', e.cmd)
EOF
### Z1
TZ=Asia/Tokyo date -d @0 '+%F %T %Z %z'; TZ=America/New_York date -d '2024-07-04 12:00' +%s; TZ=UTC0 date -d @1e9 2>/dev/null; TZ=Europe/London date -d '2024-03-31 00:59:59 +1 second' 2>/dev/null; TZ=UTC date -d 'TZ="Europe/Paris" 2024-01-01 12:00' +%T
### Z2
export TZ=Europe/Berlin; date -d '2024-10-27 02:30' '+%s %z'; date -d '2024-03-30 12:00 tomorrow' '+%F %T %:z'; python3 -c 'import time; print(time.localtime(1e9)[3], time.tzname)'; touch -d '2024-06-01 12:00' f; stat -c %y f; ls -l --time-style=full-iso f | cut -d' ' -f6-8
### Z3
date -u -d '1 Jan 2024 3 days ago' +%F; date -u -d 'last monday' +%a; date -u -d '2024-05-05 next week' +%F; date -u -d 'yesterday 12:00' +%H:%M; date -u -d '12/25/2023' +%A; date -u -d '20240102T030405' +%T 2>/dev/null; date -u -d '2024-01-02T03:04:05Z' +%s
### Z4
date -u -Iseconds -d @0; date -u -R -d @0; date -u --iso-8601=minutes -d @60; date -u -d @0 '+%-d %e %k %l %I %p %y %C %G-W%V %D %T %R %n%t|'; date -u -d @1.5 +%N; date -u -d @0 +%3N; date -ud '@1700000000' '+%x %X %h %r'
### Z5
date -d 'garbage' 2>/dev/null; echo $?; date +%Q 2>/dev/null | head -1; TZ=Nowhere/City date -d @0 '+%T %Z' 2>/dev/null; TZ='EST5EDT,M3.2.0,M11.1.0' date -d @1720000000 '+%T %Z'; TZ=':US/Pacific' date -d @0 +%Z; TZ='<+0330>-3:30' date -d @0 '+%T %Z'
### Z6
export TZ=America/Los_Angeles; printf '%(%F %T %Z)T\n' 1700000000; git init -q; GIT_AUTHOR_DATE='@1700000000 +0000' GIT_COMMITTER_DATE='@1700000000 +0100' git -c user.name=a -c user.email=a@b commit -q --allow-empty -m m; git log --format='%ad|%cI|%at|%ar' --date=iso | sed 's/|[^|]*ago//'; git log -1 --date=local --format=%cd
### Z7
python3 -c 'from datetime import datetime, timezone, timedelta as t; d=datetime(2024,2,29,tzinfo=timezone.utc); print(d.isoformat(), d+t(days=366), d.strftime("%a %j %Z"), int(d.timestamp()))'; TZ=Asia/Kolkata python3 -c 'from datetime import datetime; print(datetime.fromtimestamp(0), datetime.fromtimestamp(0).astimezone().isoformat())'
### Z8
python3 -c 'from zoneinfo import ZoneInfo; from datetime import datetime; d=datetime(2024,7,1,12,tzinfo=ZoneInfo("America/Sao_Paulo")); print(d, d.astimezone(ZoneInfo("Australia/Sydney")), d.tzname())'; TZ=Australia/Sydney python3 -c 'import time; print(time.strftime("%Z %z", time.localtime(0)), time.timezone, time.daylight)'
### Z9
jq -n '0|todate, (1700000000|gmtime|mktime), ("2024-01-02T03:04:05Z"|fromdate), (0|strftime("%A %d %B %Y"))' -c; jq -rn '1425599621|strftime("%Y-%m-%dT%H:%M:%SZ %Z")'; TZ=Asia/Tokyo jq -rn '0|strflocaltime("%H:%M %Z")'; jq -n '"10:20"|strptime("%H:%M")|.[3]'
### Z10
TZ=Asia/Tokyo node -e 'const d=new Date(0); console.log(d.getHours(), d.getTimezoneOffset(), d.toISOString(), Intl.DateTimeFormat().resolvedOptions().timeZone, d.toString())'; node -e 'console.log(new Date("2024-01-02").toJSON(), Date.UTC(2024,0,1))'
### Z11
a=$(date -u -d 2024-01-01 +%s); b=$(date -u -d 2024-03-01 +%s); echo $(( (b-a)/86400 )) days; for i in 0 1 2; do date -u -d "2024-02-28 +$i days" +%F; done; date -u -d '2024-01-01 - 1 month' +%Y-%m; date -u -d "$(date -u -d @0 -R)" +%s
### Z12
sqlite3 :memory: "select date('2024-01-31','+1 month'), strftime('%s','2024-01-01'), datetime(0,'unixepoch'), julianday('2000-01-01'), time('12:00','-30 minutes')"; TZ=Asia/Tokyo sqlite3 :memory: "select datetime(0,'unixepoch','localtime')"
### Z13
TZ=UTC-3 date -d @0 '+%T %Z %z'; TZ=XYZ4 date -d @0 '+%T %Z'; TZ= date -d @0 '+%T %Z'; TZ=Etc/GMT+5 date -d @0 '+%z %Z'; env TZ=Pacific/Auckland date -d '2024-01-01 00:00 UTC' '+%F %R %Z'; TZ=Europe/Zurich date -d '2024-06-01 12:00 EST' +%R
### Z14
touch -t 202401020304.05 a; TZ=UTC stat -c %y a | cut -c1-19; touch -r a b; [ a -nt b ] || echo same; touch -d '1 hour ago' c; [ c -ot a ] || echo newer; find . -newermt '2024-01-01' -name '[ab]' | sort; find . -maxdepth 1 -name 'a' -printf '%TY-%Tm-%Td %p\n'
### Z15
date -u -d '2024-W05-1' 2>/dev/null; echo $?; date -u -d '1970-01-01 00:00:00 UTC + 1700000000 seconds' +%F; date -u -d 'Thu, 01 Feb 2024 10:00:00 +0530' +%T; date -u -d '10pm' +%H; date -u -d 'noon' +%H; date -u -d 'midnight tomorrow' +%T; date -u -d '2 weeks ago' >/dev/null; echo $?
### P1
python3 -c 'import json,sys; d=json.load(open("data.json")); print([u["name"] for u in d["users"] if u["active"]]); json.dump(d["users"][0], sys.stdout, indent=2, sort_keys=True)'
### P2
python3 -c 'import csv; print(sum(int(r["salary"]) for r in csv.DictReader(open("people.csv"))))'; python3 -c 'import re; print(re.findall(r"(\w+)=(\d+)", "a=1 b=22"), re.sub(r"(?P<x>a)", r"<\g<x>>", "banana"))'
### P3
python3 -c 'raise ValueError("bad")' 2>&1 | tail -1; echo ${PIPESTATUS[0]}; python3 -c 'import nope_mod' 2>&1 | grep -c ModuleNotFound; python3 -c 'print(1' 2>/dev/null; echo $?; python3 nothing.py 2>/dev/null; echo $?; python3 -c 'import sys; sys.exit("msg")' 2>&1; echo $?
### P4
mkdir -p pkg && echo 'def f(): return __name__' > pkg/__init__.py && echo 'from . import f; print(f(), __name__, __package__)' > pkg/__main__.py && python3 -m pkg; PYTHONPATH=src python3 -c 'import util; print(util.double(4))'; cd src && python3 -c 'import os,sys; print(sys.path[0]=="", os.path.basename(os.getcwd()))'
### P5
python3 -c 'import sys; print(sys.argv)' -a --b=c 'd e'; python3 - x y <<< 'import sys; print(sys.argv)'; echo 'import sys; print(sys.argv[1:], __file__)' > s.py; python3 s.py 1 '' 2; python3 -c 'import os; print(os.environ.get("QQ"), os.getenv("USER"))'; QQ=5 python3 -c 'import os; print(os.environ["QQ"])'
### P6
python3 -c 'from pathlib import Path; print(sorted(str(p) for p in Path(".").rglob("*.py")), Path("words.txt").read_text().split()[0], Path("a/../b.tar.gz").suffixes)'; python3 -c 'import glob,os,shutil,tempfile; d=tempfile.mkdtemp(); shutil.copy("words.txt", d); print(os.listdir(d)); shutil.rmtree(d); print(os.path.exists(d))'
### P8
python3 -c 'import argparse; p=argparse.ArgumentParser(prog="t"); p.add_argument("-n",type=int,default=3); p.add_argument("f",nargs="*"); print(p.parse_args())' -n 4 a b; python3 -c 'import hashlib,base64,zlib; print(hashlib.sha256(b"x").hexdigest()[:8], base64.b64encode(b"hi"), zlib.crc32(b"a"))'
### P9
python3 -c 'import asyncio
async def m(): 
    await asyncio.sleep(0.01); return await asyncio.gather(*(asyncio.sleep(0, i) for i in range(3)))
print(asyncio.run(m()))'; python3 -c 'import itertools,collections,functools; print(list(itertools.chain([1],[2])), collections.Counter("aab").most_common(1), functools.reduce(lambda a,b:a*b,[1,2,3]))'
### P10
python3 -c 'import sqlite3; c=sqlite3.connect("x.db"); c.execute("create table t(a)"); c.executemany("insert into t values(?)", [(i,) for i in range(5)]); c.commit(); print(c.execute("select sum(a), max(a) from t").fetchone())' && sqlite3 x.db 'select count(*) from t'
### P11
python3 -c 'import os,sys; print(os.path.isdir("src"), os.stat("words.txt").st_size, oct(os.stat("words.txt").st_mode)[-3:], sys.version_info[0], os.sep)'; python3 -c 'import os; os.makedirs("q/w"); os.rename("q/w","q/e"); print(os.listdir("q")); os.symlink("e","q/l"); print(os.readlink("q/l"), os.path.islink("q/l"))'
### P12
python3 -c 'import subprocess; print(subprocess.run("ls *.csv | wc -l; exit 2", shell=True, capture_output=True, text=True))'; python3 -c 'import os; print(os.system("exit 3") >> 8, os.popen("echo hi").read())'; python3 -c 'import shlex; print(shlex.split("a \"b c\" d\\ e"), shlex.quote("it'"'"'s"))'
### P14
python3 -c 'import urllib.parse as u; print(u.quote("a b/é"), u.urlencode({"q":"x y"}), u.urlparse("http://h:8/p?q=1#f").netloc)'; python3 -c 'import logging; logging.basicConfig(format="%(levelname)s:%(message)s"); logging.warning("w"); logging.info("i")' 2>&1; python3 -c 'import warnings; warnings.warn("dep")' 2>&1 | head -1
### P15
cat > e.py <<'EOF'
import sys
def main():
    try:
        open("nope")
    except FileNotFoundError as e:
        print(e, e.errno, file=sys.stderr)
        return 4
    finally:
        print("finally")
if __name__ == "__main__":
    sys.exit(main())
EOF
python3 e.py; echo $?; python3 -m timeit -n 1 -r 1 pass >/dev/null; echo $?; python3 -V | cut -c1-8; python3 -c 'assert 1==2, "no"' 2>&1 | tail -1; python3 -O -c 'assert 0; print("opt")'; python3 -i </dev/null >/dev/null 2>&1; echo $?
### G1
git init -q -b main .; git config user.name A; git config user.email a@b.c; export GIT_AUTHOR_DATE='2024-01-01T00:00:00Z' GIT_COMMITTER_DATE='2024-01-01T00:00:00Z'; git add words.txt src; git commit -qm 'first commit'; git log --oneline; git status -s; git rev-parse HEAD; git ls-files | wc -l
### G2
git init -q -b main .; git add -A; git -c user.name=A -c user.email=a@b commit -qm one; echo new >> words.txt; rm numbers.txt; echo x > added; git status --porcelain; git diff --stat | cat; git diff words.txt | tail -3; git stash -q 2>/dev/null -u; git status -s | wc -l
### G3
git init -q -b main .; git config user.name A; git config user.email a@b; git commit -q --allow-empty -m root; git checkout -q -b feat; echo f > f; git add f; git commit -qm feat; git checkout -q main; git merge -q --no-ff -m merged feat; git log --graph --format='%s' | cat; git branch; git branch -d feat | cut -d' ' -f1-3
### G4
git init -q -b main .; git config user.name A; git config user.email a@b; printf '1\n2\n3\n' > c; git add c; git commit -qm b; git checkout -qb x; sed -i s/2/X/ c; git commit -qam x; git checkout -q main; sed -i s/2/M/ c; git commit -qam m; git merge x; echo $?; cat c; git status -s; git merge --abort; cat c | head -2
### G5
git init -q .; ln -s words.txt link; ln -s nowhere dangling; git add link dangling; git ls-files -s | cut -d' ' -f1,4; git -c user.name=A -c user.email=a@b commit -qm links; ln -sfn numbers.txt link; git diff | tail -4; git status -s -uno; git checkout -q -- link; readlink link
### G6
git init -q .; git config core.autocrlf input; printf 'a\r\nb\r\n' > w.txt; git add w.txt 2>/dev/null; git cat-file -p :w.txt | xxd -p; printf '*.bat text eol=crlf\n*.bin -text\n' > .gitattributes; git check-attr text eol -- x.bat y.bin z; printf 'q\n' > x.bat; git add . 2>/dev/null; git ls-files --eol x.bat w.txt
### G7
git init -q -b main .; git config user.name A; git config user.email a@b; for i in 1 2 3; do echo $i > f; git add f; GIT_AUTHOR_DATE="2024-01-0$i 12:00 +0000" GIT_COMMITTER_DATE="2024-01-0$i 12:00 +0000" git commit -qm "c$i"; done; git log --since='2024-01-02 00:00 +0000' --format='%h %s %ad' --date=short | cut -d' ' -f2-; git show --stat --format=%s HEAD~1 | cat; git diff HEAD~2 HEAD --numstat
### G8
git init -q -b main .; git config user.name A; git config user.email a@b; echo a > a; git add a; git commit -qm a; git tag v1; git tag -a v2 -m two; git describe; git tag -l; echo b > a; git commit -qam b; git describe --tags | cut -c1-5; git reset -q --soft HEAD~1; git status -s; git reset -q --hard; cat a; git reflog | wc -l
### G9
git init -q .; echo '*.log' > .gitignore; echo 'build/' >> .gitignore; mkdir build; touch build/x y.log z; git status -s; git check-ignore -v y.log build/x; git clean -n; git clean -fdxq -e z; ls -A; git add -n .
### G10
git init -q -b main a; cd a; git config user.name A; git config user.email a@b; echo 1 > f; git add .; git commit -qm 1; cd ..; git clone -q a b; cd b; git remote -v | sed 's/\/.*\//\//'; git branch -a; echo 2 > f; git -c user.name=B -c user.email=b@b commit -qam 2; git rev-list --count HEAD; git log origin/main..HEAD --format=%s; git format-patch -1 --stdout | grep -E '^(Subject|\+|-)'
### L1
a=(1 2 3); a+=(4); echo ${a[@]:1:2} ${#a[@]} "${a[*]}" ${a[-1]} ${!a[@]}; unset 'a[1]'; echo ${!a[@]}; b=("${a[@]/#/x}"); echo ${b[@]}; a[10]=z; echo ${#a[@]}; echo "${a[@]: -2}"
### L2
declare -A h; h[x]=1; h["y z"]=2; for k in "${!h[@]}"; do echo "$k=${h[$k]}"; done | sort; [[ -v h[x] ]] && echo has; unset 'h[x]'; echo ${#h[@]}; declare -A e=(); echo ${#e[@]} "${e[q]:-none}"
### L3
p=/usr/local/lib/file.tar.gz; echo ${p##*/} ${p%/*} ${p%%.*} ${p#*.} ${p//\//:} ${p/lib/LIB} ${p^} ${p: -2} ${#p}; f=${p##*/}; echo ${f%.*} ${f##*.} ${f/%gz/zip} ${f/#file/dir}
### L4
unset u; echo ${u:-d} ${u-d} ${u:+s} ${u+s}; e=; echo "[${e:-d}][${e-d}][${e:+s}][${e+s}]"; (: ${u:?is unset}) 2>/dev/null; echo $?; echo ${u:=set} $u; n=u; echo ${!n}; declare -n r=u; r=ref; echo $u
### L5
f() { local IFS=,; echo "$*"; }; f a b c; g() { echo "$@" $#; shift 2; echo "$@" $#; }; g 1 2 3 4; set -- x 'y z'; for a in "$@"; do echo "<$a>"; done; echo "${@:2}" ${*: -1} "${@:0:1}" | sed 's/bash//'
### L6
x=5; ((x++)); echo $x; ((x > 3)) && echo gt; echo $((x ** 2 % 7)); y=$((x > 3 ? x : 0)); echo $y; i=0; while ((i < 3)); do ((i += 1)); done; echo $i; (( 0 )); echo $?; echo $(( 08 )) 2>/dev/null; echo "rc $?"
### L7
set -u; echo "${nope-}"; (echo $nope) 2>/dev/null; echo $?; set +u; set -e; (false; echo no); echo yes
### L8
shopt -s nullglob; for f in *.nope; do echo $f; done; echo *.nope; shopt -u nullglob; echo *.nope; shopt -s globstar; echo **/*.py; shopt -s dotglob; touch .h; echo .h* *; shopt -s nocaseglob; echo WORDS*
### L9
shopt -s extglob
echo !(*.txt|*.csv|src) ; x=aaabbb; echo ${x/+(a)/Z} ${x##*(a)} ; case foobar in foo@(bar|baz)) echo m;; esac; [[ abc == ?(a)bc ]] && echo q; echo *.@(txt|ini)
### L10
r() { return ${1:-0}; }; r 3 || echo $?; r && echo ok; f() { echo ${FUNCNAME[0]} ${FUNCNAME[1]}; }; g() { f; }; g; declare -f r; unset -f r; r 2>/dev/null; echo $?
### L11
while getopts ':ab:c' o; do case $o in a) echo a;; b) echo "b=$OPTARG";; :) echo "need $OPTARG";; \?) echo "bad $OPTARG";; esac; done < /dev/null; set -- -a -b val -x -b; OPTIND=1; while getopts ':ab:c' o; do echo "$o ${OPTARG-}"; done; shift $((OPTIND-1)); echo $#
### L12
s='one two  three'; set -f; for w in $s; do echo $w; done; set +f; IFS=: ; v=a:b::c; for w in $v; do echo "[$w]"; done; IFS=$' \t\n'; read a b <<< "$s"; echo "$b"; echo $s; echo "$s"
### L13
x=$(echo a; echo b); echo $x; echo "$x"; y=`echo \`echo nested\``; echo $y; z=$(< words.txt); echo ${#z}; echo $(echo $(echo deep)); echo "$(echo "q$(echo "r")")"; w=$(false); echo $?
### L14
for i in {1..3}; do for j in a b; do [ $j = b ] && continue 2; echo $i$j; done; done; for i in 1 2 3; do [ $i = 2 ] && break; echo $i; done; i=0; until [ $i -ge 2 ]; do i=$((i+1)); done; echo $i; for x in; do echo no; done; echo $?
### L15
printf '%s\n' "${BASH_VERSINFO[0]}" "${BASH_SOURCE[0]-none}" "$LINENO"; echo "$-" | grep -c h; echo $_; true x; echo $_; echo ${PIPESTATUS[0]}; echo $SHLVL | grep -c '[0-9]'; echo $((SECONDS<9)) $((RANDOM<32768)) ${EPOCHSECONDS:0:1}
### L16
declare -i n=5; n+=3; echo $n; n=abc; echo $n; declare -r c=1; (c=2) 2>/dev/null; echo $?; declare -u up=abc; echo $up; declare -l lo=ABC; echo $lo; declare -p n up; local z 2>/dev/null; echo $?; typeset -x ex=1; env | grep ^ex=
### L17
echo "${x@Q}" ; x="a'b"; echo "${x@Q}" "${x@U}" "${x@L}" "${x@u}"; a=(1 'b c'); echo "${a[@]@Q}" "${a[@]@A}"; y='\tz'; echo "${y@E}"; declare -A m=([k]='v w'); echo "${m[@]@K}"
### L18
trap 'echo ERR $LINENO' ERR
false
true
f() { false; }
f
if false; then :; fi
false || true
### L19
set -x; a=1; echo "$a b" 'c d' $'e\n'; [ $a = 1 ]; [[ $a == 1 && -n x ]]; ((a++)); for i in 1 2; do :; done; f() { echo $1; }; f x | cat; { set +x; } 2>/dev/null; PS4='>> '; set -x; echo q
### L20
echo ~ ~/x ~+ "~" a~ ~nouser; cd src; cd - > /dev/null; basename $PWD | wc -l; pushd src >/dev/null; dirs | wc -w; popd >/dev/null; echo ${OLDPWD##*/}; cd nothing 2>/dev/null; echo $?; cd; pwd
### L21
hash -r; type echo; type -a true | head -1; command echo c; builtin echo b; enable -n test; type -t test; enable test; help 2>/dev/null | head -0; umask; umask 027; touch um; stat -c %a um; umask -S; ulimit -n >/dev/null; times >/dev/null; echo $?
### L22
x=10 y=3; echo $((x/y)) $((x%y)) $((-x%y)) $((x<<y)) $((x&y)) $((x|y)) $((x^y)) $((x&&0)) $((x,y)) $((0x1F+010)) $((x>y)) $((x=y)) $x; echo $((1+)) 2>/dev/null; echo "rc $?"
### L23
echo $((1/0)); echo "rc $?"; echo next; a=(1 2); echo ${a[5]}x ${a[-5]}; echo "rc $?"; let; echo $?; echo ${x:-$((2+3))} ${#a[*]} ${a[$((0+1))]}; b[3]=q; echo ${#b[@]} ${b[@]}; echo $[1+2]
### L24
bash -c 'echo "$0" "$@"' name a b; bash -c 'exit 5'; echo $?; bash -n -c 'if'; echo $?; bash -ec 'false; echo no'; echo $?; bash -c 'echo $1' -- x; bash -uc 'echo $q' 2>/dev/null; echo $?; echo 'echo piped' | bash; bash --version | head -1 | cut -c1-18
### L25
if [[ -f words.txt && -r words.txt && ! -x words.txt ]]; then echo f; fi; [[ abc < abd ]] && echo lt; [[ 10 -gt 9 ]] && echo gt; [[ -z $nope ]] && echo z; [[ "a b" == a* ]] && echo glob; [[ "a*" == "a*" ]] && echo lit; [[ x ]] && [[ ! y == z ]] && echo ok; [[ -o errexit ]]; echo $?
### L26
exec 3>&1; out=$( { echo err >&2; echo out; } 2>&1 1>&3 ); echo "captured $out"; exec 3>&-; { echo 1; echo 2 >&2; } > o 2> e; cat e o; echo t > >(cat); sleep 0.2; f() { echo "$(</dev/stdin)"; }; f <<< via
### L27
a='x y'; eval "b='$a'"; echo "$b"; eval 'echo $a'; cmd='echo "q r"'; eval $cmd; $cmd; v=PATH2; eval "$v=hello"; echo $PATH2; printf -v "arr[2]" x; echo ${!arr[@]}; read -r "dyn" <<< d; echo $dyn; export -n v; unset v; echo ${v-gone}
### L28
x=abc; echo ${x:0:1}${x:1} ${x:(-2)} ${x: -3:2} ${x:5}| cat; echo ${x/[ab]/_} ${x//[ab]/_} ${x/z/y} ${x//} "${x/b/"q r"}"; y='a.b.c'; echo ${y%.*} ${y%%.*} ${y#*.} ${y##*.}; echo ${y//./} ${y//./ }; e='*'; echo "${y/./$e}"
### L29
select x in a b c; do echo "chose $x $REPLY"; break; done <<< 2 2>/dev/null; PS3='pick: '; select y in only; do echo $y; break; done 2>&1 <<< 1; select z in a; do echo "[$z]"; break; done <<< 9 2>/dev/null
### L30
cat > lib.sh <<'EOF'
log() { printf '[%s] %s\n' "${1^^}" "${*:2}"; }
die() { log error "$@" >&2; exit "${2:-1}"; }
[[ ${BASH_SOURCE[0]} == "$0" ]] && echo direct || echo sourced
EOF
. ./lib.sh; log info started up; (die oops 2>&1); echo $?; bash lib.sh
### S1
cat > deploy.sh <<'EOF'
#!/usr/bin/env bash
set -euo pipefail
readonly DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
usage() { cat <<USAGE
Usage: ${0##*/} [-n] [--env ENV] FILE...
USAGE
exit "${1:-0}"; }
dry=false env=dev
while (($#)); do
  case $1 in
    -n|--dry-run) dry=true ;;
    --env=*) env=${1#*=} ;;
    --env) env=${2:?}; shift ;;
    -h) usage ;;
    --) shift; break ;;
    -*) echo "unknown: $1" >&2; usage 2 ;;
    *) break ;;
  esac
  shift
done
for f in "$@"; do $dry && echo "would deploy $f to $env" || echo "deploying ${f@Q}"; done
[[ $DIR == "$PWD" ]] && echo here
EOF
chmod +x deploy.sh; ./deploy.sh -n --env prod a 'b c'; ./deploy.sh --env=x f; ./deploy.sh -z; echo $?; ./deploy.sh -h; ./deploy.sh --env; echo $?
### S2
retry() { local n=0; until "$@"; do ((++n >= 3)) && return 1; echo "try $n"; done; }; c=0; flaky() { ((c++ >= 1)); }; retry flaky && echo done $c; retry false || echo gave up
### S3
while IFS=, read -r name city age _; do [[ $name == name ]] && continue; printf '%-6s %3d %s\n' "$name" "$age" "${city^^}"; done < people.csv | sort -k2n
### S4
declare -A count; for w in $(tr -cs 'A-Za-z' '\n' < notes.txt | tr A-Z a-z); do ((count[$w]++)) || true; done; for w in "${!count[@]}"; do echo "${count[$w]} $w"; done | sort -k1,1nr -k2 | head -3
### S5
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"; echo cleaned' EXIT; cp words.txt "$tmp"; (cd "$tmp" && sort -u words.txt | wc -l); ls "$tmp"
### S6
for f in src/*.py; do base=$(basename "$f" .py); grep -q TODO "$f" && echo "$base: $(grep -c TODO "$f")"; done; find . -name '*.py' | while read -r p; do echo "${p#./}"; done | sort | tail -1
### S7
lock=/tmp/u.lock.$$; exec 9>"$lock"; flock -n 9 && echo locked; (flock -n 9 && echo again) 9>"$lock" || echo busy; rm -f "$lock"
### S8
grep -E 'ERROR|WARN' app.log | awk '{print $3}' | sort | uniq -c | awk '{print $2"="$1}' | paste -sd,; awk '$3=="ERROR"{sub(/^([^ ]+ ){3}/,""); print}' app.log; sed -nE 's/.*took ([0-9]+)ms.*/\1/p' app.log
### S9
printf '%s\n' {1..12} | xargs -n 4 sh -c 'echo "$# $*"' _; seq 3 | xargs -I{} -P2 sh -c 'echo {}' | sort; echo a b | xargs -t echo 2>&1; echo | xargs -r echo none; false | xargs false; echo $?; xargs -a words.txt -n 3 | head -1
### S10
version() { IFS=. read -r a b c <<< "${1#v}"; echo $((a*10000+b*100+${c%%-*})); }; version v1.2.3; version 10.0.1-rc1; [ "$(printf '1.10\n1.9' | sort -V | tail -1)" = 1.10 ] && echo newer
### S11
json='{"a":{"b":[1,2,{"c":"d e"}]}}'; echo "$json" | jq -r '.a.b[2].c'; v=$(jq -r '.a.b | length' <<< "$json"); echo "n=$v"; jq --arg k new '.a[$k]=true' <<< "$json" -c; jq -r 'paths(scalars) | map(tostring) | join(".")' <<< "$json"; jq -c 'walk(if type=="number" then .+1 else . end)' <<< "$json"
### S12
echo "[$(printf '"%s",' a b c | sed 's/,$//')]" | jq -c 'map(ascii_upcase)'; jq -n '[range(5)] | {min:min, max:max, avg:(add/length)}' -c; jq -r '.users | sort_by(-.id)[] | "\(.id)\t\(.name)"' data.json; jq 'group_by(.x)' -c <<< '[{"x":1},{"x":2},{"x":1}]'; echo '{"a":1}{"a":2}' | jq -s 'map(.a)|add'; jq '.a' <<< 'bad json' 2>/dev/null; echo $?
### S13
cat > x.mjs <<'EOF'
import { readFileSync, writeFileSync, existsSync } from "node:fs"; import path from "node:path";
const lines = readFileSync("words.txt", "utf8").split("\n").filter(Boolean);
console.log(lines.length, new Set(lines).size, path.extname("a/b.tar.gz"), path.resolve("/a", "../b"));
writeFileSync("o.json", JSON.stringify({ a: [1, { b: null }] }, null, 2)); console.log(existsSync("o.json"), process.argv.slice(2));
console.error("to stderr"); process.exit(lines.length > 3 ? 3 : 0);
EOF
node x.mjs p q 2>/dev/null; echo $?; cat o.json; node -e 'console.log([..."aé"].length, {a:[1,{b:{c:{}}}]}, `x${1+1}`, null, undefined, 0.1+0.2, new Map([[1,2]]))'
### S14
cat > pyproject.toml <<'EOF'
[project]
name = "x"
dependencies = ["a>=1", "b[c]~=2.0"]
EOF
python3 -c 'import tomllib; print(tomllib.load(open("pyproject.toml","rb"))["project"]["dependencies"])'; sed -n '/^dependencies/s/.*= //p' pyproject.toml; grep -oP '(?<=name = ")[^"]+' pyproject.toml
### S15
tar -C src -cf s.tar . && tar -tvf s.tar | awk '{print $1, $NF}' | sort -k2; tar -xOf s.tar ./util.py | head -1; tar cJf /dev/null src 2>/dev/null; tar --exclude='*.txt' -cf e.tar src && tar tf e.tar | sort; tar rf e.tar words.txt && tar tf e.tar | tail -1; tar xf nope.tar 2>/dev/null; echo $?
### S16
make -f - <<'EOF' 2>&1
CC ?= gcc
OBJ := $(patsubst %.c,%.o,a.c b.c)
.PHONY: all
all: $(OBJ) ; @echo $(CC) $^ $(words $(OBJ)) $(if $(X),x,nox)
%.o: ; @echo build $*
EOF
echo $?; printf 'a:\n\tfalse\nb:\n\t-false\n\t@echo b\n' > M; make -f M a 2>/dev/null; echo $?; make -f M b 2>/dev/null; make -n -f M a
### S17
x='<div class="a">T &amp; U</div>'; sed 's/<[^>]*>//g; s/&amp;/\&/g' <<< "$x"; [[ $x =~ class=\"([^\"]+)\" ]] && echo "${BASH_REMATCH[1]}"; echo "${x//[<>]/|}"; grep -o '[A-Z]' <<< "$x" | tr -d '\n'; echo; python3 -c 'import html,sys; print(html.unescape(sys.argv[1]))' "$x"
### S18
n=17; p=1; for ((i=2;i*i<=n;i++)); do ((n%i==0)) && p=0; done; echo prime=$p; fib() { ((${1}<2)) && echo $1 || echo $(( $(fib $(($1-1))) + $(fib $(($1-2))) )); }; fib 8; printf '%x\n' $((255)); echo $((36#z)) $((8#17)); a=(5 3 9); IFS=$'\n' s=($(sort -n <<< "${a[*]}")); echo ${s[*]}; unset IFS
### S19
openssl dgst -sha256 words.txt | awk '{print $NF}' | cut -c1-8; sha256sum words.txt > sums; sha256sum -c sums; echo bad >> words.txt; sha256sum -c sums 2>/dev/null; echo $?; md5sum --status -c <(echo "d41d8cd98f00b204e9800998ecf8427e  /dev/null"); echo $?; openssl base64 <<< hi; sha1sum --tag numbers.txt | cut -d' ' -f1,2
### S20
ls -l words.txt | awk '{print $1, $5}'; ls -la | head -1 | cut -d' ' -f1; ls -R src | head -4; ls -d .* ; ls -1t | wc -l; ls -lh data.json | awk '{print $5}'; ls --sort=size -r *.txt | head -1; ls src words.txt; ls -F src; ls -m *.txt; ls -x *.txt | wc -l; stat --format=%U:%G words.txt | grep -c :; ls -i words.txt | awk '{print NF}'
