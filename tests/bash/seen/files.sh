### list one per line with types
ls -F
### list hidden files
touch .hidden; ls -A
### long listing has modes and sizes
chmod 640 words.txt; ls -l words.txt | awk '{print $1, $5, $NF}'
### list by size
ls -S *.txt
### list directories only
mkdir -p d1/d2; ls -d */
### make a directory tree
mkdir -p a/b/c && find a -type d | sort
### copy keeps going into a directory
mkdir dest; cp words.txt numbers.txt dest && ls dest
### move and rename
mv words.txt w.txt; ls w*; mkdir box; mv w.txt numbers.txt box; ls box
### remove a tree
rm -rf src; test -e src || echo gone
### remove a directory that isn't empty
rmdir src 2>/dev/null || echo 'not empty'
### find by type and depth
find . -maxdepth 1 -type f | sort
### find with exec
find src -name '*.txt' -exec wc -l {} \; | sort
### find and not
find . -type f ! -name '*.txt' | sort
### find or
find src \( -name '*.py' -o -name 'a*' \) -type f | sort
### find prints with a format
find src -type f -printf '%f %s\n' | sort
### find deletes
find src -name '*.txt' -delete; find src -type f | sort
### find newer
touch -d '2030-01-01' future; find . -maxdepth 1 -newer app.log -type f
### find with print0 and xargs
find src -type f -print0 | sort -z | xargs -0 -n1 basename
### find prunes
find . -path ./src/deep -prune -o -type f -name '*.py' -print | sort
### symbolic links
ln -s words.txt link; readlink link; ls -l link | sed 's/.*link/link/'; cat link | head -1
### hard facts with stat
stat -c '%n %s %a' words.txt
### stat of a directory
stat -c %F src; stat -c %F words.txt
### mode of new files under a umask
umask 077; touch private; stat -c %a private
### basename and dirname
basename /a/b/c.txt .txt; dirname /a/b/c.txt
### touch creates and keeps content
touch words.txt new.txt; wc -c < new.txt
### file tests
[ -f words.txt ] && [ -d src ] && [ ! -s nothing ] && echo ok
### realpath
cd src; realpath ../words.txt | sed "s|$(dirname "$PWD")|ROOT|"
### mktemp makes a file
f=$(mktemp) && [ -f "$f" ] && echo made && rm "$f"
### tar lists
tar cf s.tar src; tar tf s.tar | sort
### gzip and zcat
gzip -k words.txt && zcat words.txt.gz | head -2 && ls words.txt*
### append and overwrite
echo a > f; echo b >> f; cat f; echo c > f; cat f
### noclobber protects
set -C; echo a > f; echo b > f 2>/dev/null || echo refused; cat f
### cd back and forth
cd src && cd - > /dev/null && ls -d src
### globs
echo *.txt; echo src/*.py; echo [a-c]*
### names with blanks
touch 'a file.txt'; for f in *file*; do echo "<$f>"; done; ls -1 | grep 'a file'
### rename with a loop
for f in src/*.py; do cp "$f" "${f%.py}.bak"; done; ls src/*.bak
### truncate a file
truncate -s 3 words.txt; cat words.txt; echo
### install-like copies with a mode
install -m 755 words.txt tool; stat -c %a tool
### file sizes in total
cat src/*.py | wc -c
