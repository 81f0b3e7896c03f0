### strict script with a failing step
set -euo pipefail; step() { echo "step $1"; [ "$1" != 2 ]; }; for i in 1 2 3; do step $i || { echo "failed $i"; break; }; done; echo end
### a function that checks its arguments
need() { [ $# -ge 2 ] || { echo "need: two arguments" >&2; return 64; }; echo "$1+$2"; }; need a b; need a 2>&1; echo $?
### confirm with a here string
ask() { local a; read -r a; [[ ${a,,} == y* ]]; }; ask <<< Yes && echo go; ask <<< no || echo stop
### sum arguments
sum() { local t=0 n; for n; do ((t += n)) || true; done; echo "$t"; }; sum 1 2 3; sum; sum 5 -5
### join an array by a separator
a=(x y z); printf -v j '%s, ' "${a[@]}"; echo "${j%, }"; (IFS=+; echo "${a[*]}")
### reverse an array
a=(1 2 3 4); r=(); for ((i=${#a[@]}-1; i>=0; i--)); do r+=("${a[i]}"); done; echo "${r[@]}"
### filter an array
a=(apple bob avocado cat); b=(); for x in "${a[@]}"; do [[ $x == a* ]] && b+=("$x"); done; echo "${#b[@]}: ${b[*]}"
### sort an array
a=(pear fig apple); mapfile -t s < <(printf '%s\n' "${a[@]}" | sort); echo "${s[@]}"
### contains
has() { local x=$1; shift; for y; do [[ $x == "$y" ]] && return 0; done; return 1; }; has b a b c && echo yes; has z a b || echo no
### arrays by name and maps
declare -A age=([ana]=3 [bo]=5); older() { local -n m=$1; for k in $(printf '%s\n' "${!m[@]}" | sort); do echo "$k $((m[$k] + 1))"; done; }; older age
### config with defaults
load() { while IFS='=' read -r k v; do [[ $k =~ ^[[:space:]]*(#|$) ]] && continue; printf -v "cfg_${k// /}" '%s' "${v# }"; done; }; load < <(grep = config.ini); echo "$cfg_host:$cfg_port $cfg_verbose"
### temporary directory with cleanup
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT; touch "$d/a" "$d/b"; ls "$d" | wc -l
### loop with index over lines
i=0; while IFS= read -r line || [[ -n $line ]]; do printf '%02d %s\n' $((++i)) "$line"; done < <(printf 'a\nb\nlast')
### two files in step
while read -r a <&3 && read -r b <&4; do echo "$a-$b"; done 3< src/deep/a.txt 4< src/deep/b.txt
### retry until a file is there
(sleep 0.1; touch ready) & for i in {1..50}; do [ -e ready ] && { echo found; break; }; sleep 0.05; done; wait
### collect exit codes of jobs
pids=(); for c in 0 1 2; do (exit $c) & pids+=($!); done; for p in "${pids[@]}"; do wait "$p"; printf '%d ' $?; done; echo
### parse a url
u='https://user@host.org:8443/a/b?q=1#f'; [[ $u =~ ^([a-z]+)://(([^@/]+)@)?([^:/]+)(:([0-9]+))?([^?#]*) ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[3]} ${BASH_REMATCH[4]} ${BASH_REMATCH[6]} ${BASH_REMATCH[7]}"
### trim a string
s='  in the middle  '; s="${s#"${s%%[![:space:]]*}"}"; s="${s%"${s##*[![:space:]]}"}"; echo "[$s]"
### pad and center
c() { local w=$1 s=$2 l; l=$(((w - ${#s}) / 2)); printf '%*s%s%*s|\n' $l '' "$s" $((w - l - ${#s})) ''; }; c 11 hi; c 10 odd
### repeat and rulers
line() { printf '%*s\n' "${1:-10}" '' | tr ' ' "${2:--}"; }; line; line 5 =
### bits and masks
x=0xF0; echo $((x & 0x3C)) $((x | 15)) $((x >> 4)) $(((x ^ 0xFF) & 0xFF)); printf '%#o %08b\n' 8 2>/dev/null 5 || echo nobin
### gcd and leap years
gcd() { local a=$1 b=$2; while ((b)); do ((t = a % b, a = b, b = t)); done; echo "$a"; }; gcd 48 18; for y in 1900 2000 2023 2024; do ((y % 4 == 0 && (y % 100 != 0 || y % 400 == 0))) && echo "$y"; done
### seconds to time
fmt() { printf '%02d:%02d:%02d\n' $(($1 / 3600)) $(($1 % 3600 / 60)) $(($1 % 60)); }; fmt 3725; fmt 59
### directories only
mkdir -p out/x out/y; touch out/f; for d in out/*/; do basename "$d"; done; ls -d out/*/ | wc -l
### globs with nullglob and dotglob
touch .hid; shopt -s nullglob; f=(*.none); echo ${#f[@]}; shopt -s dotglob; h=(.h*); echo "${h[@]}"; shopt -u nullglob; echo *.none
### globstar counts
shopt -s globstar; printf '%s\n' src/**/*.txt | sort; f=(**/*.py); echo ${#f[@]}
### move by pattern
mkdir bak; for f in {words,numbers}.txt; do [[ -f $f ]] && mv -- "$f" "bak/${f%.*}.old"; done; ls bak
### archive and list by date
touch -d 2024-01-01 a1; touch -d 2024-02-01 a2; ls -t a?; find . -name 'a?' -newer a1; tar czf x.tgz a1 a2 && tar tzf x.tgz
### python reads stdin as json
printf '{"a": [1, 2, 3]}' | python3 -c 'import sys, json; print(sum(json.load(sys.stdin)["a"]))'; python3 -c 'import sys; sys.exit(3)' || echo "code $?"
### python script with a main
cat > s.py <<'EOF'
import argparse
p = argparse.ArgumentParser()
p.add_argument("names", nargs="+"); p.add_argument("--upper", action="store_true")
a = p.parse_args()
print(*[n.upper() if a.upper else n for n in a.names], sep="\n")
EOF
python3 s.py --upper x y; python3 s.py 2>/dev/null; echo $?
