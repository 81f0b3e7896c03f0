### largest file in a tree
find . -type f -printf '%s %p\n' | sort -rn | head -3
### copy a tree and compare
cp -r src backup && echo x >> backup/util.py && diff -rq src backup
### rename by a loop with a suffix
for f in src/deep/*.txt; do mv "$f" "${f%.txt}.md"; done; ls src/deep
### find files without a word
grep -L TODO src/*.py src/deep/*.txt
### backup with numbered names
for i in 1 2 3; do cp words.txt "words.$i.bak"; done; ls *.bak | wc -l; rm -v words.2.bak
### make a project skeleton
mkdir -p app/{src,tests,docs}/{a,b} && find app -type d | sort
### replace a word in many files
grep -rl double src | xargs sed -i 's/double/twice/g'; grep -rn twice src | sort
### tar with exclusion
tar -czf out.tgz --exclude='*.txt' src && tar -tzf out.tgz | sort
### tar to stdout and into another directory
mkdir dest && tar -cf - src | (cd dest && tar -xf -) && find dest -type f | sort
### one file of an archive
tar -cf a.tar words.txt notes.txt && tar -xOf a.tar words.txt | head -2
### find and exec with plus
find src -name '*.py' -exec wc -l {} + | sort
### find with a shell for each
find src -name '*.txt' -exec sh -c 'echo "$(basename "$1") $(wc -l < "$1")"' _ {} \; | sort
### delete empty directories
mkdir -p e/f/g h; touch h/keep; find . -type d -empty -delete; ls -d e h 2>&1
### newer than
touch -d '2024-01-02' old.txt; touch -d '2024-06-01' new.txt; [ new.txt -nt old.txt ] && echo newer; find . -newer old.txt -name '*.txt' | sort | head
### find by age
touch -d '10 days ago' a.tmp; touch b.tmp; find . -name '*.tmp' -mtime +7
### permissions octal
touch s.sh; chmod 750 s.sh; stat -c '%a %n' s.sh; chmod g-x,o+r s.sh; stat -c '%A' s.sh
### split and join
split -l 3 words.txt part_; ls part_*; cat part_* | cmp - words.txt && echo same
### symlink reading
ln -s words.txt link; readlink link; readlink -f link | xargs basename; [ -L link ] && echo is-link; test -h words.txt || echo no
### relative and dir names
p=/var/log/app/server.log.gz; echo "${p##*/} ${p%/*} ${p%%.*} ${p#*.}"; basename "$p" .gz; dirname "$p"
### tree by find and sed
find src | sort | sed -e 's/[^/]*\//  /g'
### count by extension
find . -type f | sed -n 's/.*\.\([a-z]*\)$/\1/p' | sort | uniq -c | sort -k1,1nr -k2
### touch many and clean up
touch file{01..12}.dat; ls file*.dat | head -3; rm file0[1-9].dat; ls *.dat
### move with a collision
echo 1 > a; echo 2 > b; mv -n a b; cat b; mv -f a b; cat b; ls a 2>/dev/null || echo gone
### read null separated names
touch 'with space.txt' 'tab	name.txt'; find . -maxdepth 1 -name '* *' -print0 | while IFS= read -r -d '' f; do echo "<$f>"; done
### xargs in parallel with a placeholder
printf '%s\n' a b c | xargs -I{} -P2 sh -c 'echo {} > {}.out'; cat *.out
### xargs batches
seq 10 | xargs -n 4 echo row
### file sizes summed
find src -type f -printf '%s\n' | awk '{s+=$1} END{print s}'
### checksums of a tree
find src -type f | sort | xargs md5sum | cut -c1-8
### unified diff of two versions
cp words.txt w2; sed -i '2d;$a zebra' w2; diff -u words.txt w2 | tail -n +3
### exit codes of tests on files
for t in -e -f -d -s -r -x; do test $t words.txt; echo "$t $?"; done
