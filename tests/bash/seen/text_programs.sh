### tail from a line of a stream
yes | tail -n +3 | head -n 2
seq 5 | tail -n +4
printf abcdef | tail -c +3
seq 20 | tail -n 3
### tail of several files
printf 'a\nb\n' > one; printf 'c\nd' > two
tail -n 1 one two
tail -qc +2 one two
tail -n +2 one | wc -l
### tail follows a file
printf 'a\nb\n' > log
(for i in 1 2 3; do sleep 0.1; echo $i >> log; done) &
timeout 2 tail -n 1 -s 0.05 -f log | head -n 4
wait
### translate a stream without an end
yes ab | tr a-z A-Z | head -n 2
printf 'caf\xe9\n' | tr a-z A-Z | od -An -tx1
printf 'aaabbb\n' | tr -s ab
### break lines of a stream without an end
yes abcdef | fold -w 4 | head -n 3
yes "$(printf 'a\tb')" | expand -t 4 | head -n 1
yes abc | rev | head -n 1
### numbers in the way of names
printf 'x\ny\n' > 5
echo abcdefgh | fold -w 5
seq 9 | split -l 5 - p; cat pab
seq 3 | nl -w 5
while read -r x; do echo "$x"; nl -w 5 5; done <<< "$(printf '1\n2')"
### counts of a redirected file
printf 'a\nb\n' > f
wc < f
wc -l < f
cat f | wc
wc f
### wrappers
nice echo a; nice -n 5 echo b; nice
setsid echo c
stdbuf -oL echo d; stdbuf -o0 echo e; stdbuf echo f; echo $?
nohup echo g 2>/dev/null
nice -n x echo h; echo $?
### a lock excludes
(flock 9; echo in; flock -n lock echo never; echo $?) 9> lock
flock lock echo free
flock -n lock -c 'echo by script'
exec 8> lock; flock 8; flock -w 0.1 -E 7 lock true; echo $?; flock -u 8; flock lock echo unlocked
flock -s lock flock -s lock echo shared
### environments
env -i A=1 env; env -u HOME printenv HOME; echo $?
A=x printenv A; B=2 printenv -0 B | od -An -c
env -S 'echo a b'
mkdir -p d; env -C d pwd | tail -c 3
env --nonsense true; echo $?
which -a sh | head -n 1; which nothing-such; echo $?
### file reads its input
printf 'hello\n' | file -
printf '#!/bin/sh\n' > s; file -b s
echo 12 | factor
### options of cat
printf 'a\tb\n\n\nc\r\n' > f
cat -A f; cat -n f; cat -s f; cat -b f; cat -vET f
cat -n < f
### joins, pastes and columns
printf '1 a\n2 b\n' > x; printf '1 c\n3 d\n' > y
join x y; join -a1 -a2 -e- -o 0,1.2,2.2 x y
paste -d '\t' <(echo a) <(echo b); paste -sd+ <(seq 4); seq 6 | paste - - -
comm -12 <(printf 'a\nb\n') <(printf 'b\nc\n')
### dates in words
date -d 'monday 10:00' +%H; date -d 'next friday 14:30' '+%a %H:%M'
date --rfc-3339=seconds -u -d @0
date -u -d "$(date -u -d @1705276800)" +%s
date -d 'nonsense' 2> /dev/null; echo $?
### compare in other formats
printf 'a\nb\nc\n' > x; printf 'a\nB\nc\nd\n' > y
diff -y -W 30 x y; diff -y --suppress-common-lines -W 30 x y; diff --normal x y; diff -e x y
diff -c --label x --label y x y; diff -C0 --label x --label y x y; diff -I '^[bBd]' x y; echo $?
### expressions
expr v1.2 : 'v\([0-9]*\)'; expr length 'é集😀'; expr 3 '*' 4 + 1; expr 1 = 2; echo $?
### split a file by its lines
printf 'a\n--\nb\n--\nc\n' | csplit -s - '/--/' '{*}'; cat xx01
seq 100 | split -n l/3 - q 2>/dev/null; seq 100 > n; split -n l/3 n q; wc -l q*
### small programs
unlink missing; echo $?; basename -s .c a/b.c; dirname /a/b c; tty < /dev/null; echo $?
stty size < /dev/null; echo $?; whoami > /dev/null; echo $?
seq -w 8 10; seq 1 .5 2; seq -s, 3; base64 <<< hello | base64 -d; tac <(seq 3); nl -ba -s: <(echo a)
