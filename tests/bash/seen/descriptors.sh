### standard input as an operand
sort /dev/stdin <<< b; wc -l /dev/stdin <<< b; grep b /dev/stdin <<< b; sed s/b/c/ /dev/stdin <<< b; md5sum /dev/stdin <<< b; xxd -p /dev/stdin <<< b
### standard input as an operand of programs
cp /dev/stdin f <<< hello; cat f; jq -c . /dev/stdin <<< '[1]'; bash /dev/stdin a <<< 'echo $0 $1'; python3 /dev/stdin a <<< 'import sys; print(sys.argv)'
### standard input twice
diff - /dev/stdin <<< a && echo same; echo a | cat - /dev/stdin; echo b > f; diff f /dev/stdin <<< b && echo equal; cmp /dev/stdin f <<< b && echo equal
### descriptors by number
cat /dev/fd/3 3<<< three; sort /proc/self/fd/4 4<<< four; python3 -c 'print(open("/dev/fd/3").read())' 3<<< three; exec 5< <(echo five); cat < /dev/fd/5
### output by its path
echo hi > f; cp f /dev/stdout; sort -o /dev/stdout f; { sort -o /dev/fd/3 f; } 3>&1; echo a | tee /dev/stderr 2>&1; echo b > /proc/self/fd/1
### sourced input
source /dev/stdin <<< 'q=1'; . /dev/fd/0 <<< r=2; echo s=3 | { . /dev/stdin; echo $q$r$s; }
### a pattern is no file
printf 'a\nb\n' > l; echo /dev/stdin > t; while read x; do grep -c /dev/stdin t; done < l
### a file is opened again from its start
{ read a; cat /dev/stdin | wc -l; } < notes.txt; { echo a; echo b > /dev/stdout; } > g; cat g
### python reads and writes descriptors
python3 -c 'print(open(0).read())' <<< y; python3 -c 'import os; print(os.read(0, 5), os.read(0, 99), os.read(0, 1))' <<< abcdefgh; python3 -c 'import os; os.write(1, b"hi\n")'; echo z | python3 -c 'print(list(open("/dev/stdin")))'
### python's encoding
printf 'caf\xe9' | PYTHONIOENCODING=latin-1 python3 -c 'import sys; print(ascii(sys.stdin.read()), sys.stdout.encoding)'; PYTHONIOENCODING=ascii:replace python3 -c 'print("é")'
### node reads standard input
echo 'console.log(1 + 1)' > s.js; node /dev/stdin < s.js; echo text | node -e 'console.log(require("fs").readFileSync(0, "utf8").trim())'
### directories as input
cat < .; echo $?; while read l; do :; done < .; echo $?; : > .; echo $?; grep a < .; echo $?; sort < .; echo $?; sed p < .; echo $?; cut -c1 < .; echo after
### a folder as the input of programs that read while they run
awk 1 < src 2> /dev/null; echo $?; awk 1 < src 2>&1 | grep -c 'Is a directory'; dd < src 2>&1 | grep -c 'Is a directory'; bc < src 2> e; wc -l < e
### a folder as standard input and as an operand
mkdir d; printf 'a\nb\nc\n' > f
wc < d; echo $?
wc - f < d; echo $?
grep -c a d f; echo $?
sed p f d f; echo $?
paste f d; echo $?
od d; echo $?
nl - f < d; echo $?
cksum d f; echo $?
patch < d; echo $?
sort -o d f; echo $?
cmp d d; echo $?
### cmp compares with standard input
printf 'a\nb\nc\n' > f
printf 'a\nb\nd\n' | cmp f; echo $?
cmp f < f; echo $?
cmp -n 3 f < f; echo $?
### values of options aren't files
echo x > 3; seq 10 | shuf -n 3 | wc -l
seq 10 | xxd -c 3 | wc -l
seq 10 | uniq -w 3 | wc -l
seq 10 | tac -s 3 | wc -c
### split by number refuses a pipe
seq 10 | split -n 2; echo $?
seq 10 | split -n r/2; echo $?; cat xaa
seq 10 > f; split -n 2 < f; echo $?; wc -c xa*
