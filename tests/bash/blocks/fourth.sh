### E1
printf 'a\xffb\n' | sed 's/b/c/' | xxd -p; printf '\xef\xbb\xbfid,name\n1,x\n' | head -1 | cut -d, -f1 | xxd -p
### E2
x=$(printf '\xff\xfe'); y="${x}z"; printf %s "$y" | od -An -tx1; echo "${#y}"
### E3
printf 'é\n' | iconv -f utf-8 -t latin1 | tee l1 | xxd -p; file l1; iconv -f latin1 -t utf-8 l1
### E4
printf 'x\0y\0' | sort -z -r | tr '\0' '\n'; printf 'b\0a\0' | grep -z a | xxd -p; printf 'a\0b' | wc -c
### E5
printf '%s\n' ü ä z a | sort | paste -sd' '; echo "Straße" | awk '{print toupper($0), length($0)}'
### E6
printf 'ab\xc3' | tail -c 1 | xxd -p; printf 'naïve café\n' | grep -o 'caf.' ; echo 'añb' | sed 's/[[:alpha:]]/X/g'
### E7
a=(α β γ); echo "${a[@]:1:1}" "${#a[1]}" "${a[*]/β/B}"; s=αβγ; echo "${s:1}" "${s%γ}" "${s#α}" "${s^^}"
### E8
read -r -n 2 x <<< 'éàü'; echo "$x"; while IFS= read -r -n1 c; do printf '[%s]' "$c"; done <<< 'aé😀'; echo
### E9
printf '\x80\x81' > b; base64 b; base64 b | base64 -d | cmp - b && echo same; md5sum < b
### E10
cat > j.json <<'J'
{"k": "\u00e9\ud83d\ude00"}
J
jq -r .k j.json; jq -c . j.json; jq -a -c . j.json; python3 -c 'import json; print(json.load(open("j.json"))["k"])'
### I1
cat /dev/stdin <<< x; echo y | cat - /dev/null; wc -c < /dev/null; tac /dev/stdin <<< $'1\n2'
### I2
echo 'print(input())' > p.py; echo hey | python3 p.py; python3 /dev/fd/3 3<<< 'print(3)'; echo 'print(4)' | python3 -
### I3
tee /dev/stderr <<< z 2>&1; { echo out; echo err >&2; } 2>&1 | sort; echo t > /dev/stderr 2>&1
### I4
cat . 2>&1; head src 2>&1; sort src 2>&1; wc -l src 2>&1; echo $?
### I5
exec 4<<< $'l1\nl2'; read -u 4 a; read -u 4 b; echo $a$b; exec 4<&-; read -u 4 c 2>/dev/null; echo $?
### I6
diff <(printf '1\n2\n') /dev/stdin <<< $'1\n3'; echo $?; comm -12 - <(echo a) <<< a
### I7
while read -r -u 3 f; do echo "f:$f"; cat > /dev/null; done 3< <(printf 'a\nb\n') < /dev/null
### I8
python3 -c 'import sys; print(sys.stdin.buffer.read())' <<< é; python3 -c 'import os; print(os.read(0, 3))' <<< abcdef
### I9
sed -n p /dev/stdin <<< q; awk 1 /dev/stdin - <<< w; grep -n . - <<< e; xargs -a /dev/stdin echo <<< 'm n'
### I10
cp src dst 2>&1; echo $?; cat < src; echo $?; : < nothere; echo after $?; cat nothere src 2>&1; echo $?
### J1
sleep 20 & p=$!; kill -0 $p && echo up; kill $p; wait $p 2>/dev/null; echo $?; kill -0 $p 2>/dev/null || echo gone
### J2
(sleep 20 & echo $! > pid; wait) & sleep 0.2; kill $(cat pid); wait; echo done
### J3
nohup sleep 20 > /dev/null 2>&1 & disown; p=$!; ps -p $p -o comm= ; kill $p; sleep 0.2; ps -p $p -o comm= || echo ended
### J4
trap 'echo got; exit 3' TERM; kill -TERM $$; echo no
### J5
timeout 0.3 sleep 5; echo $?; timeout -s KILL 0.3 sleep 5; echo $?; timeout 5 true; echo $?
### J6
f() { trap 'echo inner' RETURN; return 2; }; f; echo $?; (exit 7) & wait $!; echo $?; wait -n 2>/dev/null; echo $?
### J7
sleep 0.3 & sleep 0.1 & wait -n; echo first $?; jobs -r | wc -l; wait; jobs | wc -l
### J8
set -m; sleep 20 & kill %1; wait %1 2>/dev/null; echo $?; set +m; sleep 20 & pkill -P $$ sleep; wait $! 2>/dev/null; echo $?
### J9
cat > srv.sh <<'S'
trap 'echo stop; exit 0' TERM INT
echo ready
while :; do sleep 0.05; done
S
bash srv.sh > log & p=$!; until grep -q ready log; do sleep 0.05; done; kill -INT $p; kill -TERM $p; wait $p; echo $?; cat log
### J10
coproc C { while read -r l; do echo "<$l>"; done; }; echo hi >&"${C[1]}"; read -r r <&"${C[0]}"; echo "$r"; kill $C_PID; wait $C_PID 2>/dev/null; echo $?
### Z1
TZ=Asia/Kolkata date -d @0 +'%F %T %Z %z'; TZ=UTC0 date -d '2024-02-30' 2>&1; TZ=EST5EDT date -d '2024-03-10 02:30' 2>&1; echo $?
### Z2
TZ=Europe/London date -d '2024-07-01 12:00 UTC' +%R; TZ=Pacific/Auckland date -d '2024-01-01T00:00Z' '+%F %R %Z'
### Z3
export TZ=America/Sao_Paulo; date -d @1700000000 +%c; python3 -c 'import time; print(time.strftime("%H:%M %Z", time.localtime(1700000000)))'; printf '%(%F %T %Z)T\n' 1700000000
### Z4
touch -d '2024-06-01 10:00 UTC' q; TZ=Asia/Tokyo ls -l --time-style=full-iso q | awk '{print $6,$7,$8}'; TZ=Asia/Tokyo stat -c %y q; TZ=UTC date -r q +%T
### Z5
date -u -d '1 Jan 2024 + 3 days' +%F; date -u -d '2024-01-31 +1 month' +%F; date -u -d 'last day' +%Y > /dev/null; echo $?; date -u -d '@86400' -Iseconds
### Z6
TZ='<+0530>-5:30' date -d @0 +%T%z; TZ=CET-1CEST date -d @1720000000 +%Z; TZ=Nowhere/X date -d @0 +%Z
### Z7
TZ=Asia/Tokyo jq -rn '0|strflocaltime("%H:%M %Z")'; jq -rn '"2024-01-01T00:00:00Z"|fromdate'; jq -n '1700000000|todate'
### Z8
TZ=America/New_York git -c user.name=a -c user.email=b -c init.defaultBranch=m init -q r; cd r; GIT_AUTHOR_DATE='@1700000000 +0200' GIT_COMMITTER_DATE='@1700000000 +0200' git -c user.name=a -c user.email=b commit -q --allow-empty -m x; git log --format=%ad; git log --date=iso --format=%cd; TZ=Asia/Tokyo git log --date=local --format=%ad
### Z9
TZ=Europe/Berlin awk 'BEGIN{print strftime("%H %Z", 0)}' 2>/dev/null; echo; TZ=Asia/Tokyo python3 -c 'import datetime as d; print(d.datetime.fromtimestamp(0))'
### Z10
SECONDS=5; echo $SECONDS; date -d 'next monday' +%u; date +%s | grep -cE '^[0-9]{10}$'; echo "$EPOCHSECONDS" | grep -c .
### P1
cat > m1.py <<'P'
import sys; sys.path.insert(0, '.'); import mm; print(mm.v)
P
echo 'v=1' > mm.py; python3 m1.py; echo 'v=22' > mm.py; python3 m1.py; rm mm.py; python3 m1.py 2>&1 | tail -1
### P2
python3 -c 'import os; os.environ["Q"]="1"; os.chdir("src")'; python3 -c 'import os; print(os.environ.get("Q"), os.getcwd().endswith("src"))'
### P3
python3 -c 'import sys; sys.exit(3)'; echo $?; python3 -c 'raise SystemExit("bye")' 2>&1; echo $?; python3 -c '1/0' 2>/dev/null; echo $?
### P4
python3 -c 'import sys; print(sys.argv)' a 'b c' ''; python3 - x y <<'P'
import sys
print(sys.argv, __name__)
P
### P5
python3 -c 'import atexit; atexit.register(print, "bye"); print("hi")'; python3 -c 'import signal; print(signal.getsignal(signal.SIGTERM))'
### P6
python3 -c 'print("a", end=""); import sys; sys.stderr.write("e\n"); print("b")' 2>/dev/null; python3 -u -c 'import sys; sys.stdout.write("x\n")'
### P7
python3 -m json.tool <<< '{"b":1,"a":[2]}'; python3 -m base64 -e <<< hi; python3 -m calendar 2024 2 | head -3
### P8
python3 -c 'import subprocess as s; r=s.run(["sh","-c","echo o; echo e >&2; exit 4"],capture_output=True,text=True); print(r)'
### P9
python3 -c 'import tempfile,os; f=tempfile.NamedTemporaryFile(delete=False); f.write(b"z"); f.close(); print(os.path.getsize(f.name)); os.unlink(f.name)'; python3 -c 'import glob; print(sorted(glob.glob("src/*.py")))'
### P10
python3 -c 'import errno,os
try: os.listdir("nope")
except OSError as e: print(e.errno, e.strerror, type(e).__name__)
try: open("src")
except OSError as e: print(e.errno, e)
try: os.rmdir("src")
except OSError as e: print(e.errno == errno.ENOTEMPTY, e.strerror)'
### K1
awk -F: -v OFS=- '{$1=$1; print NR, $0}' <<< $'a:b\nc:d'; awk 'NR==FNR{a[$1]=$2;next} $1 in a{print $1,a[$1]}' <(echo x 1) <(printf 'x\ny\n')
### K2
awk '{s+=$1} END{printf "%.2f %d %s\n", s/NR, s, NR}' numbers.txt; awk 'BEGIN{while((getline l < "words.txt")>0) n++; print n}'
### K3
awk 'BEGIN{"echo hi" | getline x; print x; print "b\na" | "sort"; close("sort"); print toupper(substr("hello",2,3))}'
### K4
awk '{gsub(/o/,"0"); print; n=split($0,p,/ /); print n, p[1]}' <<< 'foo boo'; awk 'match($0,/[0-9]+/){print RSTART,RLENGTH,substr($0,RSTART,RLENGTH)}' <<< 'ab123c'
### K5
awk 'BEGIN{printf "%5.1f|%-5s|%05d|%x|%c|%e\n", 3.14159, "ab", 42, 255, 65, 12345.678}'; awk 'BEGIN{print 1/3; print 100000*100000; print 0.1+0.2; print -7%3; print 2^10}'
### K6
awk 'BEGIN{RS=""} {print NR": "$1" "$NF}' <<< $'a b\nc\n\nd e'; awk -v RS=';' '{print NR,$0}' <<< 'a;b'; awk 'BEGIN{FS=","} {print $2}' <<< 'x,,y'
### K7
awk 'function f(n){return n<2?1:n*f(n-1)} BEGIN{print f(10); exit 3} END{print "end"}'; echo $?; awk 'NR>1{exit} {print}' words.txt
### K8
awk '{a[$1]++} END{for(k in a) print k, a[k] | "sort -k2,2nr -k1,1"}' <<< $'b\na\nb\nc'; awk '!s[$0]++' <<< $'x\ny\nx'; awk 'length > 4' words.txt | head -3
### K9
awk 'BEGIN{x["a"];delete x["a"]; print ("a" in x), length(x); print index("abc","c"), sprintf("%03d",7), int(-3.7), substr("abc",0,2)}'
### K10
awk -f - <<< 'BEGIN{print "f"}'; awk 'BEGIN{print ENVIRON["HOME"], ARGC, ARGV[1]}' q; awk '$2 ~ /^[A-Z]/ && $3+0 > 30' FS=, people.csv; awk 'END{print $0, NF}' <<< 'l a s t'
### R1
cat <<'E1'
if ((!a || b)) { x !(y) @(z) ; } `q` $(r) ${s} \n \\ <<E2
E1
### R2
x='((!a))'; echo "$x" "((!b" '{ ((c )) ; }'; echo then for select in; echo \(\(\!a
### R3
cat <<E1
$((1+1)) \$x \`y\` $(echo "a)b") ${HOME:+h}
E1
### R4
shopt -s extglob
echo '!(a)' "!(b)"; case abc in !(x*)) echo no-x;; esac; [[ a!b == a!(q) ]] && echo m
### R5
f() { cat <<-X
	tab
		two
	X
}; f; declare -f f
### R6
python3 - <<'PY'
s = "${x} $(y) `z` !(a) ((!b))"
print(s, len(s))
PY
### R7
echo "a\
b" 'c\
d'; echo a\
b; cat <<E\
F
g
EF
### R8
eval 'echo "((!x"'; bash -c 'echo "$1"' _ '((!q) || {'; echo "${x:-((!d))}"
### R9
sed 's/(\(!\)/[\1/' <<< 'f((!a)'; awk '{sub(/\(\(!/,"<"); print}' <<< 'f((!a)'; grep -c '((!' <<< '((!'
### R10
cat <<A <<B
a $((2#101))
A
b `echo 2`
B
cat <<'C' | tr a-z A-Z; echo end
((!select x in))
C
### W1
for x in if then else fi do done case esac; do printf '%s ' $x; done; echo; a=(if then fi); echo ${#a[@]}
### W2
echo case in esac; case if in if) echo kw;; esac; case a=b in a=*) echo eq;; esac; select=3; echo $select
### W3
cat <<< a=1; cat <<< if; read x <<< time=3; echo $x; printf '%s\n' function=1 {a} }
### W4
arr=(a=1 [3]=b=2 "c=3" if=4); echo "${arr[@]}" "${!arr[@]}"; declare -A m=([a=b]=c [if]=then); echo ${m[a=b]} ${m[if]}
### W5
for ((i=1;i<<2<20;i*=2)); do echo -n $i' '; done; echo $((1<<4|3)) $((7>>1)); (( x = 3 > 2 ? 1 : 0 )); echo $x
### W6
true && { echo a; } || echo b; ! false; echo $?; ! { true; }; echo $?; time -p true 2>/dev/null; echo done
### W7
function do_it { echo "$FUNCNAME $1"; }; do_it now; if() { :; } 2>/dev/null; echo $?; unset -f do_it
### W8
[[ -f = -f ]] && echo s; [[ ! = ! ]] && echo n; [ ! ] && echo one; [ -z ] && echo z; [ a = a -a b = b ] && echo and
### W9
echo {1..3}{a,b} {x,y=1} a{,b}c {1..10..3} {c..a} {01..03} "{a,b}" \{a,b} {a} {,}; x={a,b}; echo $x
### W10
let x=3**2 y=x%4; echo $x $y; export A=1 B="2 3" C=$(echo 4); echo "$A$B$C"; local z=1 2>/dev/null; echo $?; A+=5; echo $A
### X1
seq 20 | head -n -17; seq 20 | tail -n +19; printf 'abc' | head -c -1; echo; seq 5 | tail -r 2>&1 | head -1
### X2
printf 'b 2\na 10\nc 1\n' | sort -k2n; printf 'b 2\na 10\n' | sort -k2; sort -t, -k3,3nr people.csv | head -2; printf '1.10\n1.9\n' | sort -V
### X3
cut -c2-4 <<< abcdef; cut -d' ' -f2- <<< 'a b c'; cut -d: -f1,3 --output-delimiter=- <<< a:b:c; cut -f1 <<< 'no tab'; cut --complement -c2 <<< abc
### X4
expr 7 / 2; expr abc : 'a\(.\)c'; expr 1 = 1; expr length hello; expr substr hello 2 3; expr a \< b; expr 5 % 3; echo $?
### X5
paste -d'\n' <(echo a) <(echo b); paste - - <<< $'1\n2\n3'; paste -sd+ <(seq 3); column -t -s, <<< $'a,bb\nccc,d'
### X6
find src -name '*.py' | sort; find . -maxdepth 1 -type f -newer words.txt | wc -l; find src -type d -empty; find . -name '*.txt' -exec basename {} .txt \; | sort | head -3
### X7
printf '%5s|%-5s|%05.1f|%+d|%x|%o|%e\n' a b 3.14159 5 255 8 1234.5; printf '%s-%s\n' 1 2 3; printf '%b' 'a\tb\n'; printf '%q ' 'a b' "c'd" ''; echo
### X8
wc -l words.txt numbers.txt; wc -w < words.txt; wc -L words.txt; nl -ba words.txt | head -2; fold -w 3 <<< abcdefg; fmt -w 10 <<< 'aa bb cc dd ee'
### X9
date -u -d '2024-03-01 - 1 day' +%F; date -u -d '2 weeks ago 2024-01-15' +%F; date -u -d 'tomorrow 2024-01-01' +%F 2>&1; date -d '12:61' 2>&1
### X10
dd if=words.txt bs=1 count=3 2>/dev/null; echo; split -l 2 words.txt p_; ls p_* | head -3; cmp words.txt numbers.txt; diff -u <(seq 3) <(seq 2 4) | tail -n +3; uniq -c <<< $'a\na\nb'
### O1
printf '0%%\r50%%\rdone\n' | cat; printf 'a\bb\n'; printf '\e[31mred\e[0m\n'
### O2
ls --color=always src | head -1 | xxd | head -2; grep --color=always a <<< abc; ls -C src | head -1; ls -x src
### O3
printf 'no newline'; printf '\n\n\n'; printf 'tab\there\n' | expand -t 4; echo -e 'a\vb' | xxd -p
### O4
yes | head -3; yes a b | head -2; seq 100000 | tail -1; seq 3 | tac | paste -sd,
### O5
echo -n; echo -e -n 'x\n'; echo -E 'a\tb'; echo -- -n; echo -ne; echo "-e"; printf -- '-%s\n' a
### H1
nosuchcmd 2>/dev/null; echo $?; ./nofile 2>/dev/null; echo $?; ./words.txt 2>/dev/null; echo $?; ./src 2>/dev/null; echo $?
### H2
type ls cd if nosuch 2>/dev/null | sed 's/ .*is/ is/' ; command -v cd; command -v nosuch; echo $?; type -t for echo cat; hash nosuch 2>/dev/null; echo $?
### H3
set -e; f() { false; echo not; }; f || echo caught; if ! f; then :; fi; (f; echo sub) ; echo end
### H4
set -u; echo ${x-d} ${x:-e}; (echo $x) 2>/dev/null; echo $?; a=(); echo "${a[@]}" ${#a[@]}; echo $1; echo no
### H5
cd nowhere 2>&1 | sed 's/line 1: //'; mkdir src 2>&1; rm src 2>&1; rmdir src 2>&1; mv nope x 2>&1; ln -s src src2; rm -r src2; echo $?; cp nope x 2>&1
### LC1
LC_ALL=C; x=héé; echo ${#x} "${x:0:2}" | xxd; echo "${x:1}" | xxd -p
### LC2
x=é; LC_ALL=C; [[ $x == ? ]] && echo one || echo no; [[ $x == ?? ]] && echo two; case $x in ??) echo two;; *) echo other;; esac
### LC3
export LC_ALL=C; x=naïve; printf '%q\n' "$x"; echo "${x@Q}"; declare -p x; set -x; : "$x"
### LC4
export LC_ALL=C; x=ÀÉ; echo "${x,,}" "${x^^}"; y=é; echo "${y^}" "${y@U}"
### LC5
export LC_ALL=C; printf '%d\n' "'é"; printf '\u00e9|\U1F600\n'; echo -e '\u20ac'; echo $'\u00e9' | xxd -p
### LC6
export LC_ALL=C; x=aéb; echo "${x#a?}" | xxd -p; echo "${x%?b}" | xxd -p; echo "${x//[^a-z]/_}"; echo "${x/é/e}"
### LC7
printf 'é1\n' | LC_ALL=C read -n 1 x; printf 'é1\n' | { LC_ALL=C read -n 1 x; echo "$x" | xxd -p; }
### LC8
export LC_ALL=C; [[ é =~ ^.$ ]] && echo one; [[ é =~ ^..$ ]] && echo two; [[ aéb =~ [^a-z]+ ]] && echo ${#BASH_REMATCH[0]}
### LC9
printf 'héllo\n' | LC_ALL=C wc -m; printf 'héllo\n' | wc -m; printf 'héllo\n' | LC_ALL=C wc -L; printf 'héllo\n' | LC_ALL=C wc -mc
### LC10
printf 'héllo\n' | LC_ALL=C grep -o . | wc -l; printf 'héllo\n' | LC_ALL=C grep -c '^.....$'; printf 'héllo\n' | LC_ALL=C grep -c '^......$'
### LC11
printf 'caf\xe9\nabc\n' | LC_ALL=C grep -n 'caf'; printf 'caf\xe9\nabc\n' | grep -n 'caf'; printf 'caf\xe9\n' | LC_ALL=C grep -c '^....$'
### LC12
printf 'plain\nhéllo\n' | LC_ALL=C grep -nP '[^\x00-\x7F]'; printf 'plain\nhéllo\n' | LC_ALL=C grep -n '[^ -~]'; printf 'plain\nhéllo\n' | LC_ALL=C grep -v '[^[:print:]]'
### LC13
printf 'ÉTÉ\nété\n' | LC_ALL=C grep -ci é; printf 'ÉTÉ\nété\n' | grep -ci é; printf 'été\n' | LC_ALL=C grep -cw 't'; printf 'été\n' | grep -cw t
### LC14
printf 'héllo\n' | LC_ALL=C sed 's/./x/g'; printf 'héllo\n' | LC_ALL=C sed 's/[^a-z]//g'; printf 'é\n' | LC_ALL=C sed 's/.*/\U&/'; printf 'é\n' | LC_ALL=C sed -n l
### LC15
printf 'é\n' | LC_ALL=C sed 'y/é/e/'; echo $?; printf 'caf\xe9x\n' | LC_ALL=C sed 's/f.x/!/'; printf 'caf\xe9x\n' | LC_ALL=C sed 's/[\x80-\xff]/?/'
### LC16
printf 'héllo\n' | LC_ALL=C tr -cd 'a-z\n'; printf 'héllo\n' | LC_ALL=C tr 'é' 'xy'; printf 'ab\n' | LC_ALL=C tr a-z A-Z
### LC17
printf 'héllo wörld\n' | LC_ALL=C cut -c 1-3 | xxd -p; printf 'héllo\n' | cut -c 2 | xxd -p; printf 'aébéc\n' | LC_ALL=C cut -d é -f 1; echo $?
### LC18
printf 'b\nA\na\nB\né\n_\n' | LC_ALL=C sort; printf 'b\nA\na\nB\né\n_\n' | sort; printf 'b\nA\na\nB\né\n_\n' | LC_ALL=C sort -f
### LC19
touch b A a B é _x; LC_ALL=C ls; ls; LC_ALL=C; echo *; echo [a-z]*; echo [[:alpha:]]; echo ?
### LC20
LC_ALL=C expr length héé; expr length héé; LC_ALL=C expr substr héé 2 2 | xxd -p; LC_ALL=C expr index aé é; LC_ALL=C expr héé : '.*'; expr index aé é
### LC21
LC_ALL=C awk 'BEGIN{print length("héé"), index("aéb","b"), toupper("é"), substr("héé",1,2)}' | xxd -p
### LC22
LC_ALL=C gawk 'BEGIN{print length("héé")}' 2>/dev/null; printf 'héé\n' | LC_ALL=C awk '{print length, match($0, /l/), split($0, a, ""), a[1]}'
### LC23
printf 'héllo\n' | LC_ALL=C rev | xxd -p; printf 'héllo\n' | rev
### LC24
mkdir d; touch d/é d/a; LC_ALL=C ls d; LC_ALL=C ls -b d; LC_ALL=C ls -Q d; LC_ALL=C find d -name '?' | sort; LC_ALL=C find d -name '??'; find d -name '??'
### LC25
printf 'ééééé ééééé\n' | LC_ALL=C fold -w 4 | xxd -p; printf 'ééééé ééééé\n' | fold -w 4 | xxd -p; printf 'é\tb\n' | LC_ALL=C expand | xxd -p; printf 'é\tb\n' | expand | xxd -p
### LC26
printf 'é 1\nb 22\n' | LC_ALL=C column -t; printf 'é 1\nb 22\n' | column -t
### LC27
LANG=C; echo $LANG $LC_ALL; x=é; echo ${#x}; unset LC_ALL; echo ${#x}; LC_CTYPE=C.UTF-8; echo ${#x}; LC_CTYPE=POSIX; echo ${#x}; unset LC_CTYPE LANG; echo ${#x}
### LC28
f() { local LC_ALL=C; local x=é; echo ${#x}; }; f; x=é; echo ${#x}; (LC_ALL=C; echo ${#x}); echo ${#x}
### LC29
x=é; LC_ALL=en_US.UTF-8; echo ${#x}; LC_ALL=C.utf8; echo ${#x}; LC_ALL=C.UTF8; echo ${#x}; LC_ALL=; echo ${#x}
### LC30
LC_ALL=en_US.UTF-8 sort <<< $'b\nA\na' ; echo $?; export LC_ALL=de_DE.UTF-8; echo héé | wc -m
### LC31
locale | head -3; locale charmap; LC_ALL=C locale charmap; locale -a
### LC32
LC_ALL=C python3 -c 'print("é", len("é")); import sys; print(sys.stdout.encoding)'; LC_ALL=C jq -n '"é"|length'; LC_ALL=C bash -c 'x=é; echo ${#x}'; env LC_ALL=C bash -c 'x=é; echo ${#x}'
### LC33
LC_ALL=C; IFS=é; set -- $(printf 'aébéc'); echo $#; printf '%s|' "$@"; echo; printf '%.2s|%5s|\n' é é | xxd -p
### LC34
LC_ALL=C; printf -v x '%s' é; echo "${x:0:1}${x:1:1}"; y="${x:0:1}"; echo ${#y}; printf %s "$y" | xxd -p; z="$y${x:1}"; echo ${#z} $z
### LC35
LC_ALL=C date -d @0; LC_ALL=C ls -l --time-style=+%B src | head -2; LC_TIME=C date -d @0 +%c; LC_ALL=C printf '%.2f\n' 1.5
### LC36
printf 'é\n' | LC_ALL=C nl; printf 'a é\n' | LC_ALL=C wc -w; printf 'a\xc2\xa0b\n' | LC_ALL=C wc -w; printf 'a\xc2\xa0b\n' | wc -w
### LC37
printf 'B\na\nA\nb\n' | LC_COLLATE=C sort; printf 'é b\né a\n' | LC_ALL=C sort -k2; printf 'é\ne\n' | LC_ALL=C sort -u; printf 'É\né\n' | LC_ALL=C sort -fu; printf 'É\né\n' | sort -fu
### LC38
printf 'É\né\n' | LC_ALL=C uniq -i; printf 'éa\néb\n' | LC_ALL=C uniq -w 2; printf 'éa\néb\n' | uniq -w 2; printf 'a É\nb é\n' | LC_ALL=C join - <(echo 'a x')
### LC39
LC_ALL=C tree --noreport src | xxd | head -3; tree --noreport src | head -3
### LC40
LC_ALL=C; select_é=1 2>&1; echo $?; aé=1; echo $?; declare -A m=([é]=1); echo ${!m[@]} ${m[é]}; for k in "${!m[@]}"; do echo ${#k}; done
### LC41
export LC_ALL=C; alias é='echo hi'; alias; trap 'echo é' EXIT; trap -p; x=$'\xe9'; declare -p x; set | grep ^x=
### LC42
export LC_ALL=C; echo {a..e}; case é in [a-z]) echo in;; [!a-z]*) echo out;; esac; case $'\xe9' in [$'\xe0'-$'\xef']) echo range;; esac; case B in [a-z]) echo in;; *) echo out;; esac
### LC43
export LC_ALL=C; mapfile -t -d é a < <(printf 'xéy'); echo ${#a[@]}; printf '%s|' "${a[@]}" | xxd -p; IFS= read -r -d é x <<< aéb; echo "$x"
### LC44
LC_ALL=C stat -c %N notes.txt; touch é; LC_ALL=C stat -c '%N %n' é; stat -c %N é; LC_ALL=C du -a é; LC_ALL=C ls -1 --quoting-style=shell-escape é
### LC45
printf 'hé\n' | LC_ALL=C od -c; printf 'hé\n' | LC_ALL=C cat -v; printf 'hé wö\n' | LC_ALL=C fmt -w 4; printf 'hé\n' | LC_ALL=C strings -n 2; printf 'é\n' | LC_ALL=C iconv -t utf-16le | xxd -p; echo $?
### LC46
printf 'é\n' > a1; printf 'e\n' > b1; LC_ALL=C diff a1 b1; LC_ALL=C diff -y -W 20 a1 b1; LC_ALL=C cmp a1 b1; LC_ALL=C comm a1 b1; LC_ALL=C paste -d é a1 b1 | xxd -p
### LC47
echo 'ünïcödé' | LC_ALL=C sed -E 's/([^a-z]+)/<\1>/g' | xxd -p; echo 'ünïcödé' | LC_ALL=C grep -oE '[a-z]+' | paste -sd,; echo 'naïve' | LC_ALL=C grep -o 'na..ve'
### LC48
LC_ALL=C less a.txt 2>/dev/null; echo 'hé' | LC_ALL=C less | xxd -p; echo 'hé' | LC_ALL=C xargs -n1 echo; echo é | LC_ALL=C xargs -I é echo xé
### LC49
LC_ALL=C; x=日本; printf '%s %s\n' ${#x} "$(printf %s "$x" | wc -c)"; for ((i=0;i<${#x};i++)); do printf '%02x' "'${x:i:1}"; done; echo
### LC50
LC_ALL=C.UTF-8 bash -c 'x=日本; echo ${#x}'; LC_ALL=C bash <<< 'x=日本; echo ${#x}'; LC_ALL= LANG=C bash -c 'x=日本; echo ${#x}'; LC_ALL= LANG= bash -c 'x=日本; echo ${#x}'
### LC51
tr '[:upper:]' '[:lower:]' <<< 'ÀÉB'; LC_ALL=C tr '[:upper:]' '[:lower:]' <<< 'ÀÉB'; LC_ALL=C tr -d '[:space:]' <<< 'a b'; LC_ALL=C tr -dc '[:print:]' <<< 'aéb'; echo
### LC52
LC_ALL=C awk '{gsub(/[^a-z]/,"_"); print}' <<< 'aéb'; LC_ALL=C awk -F é '{print $2}' <<< 'aéb'; LC_ALL=C awk '/^.{4}$/' <<< 'aéb'; LC_ALL=C awk '{printf "%5s|%.2s|%c|\n", $1, $1, $1}' <<< 'éb' | xxd -p
### LC53
LC_ALL=C find . -regex './.' 2>/dev/null; touch é; LC_ALL=C find . -regex './.' ; LC_ALL=C find . -regex './..'; LC_ALL=C find . -iname 'É'; LC_ALL=C find . -name é
### B1
cat > calc.py <<'PY'
import sys

def mean(xs):
    return sum(xs) / len(xs)

if __name__ == "__main__":
    xs = [float(l) for l in sys.stdin if l.strip()]
    print(f"n={len(xs)} mean={mean(xs):.3f}")
PY
seq 1 10 | python3 calc.py
for n in 5 50; do echo -n "$n: "; seq $n | python3 calc.py; done
### B2
set -euo pipefail
cleanup() { local rc=$?; echo "cleanup rc=$rc"; rm -rf "$tmp"; }
trap cleanup EXIT
tmp=$(mktemp -d)
cd "$tmp"
printf '%s\n' {1..5} > n
while read -r x; do (( x % 2 )) && echo "odd $x" || true; done < n
false | true
echo unreachable
### B3
declare -A count
while IFS=, read -r name city age; do
  [[ $name == name ]] && continue
  (( count[$city]++ )) || true
done < people.csv
for c in "${!count[@]}"; do printf '%-12s %d\n' "$c" "${count[$c]}"; done | sort
### B4
log() { printf '[%s] %s\n' "$1" "${*:2}" >&2; }
run() { log INFO "run: $*"; "$@"; local rc=$?; (( rc )) && log ERROR "rc=$rc"; return $rc; }
run true && echo ok
run false || echo "failed $?"
run bash -c 'exit 7' 2>&1 || echo "rc $?"
### B5
mkdir -p proj/{src,tests,docs}
cat > proj/src/app.js <<'JS'
const x = `a ${1 + 1} b`;
const re = /\$\{(\w+)\}/g;
function f(o) { return (!o || o.a) && !(o.b); }
module.exports = { x, re, f };
JS
cat > proj/tests/t.js <<'JS'
const { x, f } = require('../src/app.js');
console.log(x, f({ a: 1 }), "$HOME".length);
JS
wc -l proj/src/*.js proj/tests/*.js
grep -rn 'function' proj | sed 's/:.*function/: function/'
find proj -type f | sort | xargs md5sum | awk '{print $2}'
### B6
pids=()
for i in 3 1 2; do
  ( sleep 0.$i; echo "job $i" ) &
  pids+=($!)
done
for p in "${pids[@]}"; do wait "$p" || echo "fail"; done
echo "all ${#pids[@]} done"
### B7
diff <(sort words.txt) <(sort -u words.txt) > d.txt && echo same || echo differ
comm -12 <(printf '%s\n' a b c | sort) <(printf '%s\n' b c d | sort)
paste <(seq 3) <(seq 4 6) <(printf '%s\n' x y z)
while read -r a b; do echo "$((a*b))"; done < <(paste -d' ' <(seq 3) <(seq 3))
### B8
parse() {
  local OPTIND opt verbose=0 out=
  while getopts ':vo:h' opt; do
    case $opt in
      v) ((verbose++)) ;;
      o) out=$OPTARG ;;
      h) echo usage; return 0 ;;
      :) echo "missing arg for -$OPTARG"; return 2 ;;
      \?) echo "bad -$OPTARG"; return 1 ;;
    esac
  done
  shift $((OPTIND-1))
  echo "v=$verbose out=$out rest=$*"
}
parse -vv -o f a b; parse -x; echo $?; parse -o; echo $?; parse -h
### B9
cat > Makefile <<'MK'
SRC := $(wildcard src/*.py)
all: out.txt
out.txt: $(SRC)
	@echo building from $(words $(SRC)) files
	@cat $^ | wc -l > $@
clean:
	rm -f out.txt
.PHONY: all clean
MK
make; cat out.txt; make; make clean; make -n all
### B10
str="The quick brown fox"
echo "${str,,}" "${str^^}" "${#str}"
echo "${str/quick/slow}" "${str// /_}" "${str#* }" "${str%% *}"
read -ra w <<< "$str"; echo "${w[-1]} ${#w[@]} ${w[@]:1:2}"
printf '%s\n' "${w[@]}" | sort -f | tr '\n' ' '; echo
[[ $str =~ ([a-z]+)\ ([a-z]+) ]] && echo "${BASH_REMATCH[1]}-${BASH_REMATCH[2]}"
### B11
cat > data.csv <<'CSV'
id,name,score
1,"Smith, J",90
2,Doe,85
3,"O'Neil",77
CSV
python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("data.csv")))
print(sorted((r["name"], int(r["score"])) for r in rows))
PY
awk -F, 'NR>1 {s+=$NF} END {print "total", s}' data.csv
sed -n '2,$p' data.csv | cut -d, -f1 | paste -sd+ | bc
### B12
retry() {
  local n=0 max=$1; shift
  until "$@"; do
    n=$((n+1))
    [ $n -ge $max ] && { echo "gave up after $n"; return 1; }
  done
  echo "ok after $n"
}
c=0; flaky() { c=$((c+1)); [ $c -ge 3 ]; }
retry 5 flaky; retry 2 false
### B13
jq -r '.[]? // .' data.json | head -3
echo '[{"a":1,"b":[1,2]},{"a":2,"b":[]}]' > t.json
jq -c '.[] | {a, n: (.b|length)}' t.json
jq -r '.[] | [.a, (.b|join(";"))] | @csv' t.json
jq --arg k a '[.[] | .[$k]] | add' t.json
jq -e '.[5]' t.json; echo $?
### B14
f() { echo "args: $#"; for a; do echo "<$a>"; done; }
args=(--name "a b" --list x,y '*.txt')
f "${args[@]}"
f ${args[@]}
cmd=(grep -c .); "${cmd[@]}" words.txt
### B15
exec 3> log.txt
echo "to log" >&3
{ echo out; echo err >&2; } 2>&3 | tee copy
exec 3>&-
cat log.txt copy
exec 5< words.txt; read -r l <&5; echo "first: $l"; exec 5<&-
{ echo x >&9; } 2>/dev/null || echo "bad fd"
### B16
git init -q . 2>/dev/null; git config user.email a@b; git config user.name n
echo one > f; git add f; git commit -qm "first"
git checkout -q -b feat; echo two >> f; git commit -qam "second"
git log --oneline --format=%s; git diff HEAD~1 --stat | tail -1
git checkout -q -; cat f; git merge -q feat && cat f; git branch | tr -d ' *' | sort | tail -1
### B17
cat <<EOF > conf.ini
[server]
host = ${HOST_X:-localhost}
port = $((8000 + 80))
path = \$HOME/x
cmd = `echo hi`
EOF
cat conf.ini
sed -i -e '/^port/s/=.*/= 9/' -e '/^\[/d' conf.ini; cat conf.ini
awk -F' = ' '{m[$1]=$2} END{print m["host"], m["port"]}' conf.ini
### B18
stack=(); push() { stack+=("$1"); }; pop() { local n=${#stack[@]}; ((n)) || return 1; REPLY=${stack[n-1]}; unset 'stack[n-1]'; }
push a; push "b c"; push d
while pop; do echo "pop $REPLY left ${#stack[@]}"; done
declare -p stack; arr=([5]=x [2]=y); echo "${!arr[@]} ${arr[@]}"; arr+=(z); echo "${!arr[@]}"
### B19
(
  trap 'echo "caught INT"; exit 130' INT
  kill -INT $BASHPID
  echo no
)
echo "rc $?"
trap 'echo bye' EXIT; trap -p EXIT; trap - EXIT
bash -c 'trap "echo term; exit 5" TERM; kill $$; sleep 1'; echo $?
### B20
cat > t.sh <<'SH'
#!/usr/bin/env bash
set -e
echo "$0 $# $1" | sed 's#.*/##'
[ -n "$DEBUG" ] && echo debug
exit 4
SH
chmod +x t.sh; ./t.sh 'x y'; echo $?; DEBUG=1 ./t.sh q; echo $?; bash -n t.sh && echo syntax ok; bash -x t.sh a 2>&1 | grep -c '^+'
### B21
python3 -m venv --help > /dev/null && echo has venv
cat > m.py <<'PY'
import argparse
p = argparse.ArgumentParser(prog="m")
p.add_argument("n", type=int); p.add_argument("-v", action="store_true")
a = p.parse_args(); print(a.n * 2, a.v)
PY
python3 m.py 4 -v; python3 m.py x 2>&1 | tail -1; echo "${PIPESTATUS[0]}"; python3 m.py 2>/dev/null || echo "rc $?"
### B22
find . -name '*.py' -print0 | xargs -0 -n1 basename | sort
find . -type f -size -1k | wc -l
find . -maxdepth 1 -name '*.txt' -exec sh -c 'for f; do echo "${f##*/} $(wc -l < "$f")"; done' _ {} + | sort
find src -type f ! -name '*.py' -printf '%f %s\n' | sort
### B23
for f in *.txt; do
  n=${f%.txt}
  [[ -s $f ]] || continue
  printf '%-10s %4d lines  %s\n' "$n" "$(wc -l < "$f")" "$(head -c 8 "$f" | tr '\n' ' ')"
done
shopt -s nullglob; x=(*.nope); echo ${#x[@]}; shopt -u nullglob; echo *.nope
### B24
fib() { local n=$1; (( n < 2 )) && { echo $n; return; }; echo $(( $(fib $((n-1))) + $(fib $((n-2))) )); }
fib 10
memo=(0 1); for ((i=2;i<=50;i++)); do memo[i]=$((memo[i-1]+memo[i-2])); done; echo ${memo[50]}
printf '%d\n' 0x1f 010 "'A"; echo $((2**62)) $((-7/2)) $((-7%3)) $((1<<3|1)) $((~5)) $((5>3?1:0))
### B25
cat > src.c <<'C'
#include <stdio.h>
#define MAX(a,b) ((a) > (b) ? (a) : (b))
int main(void) {
    int x = 3; char *s = "q\"\\n$x`";
    if ((!x || s[0]) && !(x == 4)) { printf("%d\n", MAX(x, 2)); }
    return 0;
}
C
grep -n 'MAX' src.c; sed 's/MAX/MIN/g' src.c | diff - src.c | head -2; wc -c src.c; tail -n +5 src.c | head -1; tr -cd '(' < src.c | wc -c
### B26
exec 2>&1
f() { g; }; g() { local i=0; while caller $i; do ((i++)); done | awk '{print $2}'; }
f
h() { echo "${FUNCNAME[*]}"; }; k() { h; }; k
(set -u; echo "${undefined_thing}") | sed 's/.*undefined/undefined/'; echo "${PIPESTATUS[@]}"
### B27
cat > urls.txt <<'U'
https://example.com/a/b.html?x=1&y=2
http://foo.org:8080/
ftp://x.net/file.tar.gz
U
while read -r u; do
  proto=${u%%://*}; rest=${u#*://}; host=${rest%%/*}; path=/${rest#*/}
  echo "$proto | ${host%:*} | $path"
done < urls.txt
grep -oE '^[a-z]+' urls.txt | sort | uniq -c | sed 's/^ *//'
sed -E 's#^([a-z]+)://([^/:]+).*#\2#' urls.txt
### B28
coproc BC { bc -l; }
echo '2^10' >&"${BC[1]}"; read -r r <&"${BC[0]}"; echo "$r"
echo 'scale=3; 22/7' >&"${BC[1]}"; read -r r <&"${BC[0]}"; echo "$r"
eval "exec ${BC[1]}>&-"; wait; echo closed
### B29
mapfile -t lines < words.txt; echo "${#lines[@]} ${lines[0]}"
mapfile -t -s1 -n2 part < words.txt; printf '[%s]' "${part[@]}"; echo
readarray -d, -t f <<< 'a,b,c'; printf '<%s>' "${f[@]}"; echo
printf -v joined '%s|' "${lines[@]:0:3}"; echo "${joined%|}"
IFS=$'\n' sorted=($(sort -r <<< "${lines[*]}")); unset IFS; echo "${sorted[0]}"
### B30
case_test() {
  case $1 in
    [0-9]*) echo number ;;
    -h|--help) echo help ;;
    *.tar.gz|*.tgz) echo archive ;;
    "") echo empty ;;
    [[:upper:]]*) echo upper ;&
    fall) echo through ;;
    *) echo other
  esac
}
for x in 42 --help a.tgz '' Abc zed fall; do case_test "$x"; done
### B31
tar czf a.tgz src && tar tzf a.tgz | sort; mkdir ex && tar xzf a.tgz -C ex && find ex -type f | wc -l
zip -qr a.zip src && unzip -l a.zip | awk 'END{print $2}'
gzip -k words.txt && zcat words.txt.gz | cmp - words.txt && echo same; gunzip -c words.txt.gz | head -1
### B32
cat > log.awk <<'AWK'
BEGIN { FS = "[][ ]+" }
/ERROR/ { e[$1]++ }
{ n++ }
END { for (k in e) printf "%s %d\n", k, e[k]; print n }
AWK
awk -f log.awk app.log | sort
grep -c ERROR app.log; grep -m1 -n ERROR app.log; sed -n '/ERROR/{=;p;q}' app.log
### B33
out=$(python3 -c 'import sys; print("o"); print("e", file=sys.stderr); sys.exit(3)' 2>err.txt) || rc=$?
echo "out=$out rc=$rc err=$(cat err.txt)"
if ! msg=$(ls nowhere 2>&1); then echo "${msg##*: }"; fi
x=$(false) && echo yes || echo "no $?"
### B34
ts() { while IFS= read -r l; do printf '%s: %s\n' "$1" "$l"; done; }
{ echo a; echo b; } | ts OUT | tee >(wc -l > count) > /dev/null; sleep 0.2; cat count
{ { echo o; echo e >&2; } 2>&1 1>&3 | sed 's/^/E:/' ; } 3>&1 | sort
### B35
s='a.b.c'; IFS=. read -r x y z <<< "$s"; echo "$x$y$z"
IFS=: ; set -- $PATH; unset IFS; echo $(( $# > 1 ))
v='  pad  '; echo "[${v#"${v%%[![:space:]]*}"}]"; echo "[${v%"${v##*[![:space:]]}"}]"
printf '%s' "$v" | sed 's/^ *//;s/ *$//' ; echo; echo $v
### B36
select_db() { sqlite3 t.db "$1"; }
sqlite3 t.db <<'SQL'
CREATE TABLE u(id INTEGER PRIMARY KEY, name TEXT, age INT);
INSERT INTO u(name, age) VALUES ('ann', 30), ('bob', 25), ('cy', NULL);
SQL
select_db 'select name, age from u order by age'
select_db 'select count(*), avg(age) from u'; sqlite3 -header -csv t.db 'select * from u limit 1'
### B37
nl=$'\n'; multi="l1${nl}l2${nl}${nl}l4"
while IFS= read -r line || [[ -n $line ]]; do echo "<$line>"; done <<< "$multi"
echo "$multi" | awk 'NF' | wc -l; echo "${multi//$nl/,}"
printf '%s\n' "$multi" | sed -n '$='; printf '%s' "no nl" | while read -r l; do echo "got $l"; done; echo "end"
### B38
lock=./l; if mkdir "$lock" 2>/dev/null; then echo locked; fi; mkdir "$lock" 2>/dev/null || echo busy; rmdir "$lock"
exec 9> lockf; flock -n 9 && echo flocked; exec 9>&-
umask 027; touch um; stat -c %a um; umask; install -m 640 /dev/null inst; stat -c %a inst
### B39
echo 'v: {{ name }} {{missing}}' > tpl
name=World; sed "s/{{ *name *}}/$name/; s/{{ *missing *}}/-/" tpl
export WHO=env; envsubst '$WHO' <<< 'hi $WHO $HOME_NOT'
perl -v > /dev/null 2>&1 && echo perl; python3 -c "import string; print(string.Template('\$a b').substitute(a=1))"
### B40
declare -i n=5; n+=3; echo $n; n=2*4; echo $n; declare -r K=1; (K=2) 2>/dev/null; echo $?
declare -l low=ABC; declare -u up=abc; echo $low $up; declare -n ref=n; ref=9; echo $n
f() { declare -g G=1; local L=2; }; f; echo "$G[${L-unset}]"; export -p | grep -c 'declare -x'
unset n; echo "${n-gone}"; declare -a e=(); echo "${#e[@]}" "${e[0]-none}"
### B41
timeout 0.2 bash -c 'while :; do :; done'; echo "rc $?"
( sleep 5 & wait $! ) & p=$!; sleep 0.1; kill $p; wait $p 2>/dev/null; echo "rc $?"
jobs; sleep 0.1 & wait %1; echo $?; time (true) 2>/dev/null; { time true; } 2>&1 | grep -c real
### B42
echo '<a href="x">t</a><b>u</b>' | grep -oP '(?<=href=")[^"]*'
echo 'k=v; k2=v2' | grep -oE '[a-z0-9]+=[a-z0-9]+' | tr '=' ':'
printf 'a1b22c333\n' | sed -E 's/[0-9]+/(&)/g; s/\(([0-9])\)/<\1>/'
echo 'CamelCaseString' | sed -E 's/([A-Z])/_\L\1/g; s/^_//'; echo 'foo_bar' | sed -E 's/_(.)/\U\1/g'
### B43
a=1; b=2; (( a < b )) && echo lt; (( a == 1 && b == 2 )) && echo and; let "c = a + b"; echo $c; ((c++)); echo $((c--)) $c
for ((i=0,j=10;i<j;i+=3,j-=2)); do echo $i,$j; done
i=0; while ((i++<3)); do ((i==2)) && continue; echo $i; done; until ((i<=0)); do ((i-=2)); done; echo $i
### B44
cat > pkg.json <<'J'
{"name":"x","version":"1.2.3","scripts":{"test":"echo t"},"dependencies":{"b":"^2","a":"~1"}}
J
v=$(jq -r .version pkg.json); IFS=. read -r ma mi pa <<< "$v"
jq --arg v "$ma.$((mi+1)).0" '.version=$v' pkg.json > p2 && mv p2 pkg.json
jq -r '.version, (.dependencies|to_entries[]|"\(.key)@\(.value)")' pkg.json; jq -S -c .dependencies pkg.json; node -e 'console.log(require("./pkg.json").scripts.test)'
### B45
cat > w.sh <<'W'
for s in INT TERM HUP USR1; do trap "echo got $s" $s; done
echo $BASHPID > pid; for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done; echo done
W
bash w.sh & sleep 0.3; kill -USR1 $(cat pid); sleep 0.2; kill -HUP $(cat pid); wait; echo "rc $?"
### B46
split -l 3 -d words.txt part_; ls part_* | tr '\n' ' '; echo; cat part_* | cmp - words.txt && echo joined
csplit -s -f cs_ notes.txt 2 2>/dev/null; ls cs_* | wc -l
tail -n 2 words.txt | rev | rev; tac words.txt | head -1; shuf -e a b c | sort | tr -d '\n'; echo; sort -R words.txt | wc -l
### B47
set -- one two three four; echo "$2 ${@: -1} ${@:2:2} $#"; shift 2; echo "$*"; set -- "${@/t/T}"; echo "$@"
f() { echo "${1:-def}" "${2:?need two}"; }; (f a) 2>/dev/null; echo $?; f "" b; set --; echo $#
last=${!#}; echo "${last##*/}" | grep -c bash
### B48
python3 - <<'PY' > big.txt
for i in range(2000): print(f"{i%7} line {i} {'x'*(i%50)}")
PY
wc -l big.txt; sort -n big.txt | head -2; cut -d' ' -f1 big.txt | sort | uniq -c | sort -rn | head -3 | awk '{print $1,$2}'
awk '{l=length($0); if(l>m){m=l;n=NR}} END{print n,m}' big.txt; head -c 100 big.txt | wc -l; sed -n '1000,1001p' big.txt | cut -c1-12; grep -c '^3 ' big.txt
### B49
d1=$(mktemp -d); d2=$(mktemp -d); echo a > $d1/x; echo b > $d2/x; echo c > $d1/only
diff -rq $d1 $d2 | sed "s#$d1#D1#g; s#$d2#D2#g"; diff -u --label a --label b $d1/x $d2/x; cp -r $d1/. $d2/; ls $d2; diff -r $d1 $d2 && echo equal
diff -u $d1/x <(echo z) | sed 1,2d | patch -s $d1/x - && cat $d1/x; rm -r $d1 $d2
### B50
cat > menu.sh <<'M'
PS3='? '
select o in start stop quit; do
  case $o in quit) break ;; "") echo bad ;; *) echo "$REPLY:$o" ;; esac
done
M
printf '1\n9\n2\n3\n' | bash menu.sh 2>/dev/null; echo "rc $?"; yes n | head -1 | { read -r -p 'ok? ' a; echo "a=$a"; }
### B51
# a comment with 'quote
echo "it's" 'say "hi"' $'tab\there' "a\$b" 'a\b' a\ b; echo "$(echo "nested $(echo "deep 'q'")")"
echo {a,b}{1..2} ~+ | sed "s#$PWD#P#"; echo "${HOME:0:1}" '$(no)' "\`no\`" \# no comment; : "${z:=set}"; echo $z
x='a b'; [ "$x" = 'a b' ] && echo eq; [[ $x = a\ b ]] && echo eq2; [[ $x == a* && ! $x == b* ]] && echo glob
### B52
f=report.tar.gz; echo ${f%.*} ${f%%.*} ${f#*.} ${f##*.}; p=/a/b/../c; echo ${p//..\//}; realpath -m $p; dirname $p; basename $f .gz
readlink -f . | sed "s#$PWD#P#"; ln -s words.txt lnk; readlink lnk; [ -L lnk ] && [ -f lnk ] && [ ! -d lnk ] && echo link; test words.txt -nt nope && echo nt
### B53
cat > t_test.py <<'PY'
import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(1 + 1, 2)
    def test_b(self): self.assertTrue("x" in "xyz")
if __name__ == "__main__": unittest.main()
PY
python3 t_test.py 2>&1 | grep -E '^(Ran 2|OK)' | sed 's/ in .*//'; python3 -m unittest -q t_test 2>&1 | tail -1
python3 -m doctest -v /dev/null | tail -1; python3 -m py_compile t_test.py && ls __pycache__ | wc -l
### B54
ps -o pid= -p $$ | grep -c .; kill -l 15; kill -l TERM; (exit 143); kill -l $?
bash -c 'kill -9 $$' ; echo $?; bash -c 'exec false'; echo $?; (exec true; echo no); echo $?; command true; builtin echo b; env -i A=1 env; env A=2 sh -c 'echo $A'
### B55
shopt -s globstar extglob dotglob; echo src/**/*.txt; echo !(*.txt|*.csv); ls -d @(words|numbers).txt; shopt -u dotglob; echo ?(x)words*; rm -f !(words.txt|src); ls
### B56
while :; do
  case $((i++)) in 0) continue ;; 3) break ;; esac
  for j in a b c; do [[ $j == b ]] && continue 2; echo "$i$j"; done
