### a job of a subshell
(sleep 30 & echo $! > p); kill -0 $(cat p) && kill $(cat p) && echo ended
### jobs of substitutions
p=$(sleep 30 > /dev/null & echo $!); kill $p; echo $?; echo $(sleep 30 > /dev/null & echo $! > p); kill $(cat p); echo $?
### an orphan's parent
printf 'sleep 30 > /dev/null 2>&1 &\necho $! > p\n' > s; bash s; ps -o ppid= -p $(cat p) | tr -d ' '; kill -9 $(cat p) && echo ended
### python ends what a shell has started
(sleep 30 > /dev/null & echo $! > p); python3 -c 'import os; pid = int(open("p").read()); os.kill(pid, 0); os.kill(pid, 15); print("sent")'
### python ends itself
python3 -c 'import os, signal; signal.signal(15, lambda *_: print("handled")); os.kill(os.getpid(), 15); print("after")'; python3 -c 'import os; os.kill(os.getpid(), 15); print("never")'; echo $?
### the last command of a pipeline in the shell
shopt -s lastpipe; echo hi | read line; echo "$line"; false | true; echo "${PIPESTATUS[@]}"
