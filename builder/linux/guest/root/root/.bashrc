PS1='\[\e[32m\]\w\[\e[0m\] \$ '
alias ls='ls --color=auto' grep='grep --color=auto'
