### count files by extension
find . -type f | sed 's/.*\.//' | sort | uniq -c | sort -rn -k1,1 -k2 | awk '{print $1, $2}'
### make numbered files and rename them
mkdir w && cd w && touch img_{1..3}.jpeg && for f in *.jpeg; do mv "$f" "${f%.jpeg}.jpg"; done && ls
### back up with a date stamp
cp words.txt "words.$(date -u -d @0 +%Y%m%d).bak" && ls *.bak
### write a file with a here-document and run it
cat > s.sh <<'EOF'
#!/bin/bash
echo "args: $#, first: ${1:-none}"
EOF
chmod +x s.sh && ./s.sh a b && ./s.sh
### find the largest text file
ls -S *.txt | head -1
### find files containing a word
grep -rl 'def ' src | sort
### replace in many files
grep -rl print src | xargs sed -i 's/print/log/g'; grep -rc log src | sort
### find with a size and name
find . -name '*.txt' -size -1k | wc -l; find . -type f -empty | wc -l
### empty directories
mkdir -p e1 e2/e3; find . -type d -empty | sort
### delete by pattern with confirmation of the count
touch a.tmp b.tmp c.keep; rm -v *.tmp | wc -l; ls *.keep
### copy a tree
cp -r src copy && diff -r src copy && echo same
### compare two trees
cp -r src copy; echo x >> copy/main.py; rm copy/deep/a.txt; diff -rq src copy
### tree sizes
mkdir t; head -c 1000 /dev/zero > t/a; head -c 3000 /dev/zero > t/b; stat -c '%s %n' t/* | sort -n
### absolute path of a file
cd src && readlink -f ../words.txt | sed "s|.*/case[^/]*|BASE|"
### a link to a directory
ln -s src s; ls s/deep; [ -L s ] && readlink s; rm s; ls src/deep
### relative link and update
ln -s words.txt cur; ln -sfn numbers.txt cur; readlink cur; head -1 cur
### test operators
for f in words.txt src nothing; do if [[ -d $f ]]; then echo "$f dir"; elif [[ -f $f ]]; then echo "$f file"; else echo "$f none"; fi; done
### newer than
touch -d '2020-01-01' old; touch -d '2021-01-01' new; [ new -nt old ] && echo newer; [[ old -ot new ]] && echo older
### tar with gzip and extract elsewhere
tar czf s.tgz src && mkdir out && tar xzf s.tgz -C out && find out -type f | sort
### tar without a directory
tar -cf x.tar --exclude=deep src; tar -tf x.tar
### tar one file to stdout
tar cf x.tar words.txt && tar xOf x.tar words.txt | head -2
### split and join
split -l 3 words.txt part_ && ls part_* && cat part_* | cmp - words.txt && echo same
### checksum verify
sha256sum words.txt > sums && sha256sum -c sums; echo x >> words.txt; sha256sum -c sums 2>/dev/null; echo $?
### md5 of text
printf hello | md5sum | cut -d' ' -f1
### octal modes
touch m; chmod u=rwx,g=rx,o= m; stat -c %a m; chmod -x m; stat -c %A m
### many modes at once
mkdir p; touch p/a p/b; chmod -R go-rwx p; stat -c '%a %n' p/* p
### directory stack
pushd src >/dev/null; pushd deep >/dev/null; basename "$PWD"; popd >/dev/null; basename "$PWD"; popd > /dev/null; ls -d src
### globs with classes
touch a1 a2 b1 c9; ls [ab][0-9]; ls [!a]?
### nullglob loop
shopt -s nullglob; n=0; for f in *.zip; do n=$((n+1)); done; echo $n
### globstar
shopt -s globstar; printf '%s\n' src/**/*.txt
### extglob removal
shopt -s extglob; touch k.a k.b k.c; ls k.!(a); ls k.@(a|b)
### brace of directories
mkdir -p app/{bin,lib,etc/{conf,init}.d}; find app -type d | sort
### names with spaces
mkdir 'my dir'; echo 1 > 'my dir/a b.txt'; find . -name '* *' -type f -print0 | xargs -0 cat; for f in my\ dir/*; do echo "<$f>"; done
### null separated read loop
find src -name '*.py' -print0 | sort -z | while IFS= read -r -d '' f; do echo "[${f##*/}]"; done
### mapfile of files
mapfile -t fs < <(find src -type f | sort); echo ${#fs[@]} ${fs[0]} ${fs[-1]}
### in place with a backup
sed -i.orig '1s/^/# /' words.txt; head -1 words.txt words.txt.orig
### file into variable
v=$(<numbers.txt); echo "${#v}"; echo "$v" | tail -1
### append under a lock file
( set -C; echo $$ > lock ) 2>/dev/null && echo got; ( set -C; echo $$ > lock ) 2>/dev/null || echo busy
### last lines from a line on
tail -n +7 words.txt; tail -c 7 words.txt; head -c 4 words.txt; echo
### head and tail of several
head -n 1 words.txt numbers.txt; tail -qn1 words.txt numbers.txt
### tee to two files
sort -u words.txt | tee u1 u2 | wc -l; cmp u1 u2 && echo same
### install a script
install -m 755 words.txt bin 2>/dev/null && stat -c %a bin
### du of a directory says something
du -s src | awk '{print NF}'
### mktemp directory and trap
bash -c 'd=$(mktemp -d); trap "rm -rf $d" EXIT; touch $d/x; ls $d'
### xargs with several
ls *.txt | xargs -n2 echo pair; ls *.txt | xargs -I{} echo "<{}>"
