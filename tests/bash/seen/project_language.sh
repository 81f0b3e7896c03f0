### a default and an error
unset v; echo "${v:-dflt} ${v:=set} $v ${v:+alt}"; (: "${missing:?is not set}") 2>/dev/null; echo $?
### substrings and lengths
s=abcdefgh; echo "${s:2:3} ${s: -3} ${#s} ${s:0:-2} ${s:(-4):2}"
### replacements in a variable
s="foo.bar.baz"; echo "${s/./-} ${s//./-} ${s/#foo/X} ${s/%baz/Y} ${s//[aeiou]/}"
### change the case
s="Hello World"; echo "${s^^} ${s,,} ${s~} ${s^} ${s,}"
### indirect expansion
a=b; b=c; echo "${!a}"; for v in HOME_X HOME_Y; do declare "$v=1"; done; echo "${!HOME_@}"
### arrays slices and length
a=(one two three four five); echo "${a[@]:1:3} ${#a[@]} ${a[-1]} ${!a[@]}"; a+=(six); unset 'a[0]'; echo "${a[*]}" "${#a[@]}"
### array join with IFS
join() { local IFS="$1"; shift; echo "$*"; }; join , a b c; join / usr local bin
### split into an array
IFS=: read -ra parts <<< "a:b::d"; echo "${#parts[@]}"; printf '[%s]' "${parts[@]}"; echo
### associative array counting
declare -A n; while read -r w; do ((n[$w]++)); done < words.txt; for k in "${!n[@]}"; do echo "$k=${n[$k]}"; done | sort
### key exists
declare -A m=([a]=1 [b]=); [[ -v m[b] ]] && echo yes; [[ -v m[c] ]] || echo no; echo "${m[c]-none} ${#m[@]}"
### mapfile and loops
mapfile -t lines < numbers.txt; echo "${#lines[@]} ${lines[0]} ${lines[-1]}"; for i in "${!lines[@]}"; do ((lines[i] > 9)) && echo "$i:${lines[i]}"; done
### mapfile from a command
mapfile -t -n 2 -s 1 x < <(sort words.txt); declare -p x
### arithmetic of all kinds
echo $((7/2)) $((7%3)) $((2**10)) $((1<<4)) $((5&3)) $((5|3)) $((5^3)) $((~5)) $((!0)) $((3>2?10:20))
### bases
echo $((16#ff)) $((2#1010)) $((0x1F)) $((010)) $((36#z)); printf '%x %o %X %#x\n' 255 8 255 255
### increments
i=5; echo $((i++)) $((++i)) $((i--)) $i; ((i+=10, i*=2)); echo $i; let j=i/4; echo $j
### c style loop with break and continue
for ((i=0; i<10; i++)); do ((i==3)) && continue; ((i>6)) && break; printf '%d ' $i; done; echo
### until and nested break
n=0; until ((n>=5)); do for x in a b; do ((n++)); ((n==3)) && break 2; done; done; echo $n
### case with classes and fallthrough
for x in 5 abc A .; do case $x in [0-9]) echo digit;; [[:lower:]]*) echo lower;;& a*) echo a;; [[:upper:]]) echo upper;; *) echo other;; esac; done
### select a verb
main() { case "${1:-help}" in build|b) echo building;; test) shift; echo "testing $*";; -h|--help|help) echo usage;; *) echo "unknown: $1" >&2; return 2;; esac; }; main b; main test x y; main; main zz 2>&1; echo $?
### getopts with values
parse() { local OPTIND o; while getopts ':vo:n:' o; do case $o in v) echo verbose;; o) echo "out=$OPTARG";; n) echo "n=$OPTARG";; :) echo "missing $OPTARG";; \?) echo "bad $OPTARG";; esac; done; shift $((OPTIND-1)); echo "rest: $*"; }; parse -v -o f.txt a b; parse -x -n
### long options by hand
set -- --name=bob -v --level 3 file; while (($#)); do case $1 in --*=*) echo "${1%%=*} -> ${1#*=}"; shift;; --level) echo "level $2"; shift 2;; -*) echo "flag $1"; shift;; *) echo "arg $1"; shift;; esac; done
### function with return and local
f() { local x=$1; ((x > 2)) && return 1; x=changed; return 0; }; x=keep; f 1; echo $? $x; f 5; echo $? $x
### recursion
fact() { (($1 <= 1)) && echo 1 || echo $(($1 * $(fact $(($1-1))))); }; fact 10; fib() { local n=$1; ((n<2)) && echo $n || echo $(($(fib $((n-1))) + $(fib $((n-2))))); }; fib 10
### nameref
swap() { local -n p=$1 q=$2; local t=$p; p=$q; q=$t; }; a=1 b=2; swap a b; echo $a $b
### trap on exit and cleanup
bash -c 'd=$(mktemp -d); trap "rm -rf $d; echo cleaned" EXIT; touch $d/x; ls $d; exit 3'; echo $?
### err trap with line
bash -c 'trap "echo failed: \$?" ERR; false; (exit 4); true; echo end'
### errexit in conditions
bash -c 'set -e; if false; then :; fi; false || echo or; f() { false; echo in; }; f && echo and; echo before; false; echo never'; echo $?
### pipefail
set -o pipefail; false | true; echo $?; set +o pipefail; false | true; echo $? "${PIPESTATUS[@]}"; true | false | true; echo "${PIPESTATUS[*]}"
### subshell keeps variables
x=1; (x=2; cd /; echo $x); echo $x; y=$(x=3; echo $x); echo $x $y; { x=4; }; echo $x
### heredoc with and without expansion
n=World; cat <<EOF; cat <<'EOF'; cat <<-EOF
Hello $n $((1+1)) $(echo sub) \$n
EOF
Hello $n
EOF
	tabbed $n
	EOF
### here string and read
read -r a b rest <<< "one two three four"; echo "$b|$rest"; IFS=, read -r x y <<< "1,2,3"; echo "$y"
### read in characters and with a delimiter
printf 'abcdef' | { read -n 3 x; echo "$x"; read -n 2 y; echo "$y"; }; printf 'a;b;c;' | while read -d ';' p; do echo "<$p>"; done
### printf formats
printf '%5d|%-5d|%05d|%+d|%5.2f|%e\n' 42 42 42 42 3.14159 12345.678; printf '%s-%s\n' a b c; printf '%q\n' "it's a \$test"; printf '%(%Y)T\n' 0
### printf to a variable
printf -v x '%03d' 7; echo $x; printf '%b' 'a\tb\n'; printf '%.3s|%*d\n' abcdef 5 42
### echo escapes
echo -e 'a\tb\\n\x41\u00e9'; echo -n no newline; echo; echo "$'x'" $'tab\there'
### brace expansions
echo {1..5} {a..e..2} {01..03} x{a,b{1,2}}y {5..1} pre{,.bak}
### quoting
a='x  y'; echo $a "$a" '$a' \"$a\"; set -- "a b" c; echo $# "$*"; for x in "$@"; do echo "<$x>"; done; for x in $*; do echo "[$x]"; done
### process substitution and tee
seq 3 | tee >(cat > copy.txt) | tac; sleep 0.2; cat copy.txt; diff <(echo a) <(echo b) | head -2
### background jobs and wait
(sleep 0.1; echo slow; exit 3) & p=$!; echo fast; wait $p; echo "code $?"; for i in 1 2; do (exit $i) & done; wait; echo done
### timeout of a command
timeout 0.3 sleep 5; echo $?; timeout 5 echo quick; echo $?
### redirections of errors
{ echo out; echo err >&2; } 2>&1 >/dev/null; ls nowhere 2>/dev/null || echo "code $?"; { echo a; echo b >&2; } > both.txt 2>&1; sort both.txt
### file descriptors
exec 3> fd.txt; echo one >&3; echo two >&3; exec 3>&-; cat fd.txt; exec 4< words.txt; read -u 4 a; read -u 4 b; exec 4<&-; echo $a $b
### regular expression match
s='v1.22.3-beta'; if [[ $s =~ ^v([0-9]+)\.([0-9]+)\.([0-9]+)(-(.+))?$ ]]; then echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${BASH_REMATCH[5]}"; fi; [[ abc == a*c && ! x < a ]] && echo glob
### version compare
v() { printf '%s\n%s\n' "$1" "$2" | sort -V | head -1; }; v 1.10.0 1.9.3; v 2.0 2.0.1
### command lookups
type -t cd ls if; command -v cd; f() { :; }; type -t f; declare -F f; unset -f f; type f >/dev/null 2>&1 || echo gone
### date arithmetic
date -u -d '2024-02-28 +2 days' +%F; date -u -d @86400 '+%Y-%m-%d %H:%M:%S'; date -d '2024-12-25' '+%j %u %V'; echo $(( ($(date -u -d 2024-03-01 +%s) - $(date -u -d 2024-02-01 +%s)) / 86400 ))
### python one-liner
python3 -c 'import json,sys; d=json.load(open("data.json")); print(sum(u["active"] for u in d["users"]), sys.version_info[0])'; echo '3 4' | python3 -c 'print(sum(map(int, input().split())))'
### python with arguments and exit code
python3 - a b <<'EOF'
import sys
print(sys.argv[1:])
sys.exit(len(sys.argv))
EOF
echo $?
### env and export
export A=1; B=2; bash -c 'echo "[$A][$B]"'; B=5 bash -c 'echo $B'; env -i X=y sh -c 'echo $X ${A:-none}'; env | grep -c '^A='
### environment file
printf 'K1=v1\nK2="v 2"\n# c\n' > .env; set -a; . ./.env; set +a; bash -c 'echo "$K1 $K2"'; export -p | grep -c ' K[12]='
### sourcing a library
printf 'greet() { echo "hi $1"; }\nreturn 7\n' > lib.sh; source lib.sh; echo $?; greet you
### a handler behind a failing function
set -e; f() { false; echo in; }; f || echo handled; { false; } || echo group; eval false || echo eval; x=$(f) || echo text; ! f; trap 'echo bye' EXIT; f || echo trapped; f; echo never
### return in a pipeline of a function
f() { printf 'a\nb\n' | while read -r x; do [ "$x" = b ] && return 3; echo "$x"; done; echo "code $?"; }; f; return 2>/dev/null; echo $?
### return in a file that is sourced
printf 'for i in 1 2; do for j in a b; do [ $i$j = 1b ] && return 4; echo $i$j; done; done\necho no\n' > lib.sh; f() { . ./lib.sh; echo "in f $?"; return 5; }; f; echo $?; for x in 1 2; do source lib.sh; echo "$x $?"; done
### brackets in patterns of case
for l in '[a]' '[b' 'c]' d; do case $l in \[*\]) echo both;; "["*) echo left;; *']') echo right;; [d]) echo letter;; esac; done
### shifts in conditions
((x = 1 << 3)); echo $? $x; ((x >> 4)) || echo zero; i=0; while ((i < 1 << 2)); do ((i += 1 << 1)); done; echo $i
### a list by reference
f() { local -n l=$1; echo "${l[@]}" ${#l[@]} "${!l[@]}" "${l[@]:1}"; l+=(9); for x in "${l[@]}"; do echo "<$x>"; done; }; v=(1 '2 3'); f v; echo "${#v[@]}"; g() { local -n o=$1; o=(a b); }; g w; echo "${w[@]}"
### directories by a pattern
mkdir -p d1/x 'd 2'; touch d3; for d in d*/; do echo "$d"; done; echo none*/ d*/x*/; cd src; echo */; (exit 4) || echo $? */; shopt -s nullglob; echo q*/ end
