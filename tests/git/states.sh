# The states that the lines of `lines.txt` begin in. `state_…` makes one in the current, empty directory; `after_…` sets
# the environment that it ends with.
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@example.org GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org TZ=UTC
at() { export GIT_AUTHOR_DATE="2024-03-$1T09:30:00+0100" GIT_COMMITTER_DATE="2024-03-$1T10:00:00+0100"; }

at 01

after_nothing() { :; }
after_new() { :; }
after_history() { at 04; }
after_changed() { at 04; }
after_branches() { at 08; }
after_conflict() { at 07; }
after_merging() { at 07; }

state_nothing() { :; }

state_new() {
  git init -q -b main
  printf 'hello\n' >hello.txt
  mkdir src
  printf 'def add(a, b):\n    return a + b\n' >src/sums.py
}

state_history() {
  git init -q -b main
  printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n' >numbers.txt
  mkdir src
  printf 'def add(a, b):\n    return a + b\n' >src/sums.py
  printf '# Sums\n\nAdds numbers.\n' >README.md
  at 01; git add . && git commit -q -m 'Add sums'
  printf '\n\ndef subtract(a, b):\n    return a - b\n' >>src/sums.py
  printf '*.log\nbuild/\n' >.gitignore
  at 02; git add . && git commit -q -m 'Subtract, too' -m 'Differences were missing.'
  git tag -a v1.0 -m 'The first version'
  sed -i 's/three/THREE/' numbers.txt
  at 03; git commit -q -a -m 'Shout the third number'
  at 04
}

state_changed() {
  state_history
  printf 'nine\n' >>numbers.txt
  printf 'Much more.\n' >>README.md
  git add README.md
  printf 'notes\n' >notes.txt
  printf 'noise\n' >debug.log
}

state_branches() {
  state_history
  git switch -q -c feature
  printf 'def double(a):\n    return add(a, a)\n' >src/doubles.py
  at 05; git add . && git commit -q -m 'Double numbers'
  sed -i 's/eight/EIGHT/' numbers.txt
  at 06; git commit -q -a -m 'Shout the last number'
  git switch -q main
  printf 'See src.\n' >>README.md
  at 07; git commit -q -a -m 'Say where the code is'
  git branch -q topic v1.0
  at 08
}

state_conflict() {
  state_history
  git switch -q -c other
  sed -i 's/two/deux/' numbers.txt
  at 05; git commit -q -a -m 'Count in French'
  git switch -q main
  sed -i 's/two/zwei/' numbers.txt
  at 06; git commit -q -a -m 'Count in German'
  at 07
}

state_merging() {
  state_conflict
  git merge -q other >/dev/null 2>&1
  true
}
