# The files that each line of `lines.txt` begins with, made in the current folder.
set -e
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org
export GIT_AUTHOR_DATE=2024-01-02T03:04:05Z GIT_COMMITTER_DATE=2024-01-02T03:04:05Z TZ=UTC
printf 'one\ntwo\nthree\n' > a.txt; printf 'one\n2\nthree\nfour\n' > b.txt
printf '10\n9\n2\n33\n1\n' > nums.txt
printf 'the quick the lazy dog a quick fox\n' > words.txt
printf 'name,team,score\nAda,red,3\nBob,blue,5\nCid,red,4\nDee,green,1\n' > table.csv
mkdir files files/sub; echo one > files/one.txt; printf 'two\nlines\n' > files/two.txt; echo deep > files/sub/deep.txt
printf '{"items":[{"id":1,"name":"one"},{"id":2,"name":"two"}],"n":1.5}\n' > data.json
printf 'services:\n  web:\n    image: nginx\n    ports:\n      - "80:80"\n  db:\n    image: pg\n' > compose.yml
printf 'Hello ${NAME}, you owe $AMOUNT.\n' > tmpl.txt
printf 'all: built.txt\nbuilt.txt: a.txt\n\tsort a.txt > built.txt\nclean:\n\trm -f built.txt\n.PHONY: all clean\n' > Makefile
printf '#!/bin/sh\necho "got $# args: $*"\n' > run.sh
mkdir proj uni; printf 'def add(a, b):\n    return a + b\n' > proj/calc.py
printf 'from calc import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_bad():\n    assert add(1, 1) == 3\n' > proj/test_calc.py
printf 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n' > uni/test_u.py
printf -- '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n' > fix.diff
printf -- '--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n nope\n-nada\n+TWO\n never\n' > bad.diff
python3 - <<'P'
import sqlite3, zipfile
c=sqlite3.connect('shop.db'); c.execute('create table items(id integer primary key, name text, price real)')
c.executemany('insert into items(name,price) values(?,?)',[('pen',1.5),('book',12),('cup',7.25)]); c.commit(); c.close()
z=zipfile.ZipFile('arch.zip','w'); z.write('files/one.txt'); z.close()
P
mkdir repo; cd repo; git init -q -b main; printf 'one\ntwo\nthree\n' > a.txt; git add .; git commit -qm 'First'; printf 'four\n' >> a.txt; mkdir src; echo 'print(2)' > src/m.py; git add .; git commit -qm 'Second'; echo five >> a.txt; echo note > notes.md
cd ..
cat > server.py <<'P'
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class H(BaseHTTPRequestHandler):
    def log_message(self,*a): pass
    def do_GET(self, body=True):
        if self.path == '/data.json':
            data=open('data.json','rb').read(); self.send_response(200); self.send_header('Content-Type','application/json'); self.send_header('Content-Length',str(len(data))); self.end_headers(); body and self.wfile.write(data)
        else: self.send_error(404)
    def do_HEAD(self): self.do_GET(False)
    def do_POST(self):
        data=self.rfile.read(int(self.headers['Content-Length'])); self.send_response(200); self.send_header('Content-Length',str(len(data))); self.end_headers(); self.wfile.write(data)
HTTPServer(('127.0.0.1',int(sys.argv[1])),H).serve_forever()
P
