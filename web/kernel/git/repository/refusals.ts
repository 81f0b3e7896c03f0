// What git doesn't have here: our refusals and those of just-git, with the way that works.
import { GitProblem } from "./answers.ts";
import { tableOf } from "../../tables.ts";

const LINUX = "a Linux terminal has Debian's git";

const refusal = (problem: string, way: string) => `error: ${problem}\nhint: ${way}; ${LINUX}`;

/**
 * End a command that asks for what git doesn't have here.
 * @param way - what works instead
 */
export function refuse(problem: string, way: string, exitCode = 129): never {
  throw new GitProblem(refusal(problem, way), exitCode);
}

/** By command and option. */
const OPTIONS: Record<string, string> = {
  "log -L": "use git log -p -- FILE, or git blame -L",
  "add --interactive": "use git add -p",
  "add -i": "use git add -p",
  "add --edit": "use git add -p, and e",
  "add -e": "use git add -p, and e",
  "add --intent-to-add": "use git add",
  "add -N": "use git add",
  "push --dry-run": "use git log @{u}.., and git ls-remote",
  "push -n": "use git log @{u}.., and git ls-remote",
  "stash --index": "use git stash pop, and git add",
  "stash -a": "use git stash -u, which leaves ignored files",
  "stash --all": "use git stash -u, which leaves ignored files",
  "reset --keep": "use git stash, git reset --hard and git stash pop",
  "blame -w": "use git log -p -w -- FILE",
  "gc --prune": "use git gc, which leaves what nothing refers to",
  "switch --track": "use git switch -c NAME, and git branch -u",
  "switch --orphan": "use git checkout --orphan NAME, and git rm -rf .",
  "branch -c": "use git branch NEW OLD",
  "branch --copy": "use git branch NEW OLD",
  "grep --untracked": "use grep -r, or rg",
  "grep -o": "use git grep -h PATTERN | grep -o PATTERN",
  "grep --and": "use git grep -e A | grep B",
  "grep -p": "use git grep -B",
  "clone --mirror": "use git clone --bare, and git fetch",
  "describe --contains": "use git tag --contains",
  "log --merge": "use git log HEAD...MERGE_HEAD",
  "log --simplify-by-decoration": "use git for-each-ref",
  "tag -v": "use git cat-file -p, which shows the signature",
  "clone --recurse-submodules": "clone each submodule separately",
};

/** By command. */
const COMMANDS: Record<string, string> = tableOf({
  submodule: "use git clone for each of them",
  "read-tree": "use git reset",
  "checkout-index": "use git checkout -- PATH",
  "count-objects": "use find .git/objects -type f | wc -l",
  cherry: "use git log UPSTREAM..HEAD",
  "name-rev": "use git describe --all or git branch --contains",
  "show-branch": "use git log --oneline --all",
  "range-diff": "use diff <(git log -p A) <(git log -p B)",
  bundle: "use git clone --bare . x.git, and tar for one file",
  "sparse-checkout": "use git checkout TREE -- PATH for the files that are wanted",
  rerere: "use git checkout --ours or --theirs, or merge.conflictStyle=diff3",
  "pack-refs": "use git gc",
  var: "use git config user.name and user.email",
  annotate: "use git blame",
  hook: "run the program in .git/hooks",
  mergetool: "edit the files, and git add them; git checkout --ours and --theirs take a side",
  difftool: "use git diff",
  "filter-branch": "use git rebase -i",
  instaweb: "use git log",
  "merge-file": "use diff3 -m, or git merge",
  "merge-tree": "use git merge --no-commit, and git merge --abort",
  "send-email": "use git format-patch",
  "request-pull": "use git log and git diff --stat",
  replace: "use git rebase -i",
  "fast-export": "use git clone, or git format-patch",
  "fast-import": "use git am",
  "unpack-objects": "use git clone",
  "pack-objects": "use git gc",
  prune: "use git gc",
  "interpret-trailers": "use git commit --trailer",
});

const UNKNOWN = /^Unknown option "(.*?)"\.(?: Did you mean .*)?\nNot all git options are supported\..*$/m;

/** Add the way that works to a message of just-git. */
export function withSubstitute(stderr: string, command: string): string {
  // just-git takes the rest of an unknown letter's word for letters, and complains about each.
  const [first = ""] = stderr.split(/(?<=\n)(?=Unknown option ")/, 1);
  return (UNKNOWN.test(first) ? first : stderr)
    .replace(UNKNOWN, (_, option) => {
      const way = OPTIONS[`${command} ${option}`] ?? `git ${command} --help lists the options that it has`;
      return refusal(`git ${command} has no ${option} here`, way);
    })
    .replace(/^Unexpected argument "(.*)"\. .*$/m, (_, word) =>
      refusal(`git ${command} takes no '${word}' here`, `git ${command} --help says what it takes`),
    )
    .replace(/^git: '(.*)' is not implemented\..*$/m, (_, name) => {
      const known = COMMANDS[name];
      return `git: '${name}' isn't available here\nhint: ${known === undefined ? LINUX : `${known}; ${LINUX}`}`;
    });
}
