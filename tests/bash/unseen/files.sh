### list sorted names
ls
### list in a directory recursively
ls -R src
### list a missing file
ls nothing.txt; echo $?
### copy a directory
cp -r src copy && diff -r src copy && echo identical
### remove safely
rm -f nothing; rm nothing 2>/dev/null; echo $?; rm words.txt; ls words.txt 2>&1
### find by name
find . -name '*.py' | sort
### find with exec plus
find src -name '*.txt' -exec cat {} + | sort -u
### find empty files
touch empty1; find . -empty -type f
### find by size
head -c 5000 /dev/zero > big.bin; find . -size +3k
### find with path
find . -path '*deep*' -type f | sort
### a broken link
ln -s nowhere broken; test -e broken || echo broken; test -L broken && echo link
### change a mode
chmod u+x,go-r words.txt; stat -c %A words.txt
### sizes of files
du -b words.txt | cut -f1
### compare ages
touch -d 2020-01-01 old; touch -d 2021-01-01 young; [ young -nt old ] && echo newer
### tar round trip
tar czf src.tgz src && rm -r src && tar xzf src.tgz && find src -type f | sort
### tee to several files
echo data | tee one two > /dev/null; cat one two
### pushd and popd
pushd src > /dev/null; basename "$PWD"; popd > /dev/null; ls -d src
### a glob without matches stays
echo *.nothing
### dd copies bytes
dd if=words.txt bs=1 count=4 2>/dev/null
### cmp finds the first difference
cmp words.txt numbers.txt; cmp words.txt words.txt && echo same
### a link and what it leads to
ln -s words.txt lk; stat -c %F lk; stat -L -c %s lk; stat -c %N lk
### found by minutes
touch new; find . -maxdepth 1 -name new -mmin -5 | wc -l; find . -maxdepth 1 -name words.txt -mmin +60 | wc -l
