### trap on exit keeps the code
bash -c 'trap "echo bye \$?" EXIT; exit 3'; echo $?
### traps are listed
trap 'echo hi' INT; trap -p INT; trap - INT; trap -p INT
### an error trap knows the line's code
trap 'echo "code $?"' ERR; (exit 7); true; ls nothing 2>/dev/null
### exit code of a background job
(exit 5) & wait $!; echo $?
### jobs lists what runs
sleep 0.3 & jobs | wc -l; wait; jobs | wc -l
### wait for the next
(sleep 0.3; exit 1) & (sleep 0.05; exit 2) & wait -n; echo $?; wait
### a signal to itself
trap 'echo got' USR1; kill -USR1 $$; echo after
### an endless producer
while true; do echo tick; done | head -3
### exit in a subshell
(exit 3); echo $?; (echo a; exit 0; echo b)
### xargs batches
seq 5 | xargs -n2 echo
### xargs without input
printf '' | xargs -r echo never; echo rc $?
### nohup runs a command
nohup echo hi 2>/dev/null
### a coprocess-free pipe
mkfifo p 2>/dev/null; test -p p && echo fifo
### jobs in their own order
for i in 1 2 3; do { sleep 0.$((8-2*i)); echo $i; } & done; wait; echo end
### a limit is remembered
ulimit -n 256; ulimit -n
### a trap of the shell in a job
bash -c 'trap "echo caught; exit 3" TERM; sleep 0.3; echo x' & sleep 0.1; kill $!; wait $!; echo $?
### endless loops in pipes
while :; do echo x; done | head -3; yes | sed 's/y/n/' | head -1; yes | awk '{print $1 "z"}' | head -1
### random characters
tr -dc 'a-z0-9' < /dev/urandom | head -c 16 | wc -c
