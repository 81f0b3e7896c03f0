// What just-git doesn't have: its refusals, with the way that works.

const LINUX = "a Linux terminal has Debian's git";

/** By command and option. @type {Record<string, string>} */
const OPTIONS = {
  "log -L": "use git log -p -- FILE, or git blame -L",
  "diff -w": "use diff -w <(git show HEAD:FILE) FILE",
  "diff --ignore-all-space": "use diff -w <(git show HEAD:FILE) FILE",
  "diff -b": "use diff -b <(git show HEAD:FILE) FILE",
  "diff --word-diff": "use git diff",
  "diff --check": "use git diff | grep -nE '^\\+.*[[:space:]]$'",
  "diff --raw": "use git diff --name-status, or git status --porcelain=v2",
  "add --patch": "use git stash -p for what shall stay out, git commit -a, and git stash pop",
  "add -p": "use git stash -p for what shall stay out, git commit -a, and git stash pop",
  "add --intent-to-add": "use git add",
  "clone --recurse-submodules": "clone each submodule separately",
};

/** By command. @type {Record<string, string>} */
const COMMANDS = {
  submodule: "use git clone for each of them",
  "ls-remote": "use git fetch, then git branch -r and git tag",
  archive: "use git ls-files -z | xargs -0 tar -cf x.tar",
  "read-tree": "use git reset",
  "write-tree": "use git commit, then git rev-parse HEAD^{tree}",
  "commit-tree": "use git commit",
  "update-index": "use git add, git rm --cached or chmod",
  "checkout-index": "use git checkout -- PATH",
  "diff-tree": "use git show --name-status",
  "diff-index": "use git diff --cached or git diff HEAD",
  "diff-files": "use git diff",
  "count-objects": "use find .git/objects -type f | wc -l",
  "check-ignore": "use git status --ignored -s",
  whatchanged: "use git log --name-status",
  cherry: "use git log UPSTREAM..HEAD",
  "name-rev": "use git describe --all or git branch --contains",
  "show-branch": "use git log --oneline --all",
  "range-diff": "use diff <(git log -p A) <(git log -p B)",
};

/** Add the way that works to a message of just-git. @param {string} stderr @param {string} command @returns {string} */
export function withSubstitute(stderr, command) {
  return stderr
    .replace(/^Unknown option "(.*?)"\.(?: Did you mean .*)?\nNot all git options are supported\..*$/m, (_, option) => {
      const known = OPTIONS[`${command} ${option}`];
      return `error: git ${command} has no ${option} here\nhint: ${known ?? `git ${command} --help lists the options that it has`}; ${LINUX}`;
    })
    .replace(/^Unexpected argument "(.*)"\. .*$/m, (_, word) => `error: git ${command} takes no '${word}' here\nhint: git ${command} --help says what it takes; ${LINUX}`)
    .replace(/^git: '(.*)' is not implemented\..*$/m, (_, name) => {
      const known = COMMANDS[name];
      return `git: '${name}' isn't available here\nhint: ${known === undefined ? LINUX : `${known}; ${LINUX}`}`;
    });
}
