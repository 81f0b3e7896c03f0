### trap on exit
bash -c 'trap "echo cleanup" EXIT; echo work'
### trap on an error
bash -c 'trap "echo failed" ERR; false; echo after'
### trap removes a temporary file
bash -c 't=$(mktemp); trap "rm -f $t; echo removed" EXIT; echo data > $t; cat $t'
### trap in a subshell
(trap 'echo sub' EXIT; echo in); echo out
### errexit runs the exit trap
bash -c 'set -e; trap "echo trapped" EXIT; false; echo never'; echo $?
### wait for a background job
sleep 0.1 & wait; echo done
### output of a background job
{ sleep 0.1; echo background; } & echo foreground; wait
### several jobs
for i in 3 1 2; do (sleep 0.$((i * 2)); echo $i) & done; wait
### wait for each job
pids=(); for c in 0 1 2; do (exit $c) & pids+=($!); done; for p in "${pids[@]}"; do wait $p; echo $?; done
### kill a job
sleep 5 & pid=$!; kill $pid; wait $pid 2>/dev/null; echo $?
### kill tests a process
sleep 0.2 & kill -0 $! && echo alive; wait; kill -0 $! 2>/dev/null || echo dead
### a job doesn't change the shell
x=1; { x=2; } & wait; echo $x
### background results through files
for f in a b; do echo "$f" > "$f.out" & done; wait; cat a.out b.out
### timeout ends a command
timeout 0.2 sleep 5; echo $?
### yes and head
yes | head -2
### seq and head
seq 1 1000000 | head -2
### time is measured
{ time sleep 0.1; } 2>&1 | grep -c real
### a function in a pipeline
up() { tr a-z A-Z; }; echo abc | up | rev
### exit in a pipeline
echo a | { read x; exit 4; }; echo $?
### xargs replaces
printf 'a\nb\n' | xargs -I{} echo 'item {}'
### xargs in parallel
printf '1\n2\n3\n' | xargs -P3 -n1 echo | sort
### xargs with quotes
echo "'a b' c" | xargs -n1 echo
### xargs and a shell
echo 'x y' | xargs -n1 sh -c 'echo "got $0"'
### process substitution compares
diff <(echo a) <(echo b) > /dev/null || echo differ
### output to a process
echo hello > >(tr a-z A-Z); sleep 0.2