done; echo "i=$i"
{ read -r a; read -r b; cat; } < <(seq 4) | tr '\n' ' '; echo; for w in $(echo 'a b' c); do echo -n "<$w>"; done; echo
### B57
hex=$(printf 'Hi\n' | xxd -p); echo $hex; echo $hex | xxd -r -p; printf 'Hi' | base64; echo SGk= | base64 -d; echo; printf 'a' | sha256sum | cut -c1-16; printf '%08b\n' 5 2>/dev/null; echo "obase=2; 5" | bc; printf '\x41\102\u0043\n'; od -An -c <<< ab
### B58
cat > fmt.sh <<'S'
usage() {
	cat <<-U
		usage: x [-a]
		  -a  all
	U
}
usage
[ "${BASH_SOURCE[0]}" = "$0" ] && echo direct || echo sourced
S
bash fmt.sh; . ./fmt.sh; declare -f usage; type usage | head -1
### B59
exec 4>&1; v=$( { echo captured; echo direct >&4; } ); exec 4>&-; echo "v=$v"
{ echo 1; exit 3; } | cat; echo "${PIPESTATUS[*]}"; ! true | false; echo $?; set -o pipefail; false | true; echo $?; set +o pipefail; (false; true) | cat; echo $?
if grep -q nope words.txt; then echo y; else echo "n $?"; fi; cmp -s words.txt numbers.txt; echo $?
### B60
n=0; while read -r -d '' f; do ((n++)); done < <(find src -type f -print0); echo $n
printf '%s\0' 'a b' $'c\nd' | xargs -0 -n1 printf '[%q]\n'; printf '%s\n' 3 1 2 | sort | xargs; seq 5 | xargs -n2 echo; echo a b | xargs -I{} echo '<{}>'; seq 3 | xargs -P2 -n1 sh -c 'echo $0' | sort
