# The files that each line of jq.txt and rg.txt begins with, made in the current folder.
set -e
printf '{"a":1,"b":[1,2],"c":{"d":"x"}}\n' > a.json; printf '{"n":1}\n{"n":2}\n{"n":3}\n' > l.ndjson
printf 'line1\nline2\n' > t.txt; printf '[{"k":"x","v":true},{"k":"y","v":false}]' > arr.json
mkdir -p src/sub .hid ign .git
printf 'import os\ndef foo():\n    return "Foo bar"\n' > src/a.py; printf 'foo bar\nFOO\nfoobar\n' > src/b.txt
printf 'const foo = 1;\n' > src/sub/c.js; printf 'hidden foo\n' > .hid/h.txt
printf 'ign\n' > .gitignore; printf 'foo ignored\n' > ign/i.txt; printf 'ref: refs/heads/main\n' > .git/HEAD
