[ -n "$BASH" ] && . ~/.bashrc
