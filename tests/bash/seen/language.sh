### a for loop over words
for x in one two three; do echo "item: $x"; done
### a C-style loop
for ((i = 0; i < 5; i++)); do echo $((i * i)); done
### a while loop with a counter
i=0; while [ $i -lt 3 ]; do echo $i; i=$((i + 1)); done
### break and continue
for i in 1 2 3 4 5 6; do [ $i = 2 ] && continue; [ $i = 5 ] && break; echo $i; done
### nested break
for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; echo $a$b; done; done
### read fields with IFS
while IFS=, read -r name city age rest; do echo "$name is $age"; done < people.csv
### read from a pipe
printf 'a 1\nb 2\n' | while read k v; do echo "$v=$k"; done
### if with elif
x=5; if [ $x -gt 10 ]; then echo big; elif [ $x -gt 3 ]; then echo medium; else echo small; fi
### case with patterns
for f in a.txt b.tar.gz c d.py; do case $f in *.txt|*.md) echo text;; *.tar.*) echo archive;; *.py) echo python;; *) echo other;; esac; done
### default values
unset v; echo "${v:-none}" "${v:=set}" "$v" "${v:+alt}"
### error for an unset variable
(echo "${missing:?is required}") 2>/dev/null; echo $?
### prefix and suffix removal
p=/usr/local/lib/file.tar.gz; echo ${p##*/} ${p%/*} ${p%%.*} ${p#*/}
### replace in a variable
s='a-b-c'; echo ${s/-/+} ${s//-/} ${s/#a/X} ${s/%c/Y}
### indirect expansion
name=x; x=42; echo ${!name}
### names by prefix
app_a=1 app_b=2; echo ${!app_*}
### arithmetic assignment
x=5; ((x += 3, x *= 2)); echo $x; let y=x-1; echo $y
### ternary and comma
a=3; echo $((a > 2 ? 10 : 20)); echo $((a++, a))
### loop over array indices
a=(x y z); for i in "${!a[@]}"; do echo "$i=${a[i]}"; done
### associative arrays
declare -A m=([red]=1 [blue]=2); m[green]=3; for k in "${!m[@]}"; do echo "$k ${m[$k]}"; done | sort; echo ${#m[@]}
### join an array
a=(1 2 3); IFS=,; echo "${a[*]}"
### split a string
IFS=: read -ra parts <<< 'a:b:c'; echo ${#parts[@]} ${parts[2]}
### array from a command
files=($(ls src/*.py)); echo ${#files[@]}
### pass an array to a function
f() { local -n ref=$1; echo "${ref[1]}"; }; arr=(p q); f arr
### return codes
is_even() { (( $1 % 2 == 0 )); }; is_even 4 && echo even; is_even 3 || echo odd
### local variables
x=global; f() { local x=inner; echo $x; }; f; echo $x
### shift through arguments
set -- a b c; while (( $# )); do echo $1; shift; done
### all arguments quoted
show() { for a in "$@"; do echo "[$a]"; done; }; show 'a b' c ''
### command substitution strips line ends
x=$(printf 'a\n\n'); echo "[$x]"
### nested substitution
echo "$(echo "$(echo inner) outer")"
### a here-document expands
name=World; cat <<EOF
Hello $name
$((1 + 2)) $(echo sub)
EOF
### a quoted here-document doesn't
cat <<'EOF'
$HOME `date` \n
EOF
### a here-string
wc -w <<< 'one two three'
### subshell variables stay inside
x=1; (x=2; echo $x); echo $x
### and or chains
true && echo a || echo b; false && echo c || echo d
### negation
! false && echo yes; if ! grep -q zzz words.txt; then echo absent; fi
### patterns in double brackets
[[ foobar == foo* ]] && echo match; [[ 'a b' == 'a b' ]] && echo same; [[ abc < abd ]] && echo less
### string tests
[ -z '' ] && [ -n x ] && [ a != b ] && echo ok
### brace expansion
echo {a,b}{1,2} {01..03} {a..e..2} pre{x,y}post
### quoting
echo 'single $x' "double \"quoted\"" $'tab\there' a\ b
### printf formats
printf '%5d|%-5s|%05.2f|%x|%o|%e|%%\n' 42 ab 3.14159 255 8 12345.678
### printf repeats its format
printf '%s=%d\n' a 1 b 2
### printf into a variable
printf -v padded '%03d' 7; echo $padded
### echo options
echo -n no newline; echo; echo -e 'a\tb'; echo -E 'a\tb'
### strict mode and an unset variable
bash -c 'set -u; echo $undefined' 2>/dev/null; echo $?
### errexit is ignored in conditions
set -e; if false; then :; fi; false || true; ! true; echo survived
### the codes of a pipeline
true | false | (exit 3); echo "${PIPESTATUS[@]}"
### both streams to one place
{ echo out; echo err >&2; } 2>&1 | sort
### swap streams
f() { echo out; echo err >&2; }; f 3>&1 1>&2 2>&3 3>&- 2>/dev/null
### write to a descriptor
exec 3> out.txt; echo one >&3; echo two >&3; exec 3>&-; cat out.txt
### eval
cmd='echo "a  b"'; eval "$cmd"; eval 'x=1; y=2'; echo $((x + y))
### source a file
echo 'lib() { echo "from lib $1"; }; VALUE=7' > lib.sh; . ./lib.sh; lib x; echo $VALUE
### environment of one command
X=5 bash -c 'echo $X'; echo "[$X]"
### export
export A=1; B=2; bash -c 'echo "$A-$B"'
### type and command
type -t echo; type -t if; f() { :; }; type -t f; command -v ls > /dev/null && echo has ls
### declare prints
declare -i n=5+3; declare -a arr=(1 2); declare -p n arr
### integer and lower-case attributes
declare -l low=ABC; declare -u up=abc; echo $low $up
### nullglob
shopt -s nullglob; echo [*.nope]; for f in *.nope; do echo never; done; echo done
### globstar
shopt -s globstar; ls **/*.txt
### a timer variable
SECONDS=0; [ $SECONDS -lt 5 ] && echo quick
### select from a string with read -n
read -n 3 x <<< abcdef; echo $x
### read with a delimiter
while IFS= read -r -d ';' part; do echo "<$part>"; done <<< 'a;b;c;'
### arithmetic in conditions
a=5; (( a > 3 && a < 10 )) && echo between
### default for positional parameters
f() { local n=${1:-10}; echo $n; }; f; f 3
### a long pipeline
cat app.log | grep request | awk '{print $5}' | sort | uniq -c | sort -rn | head -1
### an error of a line ends the action of a trap only
readonly x=1
trap 'x=2; echo in' USR1; kill -USR1 $$; echo after $?
trap 'echo $((1/0)); echo in' USR1; kill -USR1 $$; echo after $?
f() { x=2; echo no; }; trap 'f; echo in' USR1; kill -USR1 $$; echo after $?
trap 'x=2' DEBUG; echo one; trap - DEBUG; echo two
### a loop over a variable that can't change fails alone
readonly x=1; for x in 1 2; do echo body; done || echo or; echo after $?
for ((x=0; x<2; x++)); do echo body; done; echo after $?
exec {x}< /dev/null; echo after $?
set -e; for x in 1; do echo body; done; echo never
