### code of other languages in a here-document
cat <<'E'
if ((!a || b) && c) return;
then select name from t;
{ ((cout << "a")) ; }
${a~~} ${b~} !(x) @(y)
E
### code of other languages after a select
select v in a; do break; done <<< 1 2>/dev/null; cat <<'E'
then select name from t;
E
### a negated calculation as an argument
python3 -c 'print("(( !a ))")' 2>/dev/null || echo 'print("(( !a ))")'
### patterns in quotes with extglob
shopt -s extglob
echo '!(a)'; grep -c '!(' <<< '!(q)'
### assignments as words of a loop
for kv in A=1 B=2; do echo "$kv"; done
### reserved words as words
for w in if then fi do done case esac in while { } '!'; do echo "$w"; done; echo if then fi
### assignments in case
v=x; case --opt=val in --*=*) echo opt;; esac; case a=$v in a=*) echo one;; esac
### assignments as here-strings
base64 -d <<< aGk=; echo; grep -c = <<< a=b
### shifts in a counting loop
for ((i=1;i<<3<20;i++)); do echo $i; done
### shifts in a subscript
arr=([1<<2]=v); echo "${!arr[@]}"
### items that look like assignments
a=(x=1 "y"=2); echo "${a[0]} ${a[1]}"
### negated calculations
a=0; if (( !a )); then echo zero; fi; ((! a)) && echo again; echo $((!a))
### toggled case
s=Hello; echo "${s~} ${s~~} ${s~~[a-m]}"
### select from words
select x in one two; do echo "got $x"; break; done <<< 2 2>/dev/null
### a coprocess
coproc { read -r line; echo "back $line"; }; echo hi >&"${COPROC[1]}"; read -r answer <&"${COPROC[0]}"; echo "$answer"
### a named coprocess
coproc UP { tr a-z A-Z; }; echo abc >&"${UP[1]}"; exec {UP[1]}>&-; cat <&"${UP[0]}"
### an alias holds from the next line
shopt -s expand_aliases
alias hi='echo hello'
hi world
alias e='echo ' w=there
e w
### an alias may open a command
shopt -s expand_aliases
alias begin='{' finish='}'
begin echo in; finish
### an alias doesn't hold on its own line
shopt -s expand_aliases
alias here='echo no'; here 2>/dev/null || echo "not yet"
### functions keep the aliases of their definition
shopt -s expand_aliases
alias say='echo first'
f() { say; }
alias say='echo second'
f; say
### extended patterns from the next line
shopt -s extglob
v=abcabc; echo "${v/+(abc)/x}" "${v##*(a|b)}"; case foo.c in !(*.h)) echo source;; esac
### quotes within extended patterns
shopt -s extglob
x='a*'; [[ "a*b" == @("$x"|c)b ]] && echo yes; [[ axb == @("$x"|c)b ]] || echo no
### dollar quotes are no patterns
[[ ab == $'*' ]] || echo no; [[ '*' == $'*' ]] && echo yes
### lines before an error are executed
echo one
echo two
(
echo )three
)
### an error in a quoted text ends nothing else
eval 'echo "a'; echo $?
### the line of an error
bash -c 'echo a
echo b
if' 2>&1
### a wrong token and its line
bash -c 'echo a
fi' 2>&1
### a function as it is printed
f() { local a=(1 2); if [ -n "$1" ]; then echo "$1" | cat > /dev/null; else for x in a b; do echo $x; done; fi; case $1 in a|b) echo x;; esac; (cd /; pwd); while read -r l; do :; done < /dev/null; }; declare -f f
### a function with a here-document as it is printed
f() { cat <<E
a $1
E
}; declare -f f; f b
### nested quotes in expansions
x=; echo "${x:-"a  b"}" "${x:-'c'}" ${x:-'d  e'} "${x:-\}}"
### a here-document in a substitution
echo "$(cat <<E
a ) b
E
)"
### case in a substitution
echo $(case x in x) echo in;; esac)
### a comment in a substitution
echo $(echo a # it's )
)
### two here-documents with tabs
cat <<A <<-'B'
one
A
	two $x
	B
### substitutions in brackets of patterns
a=b; case b in [$a]) echo in;; esac; case '$' in [\$]) echo dollar;; esac
### time and not together
! time true 2>/dev/null; echo $?; time -p ! true 2>/dev/null; echo $?
### a body in braces
for i in 1 2; { echo $i; }
### done and a brace
{ while read -r l; do echo "$l"; done } <<< x
### redirections before and between words
> out echo a b >> out; < out cat; echo c >out d; cat out
### slashes as a pattern
p=a/b/c; echo "${p////-}" "${p//\//+}" "${p/\//_}"
### calculations with ternaries in slices
s=abcdef; n=1; echo "${s:n?2:0:n+1}" "${s: -2}" "${s:(-3):2}"
