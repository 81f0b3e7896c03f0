### what redirections of programs assign
cat <<E
${v:=a} $((i++))
E
echo "[$v] $i"; for n in 1 2; do cat > $((++j)).txt <<< x; done; ls *.txt; echo $j; read q <<< "${w:=b}"; echo $w; : > $((k+=1)); echo $k; { cat; } <<< $((m+=2)); echo $m; exec 3<<< ${z:=zz}; echo $z; f() { cat; }; f <<< $((p++)); echo $p
### dd
dd if=/dev/zero bs=4 count=1 2>/dev/null | xxd -p; printf abcdefgh > f; dd if=f of=g bs=3 skip=1 status=none; cat g; echo; (dd bs=1 count=3 status=none; echo; cat) < f; echo; yes | dd bs=2 count=3 status=none; echo q | dd of=/dev/stdout status=none; dd if=/dev/stdin status=none <<< via; seq 1000 | dd bs=100 count=2 iflag=fullblock 2>&1 >/dev/null | head -2; dd if=f of=/dev/null 2>&1 | head -1; dd if=/dev/urandom bs=16 count=2 2>/dev/null | wc -c; dd count=0 of=new bs=1 seek=10 2>/dev/null; stat -c %s new
### makefiles from standard input
make -f - <<'EOF2' 2>&1
all: ; @echo $@ made
EOF2
make -f /dev/stdin <<< 'x: ; @echo ok'; make -sf- <<< 'y: ; echo y'; echo 'z: ; @echo z' | make --file=- z
### coprocess of sed -u
coproc C { sed -u 's/^/c:/'; }; echo hi >&"${C[1]}"; read -r l <&"${C[0]}"; echo $l; kill $C_PID; wait $C_PID 2>/dev/null; echo done
### coprocess of grep --line-buffered
coproc G { grep --line-buffered a; }; echo abc >&"${G[1]}"; echo zzz >&"${G[1]}"; echo cba >&"${G[1]}"; read -r l <&"${G[0]}"; read -r m <&"${G[0]}"; echo $l $m; exec {G[1]}>&-; wait; echo done
### lines of a slow pipe
(echo a1; sleep 0.3; echo b; sleep 0.2; echo a2) | grep --line-buffered a | while read x; do echo "$x $((SECONDS<2))"; done; seq 10000 | grep -c 7; seq 10000 | sed 's/1/x/' | md5sum; (printf 'par'; sleep 0.1; printf 'tial\nrest') | tr a-z A-Z; echo; (printf 'é' | head -c1; sleep 0.1; printf 'é\n' | tail -c2) | tr a-z A-Z | xxd -p
### endless lines into head
while :; do echo tick; sleep 0.05; done | grep --line-buffered tick | head -2; yes | grep y | head -2; for i in 1 2 3; do echo $i; sleep 0.06; done | cut -c1 | rev | tr 1-3 a-c
### signs in brackets
c=a; case $c in [a-z.~_-]) echo 1;; *) echo 2;; esac; case $c in [a-z_-]) echo 1;; *) echo 2;; esac; case $c in [a-z.~]) echo 1;; *) echo 2;; esac; case $c in [0-9.~_-]) echo 1;; *) echo 2;; esac;case $c in [a~]) echo 1;; *) echo 2;; esac
### quoted signs in brackets
x="it's \"q\", a&b~c-d"; echo ${x//[\"\']/} ${x//[&~]/_} ${x//[\,\-]/.} ${x//[^\ a-z]}; case '"' in ["'"]) echo 1;; ['"']) echo 2;; esac; case '#' in [\#]) echo h;; esac; [[ 'a~' == a[~] ]] && echo t; [[ a-b == a[\-x]b ]] && echo d; echo 'a@b' | { read l; echo ${l%%[@:]*}; }; y='a]b^c'; echo ${y//[]^]/_} ${y//[\]]/_}; z='a\b/c'; echo "${z//[\\\/]/_}"; touch 'f~1' 'f&2'; ls f[~\&]*
### named pipes
mkfifo pipe; (echo one; echo two) > pipe & cat pipe; wait; rm pipe; mkfifo p2; exec 8<>p2; echo buffered >&8; read -r line <&8; echo "$line"; exec 8>&-; [ -p p2 ] && echo fifo; rm p2
### programs on named pipes
mkfifo q; sort q & printf 'b\na\n' > q; wait; grep -c x q & echo x > q; wait; while read l; do echo "[$l]"; done < q & seq 2 > q; wait; ls -l q | cut -c1; stat -c %F q; find . -type p; mkfifo q 2>&1; echo $?; mkfifo -m 600 r; stat -c %A r; rm q r; ls; mkfifo no/x 2>&1; mkfifo; echo $?; tee t < /dev/null; mkfifo z; seq 100000 > z & wc -l < z; wait; yes > z & head -1 z; wait 2>/dev/null; cp words.txt w2; mkfifo a b; (cat a > b &) ; echo through > a & cat b; wait
### server on a named pipe
mkfifo l; server() { while read -r cmd; do case $cmd in quit) echo bye; break;; *) echo "got $cmd";; esac; done < l; }; server & exec 3> l; echo a >&3; echo b >&3; echo quit >&3; wait; exec 3>&-; echo end
