// The list of an interactive rebase: its text for the editor, and the commands in it.
import { GitProblem } from "../repository/answers.ts";
import { tableOf } from "../../tables.ts";

/** `argument` is the commit, or the line of `exec` */
export type Step = { command: string; argument: string; options: string; line: string };

export type Commit = { hash: string; short: string; parents: string[]; subject: string };

const LETTERS: Record<string, string> = tableOf({
  p: "pick",
  r: "reword",
  e: "edit",
  s: "squash",
  f: "fixup",
  x: "exec",
  b: "break",
  d: "drop",
});
const ALONE = ["break", "noop"];
const HELP = `
Commands:
p, pick <commit> = use commit
r, reword <commit> = use commit, but edit the commit message
e, edit <commit> = use commit, but stop for amending
s, squash <commit> = use commit, but meld into previous commit
f, fixup [-C | -c] <commit> = like "squash" but keep only the previous
                   commit's log message, unless -C is used, in which case
                   keep only this commit's message; -c is same as -C but
                   opens the editor
x, exec <command> = run command (the rest of the line) using shell
b, break = stop here (continue rebase later with 'git rebase --continue')
d, drop <commit> = remove commit

These lines can be re-ordered; they are executed from top to bottom.

If you remove a line here THAT COMMIT WILL BE LOST.

However, if you remove everything, the rebase will be aborted.
`;

/**
 * @param commits - oldest first
 * @param after - commands to run after each commit
 */
export function todoOf(commits: Commit[], after: string[], autosquash: boolean) {
  const lines = autosquash ? squashed(commits) : commits.map((commit) => lineOf("pick", commit));
  const all = lines.flatMap((line) => [line, ...after.map((command) => `exec ${command}`)]);
  return `${(all.length ? all : ["noop"]).join("\n")}\n`;
}

const lineOf = (command: string, { short, subject }: Commit) => `${command} ${short} ${subject}`;

/** Move commits with `fixup!` or `squash!` behind the one that they name. */
function squashed(commits: Commit[]) {
  const groups: { subject: string; lines: string[] }[] = [];
  for (const commit of commits) {
    const [, command, named = ""] = /^(fixup|squash)! (?:(?:fixup|squash)! )*(.*)$/.exec(commit.subject) ?? [];
    const found =
      command &&
      (groups.find(({ subject }) => subject === named) ?? groups.find(({ subject }) => subject.startsWith(named)));
    if (found) found.lines.push(lineOf(command, commit));
    else groups.push({ subject: commit.subject, lines: [lineOf("pick", commit)] });
  }
  return groups.flatMap(({ lines }) => lines);
}

/** @param onto - short hashes */
export function helpOf(from: string, to: string, onto: string, count: number) {
  const title = `Rebase ${from}..${to} onto ${onto} (${count} command${count === 1 ? "" : "s"})\n`;
  return `${title}${HELP}`
    .split("\n")
    .map((line) => (line ? `# ${line}` : "#"))
    .join("\n");
}

/** @throws {GitProblem} a line is no command */
export function parseTodo(text: string): Step[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("#"));
  return lines.map((line, at) => {
    const [, name = "", options = "", rest = ""] = /^(\S+)\s*((?:-[Cc]\s+)?)(.*)$/.exec(line) ?? [];
    const command = LETTERS[name] ?? name;
    const known = Object.values(LETTERS).includes(command) || command === "noop";
    if (!known || (!rest && !ALONE.includes(command)))
      throw new GitProblem(`error: invalid line ${at + 1}: ${line}`, 1);
    return {
      command,
      options: options.trim(),
      argument: command === "exec" ? rest : (rest.split(/\s/)[0] ?? ""),
      line,
    };
  });
}
