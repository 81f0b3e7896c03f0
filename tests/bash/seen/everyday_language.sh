### strict mode script
bash -c 'set -euo pipefail; f() { local n=$1; echo "n=$n"; }; f 1; f 2 | cat; false | true; echo never'; echo $?
### unset variable in a function under set -u
bash -c 'set -u; f() { echo "$1"; echo after; }; f; echo never' 2>/dev/null; echo $?
### default for an unset variable
set -u; echo "${name:-world} ${1-none} ${x+set}"; : "${y:=5}"; echo $y
### error message and usage function
usage() { echo "usage: $0 file" >&2; return 2; }; usage 2>/dev/null || echo "code $?"
### getopts
f() { local OPTIND o v= n=1; while getopts 'vn:h' o; do case $o in v) v=yes;; n) n=$OPTARG;; *) echo bad; return 1;; esac; done; shift $((OPTIND-1)); echo "v=$v n=$n rest=$*"; }; f -v -n 3 a b; f x; f -z 2>/dev/null
### long options loop
set -- --name=bob --force -- a b; while [ $# -gt 0 ]; do case $1 in --name=*) n=${1#*=};; --force) f=1;; --) shift; break;; esac; shift; done; echo "$n $f $@"
### associative array count
declare -A c; while read -r w; do c[$w]=$(( ${c[$w]:-0} + 1 )); done < words.txt; for k in "${!c[@]}"; do echo "$k ${c[$k]}"; done | sort
### associative array tests
declare -A m=([a]=1 [b]=2); [[ -v m[a] ]] && echo has; [[ -v m[z] ]] || echo lacks; unset 'm[a]'; echo ${#m[@]} ${!m[@]}
### array slices
a=(a b c d e); echo "${a[@]:1:2}" "${a[@]: -2}" "${#a[@]}"; a+=(f); a=("${a[@]:2}"); echo "${a[*]}"
### array from a string
IFS=, read -ra p <<< "x,y,z"; echo "${p[1]} ${#p[@]}"; s='a:b:c'; a=(${s//:/ }); echo ${a[2]}
### array join
a=(1 2 3); (IFS=,; echo "${a[*]}"); printf '%s\n' "${a[@]}" | paste -sd+ | bc; echo "${a[@]/#/n}"
### array filter
a=(apple bob avocado); r=(); for x in "${a[@]}"; do [[ $x == a* ]] && r+=("$x"); done; echo "${r[@]}"
### array contains
a=(x y z); if [[ " ${a[*]} " == *" y "* ]]; then echo yes; fi; echo ${!a[@]}; unset 'a[1]'; echo "${!a[@]}"
### reverse an array
a=(1 2 3); for ((i=${#a[@]}-1; i>=0; i--)); do printf '%s ' "${a[i]}"; done; echo
### string operations
s='Hello World'; echo ${#s} ${s:6} ${s:0:5} ${s: -3} ${s^^} ${s,,} ${s/o/0} ${s//o/0}
### trimming
s='  padded  '; s="${s#"${s%%[![:space:]]*}"}"; s="${s%"${s##*[![:space:]]}"}"; echo "[$s]"
### prefix and suffix
f=/a/b/file.tar.gz; echo ${f##*/} ${f%.*} ${f%%.*} ${f#/*/} $(basename $f .gz) $(dirname $f)
### substring replace anchored
v=foobar; echo ${v/#foo/X} ${v/%bar/Y} ${v/o*/Z}
### indirect and nameref
x=5; n=x; echo ${!n}; f() { local -n r=$1; r=$((r+1)); }; f x; echo $x
### capitalise
w=word; echo ${w^} ; W=WORD; echo ${W,}; echo "${w@Q} ${w@U}"
### arithmetic
echo $((7/2)) $((7%3)) $((2**10)) $((0xff)) $((8#17)) $((1<<4)) $((5>3?1:0)) $(( (1+2)*3 ))
### arithmetic assignment
i=5; ((i++)); ((i+=2)); let 'i*=2'; echo $i; (( i > 10 )) && echo big; echo $((i--)) $i
### arithmetic on arrays
a=(3 1 2); s=0; for n in "${a[@]}"; do ((s+=n)); done; echo $s; ((a[1]+=5)); echo ${a[1]}
### float by bc and awk
echo 'scale=3; 10/3' | bc; awk 'BEGIN{printf "%.2f\n", 10/3}'; echo "2^10" | bc; echo "sqrt(2)" | bc -l | cut -c1-6
### compare versions
v1=1.10.0 v2=1.9.9; [ "$(printf '%s\n' $v1 $v2 | sort -V | tail -1)" = $v1 ] && echo newer
### until with a counter
n=0; until [ $n -ge 3 ]; do n=$((n+1)); done; echo $n
### nested loops with break and continue
for i in 1 2 3; do for j in a b c; do [ $j = b ] && continue 2; [ $i = 3 ] && break 2; echo $i$j; done; done
### case with patterns
for f in a.tar.gz b.zip c.txt README; do case $f in *.tar.gz|*.tgz) echo tar;; *.zip) echo zip;; *.*) echo "ext ${f##*.}";; *) echo none;; esac; done
### case falls through
case a in a) echo 1;& b) echo 2;;& *) echo 3;; esac
### select by regular expression
s='2024-05-06'; if [[ $s =~ ^([0-9]{4})-([0-9]{2})-([0-9]{2})$ ]]; then echo "${BASH_REMATCH[3]}.${BASH_REMATCH[2]}.${BASH_REMATCH[1]}"; fi
### regular expression in a variable
re='^[a-z]+@[a-z]+\.[a-z]+$'; for e in a@b.cz bad x@y; do [[ $e =~ $re ]] && echo "$e ok" || echo "$e no"; done
### here-string and read
read -r a b <<< "one two three"; echo "$a|$b"; read -r -n 3 c <<< abcdef; echo $c
### here-document with expansions
name=you; cat <<EOF
Hello $name, $(echo sub), $((1+1))
  kept \$literal
EOF
cat <<-'EOF'
	tabs go, $name stays
EOF
### here-document into a loop
while read -r k v; do echo "$v:$k"; done <<EOF
a 1
b 2
EOF
### read a file with line numbers
n=0; while IFS= read -r l || [ -n "$l" ]; do n=$((n+1)); echo "$n: $l"; done < <(printf 'x\n y\nz')
### variables of a piped loop
n=0; cat words.txt | while read -r _; do n=$((n+1)); done; echo $n; n=0; while read -r _; do n=$((n+1)); done < words.txt; echo $n
### process substitution
diff <(sort words.txt | uniq) <(sort -u words.txt) && echo same; wc -l < <(seq 5)
### tee into a process
seq 3 | tee >(wc -l > count) > /dev/null; sleep 0.1; cat count
### several descriptors
exec 3> out; echo a >&3; echo b >&3; exec 3>&-; cat out; exec 4< words.txt; read -r l <&4; read -r m <&4; echo $l $m; exec 4<&-
### swap the streams
f() { echo out; echo err >&2; }; f 3>&1 1>&2 2>&3 3>&- 2>/dev/null | cat
### stderr into a variable
e=$(ls nothing 2>&1 >/dev/null); echo "$e" | grep -c 'No such file'
### output of both in a file
{ echo out; echo err >&2; } > all 2>&1; cat all; { echo o; echo e >&2; } &> all; wc -l < all
### trap and cleanup order
bash -c 'trap "echo one" EXIT; trap "echo int" INT; echo run; exit 3'; echo $?
### trap with errors and lines
bash -c 'set -e; trap "echo failed with \$?" ERR; echo a; false; echo b'; echo $?
### signal to oneself
bash -c 'trap "echo got; exit 0" TERM; kill -TERM $$; echo never'
### background jobs and codes
(exit 3) & p=$!; wait $p; echo $?; for i in 1 2 3; do (echo $i > f$i) & done; wait; cat f?
### parallel with wait in order
f() { sleep 0.0$1; echo $1; }; f 3 & f 1 & wait; echo all
### timeout of a command
timeout 0.2 sleep 5; echo $?; timeout 5 echo fine
### retry loop
n=0; try() { ((++n >= 3)); }; until try; do echo "try $n"; done; echo "ok after $n"
### pipe status
false | true | (exit 4); echo "${PIPESTATUS[*]}"; set -o pipefail; false | true; echo $?
### and-or lists
true && echo a || echo b; false && echo a || echo b; ! true || echo c; { false; } || echo d
### local does not leak
x=1; f() { local x=2 y=3; g; }; g() { echo $x; }; f; echo $x ${y-unset}
### return values and command output
max() { (( $1 > $2 )) && echo $1 || echo $2; }; echo $(max 3 9); is() { [[ $1 == y* ]]; }; is yes && echo true
### recursion
fact() { (( $1 <= 1 )) && echo 1 || echo $(( $1 * $(fact $(($1-1))) )); }; fact 6
### declare kinds
declare -i n=3+4; echo $n; declare -r c=1; (c=2) 2>/dev/null || echo ro; declare -u up=abc; echo $up; declare -p n
### export to a child
export A=1; B=2; bash -c 'echo "${A}-${B-unset}"'; C=3 bash -c 'echo $C'; echo ${C-gone}
### eval and quoting
cmd='echo "a  b" c'; eval "$cmd"; args=(-n 'x y'); echo "${args[@]}"; echo
### special parameters
f() { echo "$# $1 $* $@ ${*: -1}"; shift; echo $1; }; f a b c; set -- x y; echo $#
### printf into a variable
printf -v s '%03d-%s' 7 x; echo $s; printf -v a[1] hi; echo ${a[1]}
### dates
date -u -d '2024-02-29 +1 year' +%F; date -u -d '2024-03-10 15:04:05' '+%a %d %b %Y %I:%M %p'; date -u -d @86400 +%FT%TZ; echo $(( ($(date -u -d 2024-03-01 +%s) - $(date -u -d 2024-02-01 +%s)) / 86400 ))
### relative dates
date -u -d '2024-01-31 + 1 month' +%F; date -u -d '2024-05-01 yesterday' +%F; date -u -d '2024-05-01 next monday' +%F 2>/dev/null
### random and seconds
r=$((RANDOM % 10)); (( r >= 0 && r < 10 )) && echo in; [ $SECONDS -ge 0 ] && echo secs; echo ${#RANDOM} | grep -c .
### which and type
type -t echo; type -t ls; f() { :; }; type -t f; command -v nothing || echo none; type -t if
### aliases in a script
shopt -s expand_aliases
alias ll='ls -1'
ll src
### command substitution nested
echo "$(echo "a $(echo "b $(echo c)")")"; x=`echo old`; echo $x
### multiline pipeline
cat words.txt |
  sort |
  uniq -c |
  awk '$1 > 1 { print $2 }'
### functions from a file
printf 'hi() { echo "hi $1"; }\nV=3\n' > lib.sh; . ./lib.sh; hi you; echo $V
### python one-liners
python3 -c 'print(sum(int(l) for l in open("numbers.txt")))'; echo 1 2 3 | python3 -c 'import sys; print(max(map(int, sys.stdin.read().split())))'
### python here-document
python3 - a b <<'EOF'
import sys
print(sys.argv[1:], len(sys.argv))
sys.exit(4)
EOF
echo $?
### make with variables
printf 'NAME ?= x\nall: $(NAME).out\n%%.out:\n\t@echo making $@\n\t@touch $@\n.PHONY: all\n' > Makefile; make; make NAME=y; make
### colours
printf '\033[31mred\033[0m\n' | cat -v; echo -e '\e[1mb\e[0m' | od -An -c | head -1
### ternary by and-or in a loop
for i in {1..15}; do ((i%15==0)) && echo FizzBuzz && continue; ((i%5==0)) && echo Buzz && continue; ((i%3==0)) && echo Fizz || echo $i; done | paste -sd' '
### prime numbers
for ((n=2;n<30;n++)); do p=1; for ((d=2;d*d<=n;d++)); do ((n%d==0)) && { p=0; break; }; done; ((p)) && printf '%d ' $n; done; echo
### sorted keys of a map
declare -A ages=([bob]=30 [al]=25); for k in $(printf '%s\n' "${!ages[@]}" | sort); do printf '%s:%s ' "$k" "${ages[$k]}"; done; echo
### environment file
printf 'A=1\n# c\nB="x y"\n' > .env; set -a; . ./.env; set +a; env | grep -E '^(A|B)=' | sort
### xargs in parallel with a shell
seq 3 | xargs -P2 -I{} bash -c 'echo $(( {} * {} ))' | sort
### command not found and codes
nosuch 2>/dev/null; echo $?; ./words.txt 2>/dev/null; echo $?; sh -c 'exit 7'; echo $?; test 1 -eq 2; echo $?
### string compare
[[ abc < abd ]] && echo less; [ "a" != "b" ] && echo differ; [[ -z "" && -n x ]] && echo both; [ 5 -gt 3 -a 2 -lt 3 ] && echo and
### time keyword
time true 2>/dev/null; { time sleep 0; } 2>&1 | grep -c real
### xtrace
bash -xc 'x=1; echo "$x y" | cat' 2>&1
