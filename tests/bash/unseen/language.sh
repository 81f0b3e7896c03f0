### a for loop over a range
for i in {1..5}; do printf '%s ' "$i"; done; echo
### an until loop
n=3; until (( n == 0 )); do echo $n; ((n--)); done
### read lines from a file
while read -r line; do echo "> $line"; done < words.txt
### a variable survives process substitution
n=0; while read -r _; do ((n++)); done < <(cat words.txt); echo $n
### case falls through
case a in a) echo 1;;& [a-c]) echo 2;& z) echo 3;; *) echo 4;; esac
### length and substring
s='hello world'; echo ${#s} ${s:0:5} ${s:6} ${s: -3} ${s:1:-1}
### change case
s='Hello World'; echo "${s^^}" "${s,,}" "${s~~}" "${s^}"
### arithmetic
echo $((7 / 2)) $((7 % 3)) $((2 ** 8)) $((1 << 4)) $((5 > 3)) $((0xff)) $((010)) $((2#101))
### arrays
a=(one two three); echo ${a[0]} ${a[-1]} ${#a[@]}; a+=(four); echo "${a[@]:1:2}"; unset 'a[1]'; echo "${!a[@]}"
### test for a key
declare -A m=([a]=1); [[ -v m[a] ]] && echo yes; [[ -v m[b] ]] || echo no
### mapfile
mapfile -t lines < words.txt; echo ${#lines[@]} "${lines[2]}"
### functions with arguments
greet() { echo "Hello, $1! You have $# arguments: $*"; }; greet Ana b c
### recursion
fact() { (( $1 <= 1 )) && echo 1 || echo $(( $1 * $(fact $(($1 - 1))) )); }; fact 10
### getopts
parse() { local OPTIND o; while getopts 'ab:' o "$@"; do case $o in a) echo A;; b) echo "B=$OPTARG";; *) echo bad;; esac; done; shift $((OPTIND - 1)); echo "rest $*"; }; parse -a -b val x y
### exit code of a substitution
x=$(false); echo $?; y=$(exit 3) || echo "failed $?"
### a here-document without tabs
cat <<-EOF
	indented
	  more
EOF
### groups share variables
x=1; { x=2; echo $x; }; echo $x
### regular expressions
s='file-2024-05.log'; if [[ $s =~ ([0-9]{4})-([0-9]{2}) ]]; then echo ${BASH_REMATCH[1]} ${BASH_REMATCH[2]}; fi
### numeric tests
[ 10 -gt 9 ] && [[ 2 -le 2 ]] && echo ok; test 1 -eq 2; echo $?
### special parameters
f() { echo $# "$1" "$*"; }; f x 'y z'; echo $?
### printf escapes and quotes
printf '%b' 'a\tb\n'; printf '%q\n' "it's a test"; printf '\x41\u00e9\n'
### strict mode stops at an error
bash -c 'set -euo pipefail; echo start; false; echo never'; echo "rc $?"
### pipefail
set -o pipefail; false | cat; echo $?; set +o pipefail; false | cat; echo $?
### drop errors
ls nothing 2>/dev/null || echo failed
### read from a descriptor
exec 4< words.txt; read -r a <&4; read -r b <&4; exec 4<&-; echo $a $b
### run a script file
printf '#!/bin/bash\necho "args: $@"\nexit 4\n' > run.sh; chmod +x run.sh; ./run.sh a b; echo $?
### read-only variables
readonly R=1; (R=2) 2>/dev/null; echo $? $R
### declare a function's text
f() { echo hi; }; declare -F f
### extended patterns
shopt -s extglob; x=foobar.txt; echo ${x%.@(txt|md)} ${x##+([a-f])}; ls !(*.txt|*.csv|src)
### random numbers
[ $RANDOM -ge 0 ] && [ $RANDOM -le 32767 ] && echo random
### command grouping with redirection
{ echo one; echo two; } > both.txt; wc -l < both.txt
### string repetition
printf -- '-%.0s' {1..10}; echo
### descriptors that last
exec 3>&1; echo a >&3; { echo b >&2; } 2>&3 | cat; exec 3>&-; { echo c >&3; } 2>/dev/null || echo closed
### a file for all output
exec 4>&1 >log; echo one; x=$(echo two); echo $x; exec >&4; cat log; echo out
### trap of return
f() { trap 'echo ret' RETURN; echo in; }; f; echo after
### options with nounset
set -u; set -- -a -b x y; while getopts ab: o; do echo "$o ${OPTARG-none} $OPTIND"; done; shift $((OPTIND-1)); echo "$@"
### sixty-four bits
echo $((2**62)) $((2**63)) $((0x7fffffffffffffff+1)) $((1<<40)) $((~5))
### a menu
printf '2\n' | { select x in one two three; do echo "got $x"; break; done; } 2>/dev/null
### toggled case
v=aBc; echo ${v~~} ${v~}
### bytes in a variable
x=$(printf '\xff\xfe'); printf '%s' "$x" | od -An -tx1
### keys in order
declare -A m=([one]=1 [two]=2 [three]=3 [four]=4); echo "${!m[@]}"; declare -p m
### an error gives up its line
readonly r=1; r=2 2>/dev/null; echo no
echo "still $r"; echo $((1/0)) 2>/dev/null; echo no
echo on
### an extended pattern
shopt -s extglob
ls !(*.txt|*.csv|src); v=aaabbb; echo ${v##+(a)}; case foo in !(bar)) echo other;; esac
### a separator joins
set -- "a b" c "" d; IFS=-; echo "$*"; echo $*
