// `git ls-files`: just-git's list, with git's order and the names from the current folder.
import { answer, joined, type Answer } from "../repository/answers.ts";
import { listEnds } from "./check_attr.ts";
import { has, parseOptions, takeFlag, without } from "../repository/options.ts";
import { inTree, needRepository, type Call } from "../repository/repository.ts";
import { pathFrom, quoting } from "../repository/shown_paths.ts";

const VALUED = ["-x", "--exclude", "-X", "--exclude-from"];
const VALUED_LETTERS = "xX";
// What is listed of the files in the index.
const OF_INDEX = [
  ["c", "--cached"],
  ["d", "--deleted"],
  ["m", "--modified"],
  ["s", "--stage"],
  ["u", "--unmerged"],
] as const;

export async function lsFiles(args: string[], call: Call): Promise<Answer> {
  if (has(args, "--eol")) return listEnds(args, await lsFiles([...without(args, "--eol", "-z"), "-z"], call), call);
  const ofIndex = takeFlag(args, "o", "--others", VALUED_LETTERS);
  const ofOthers = withoutIndex(args);
  // Untracked files come first.
  if (ofIndex.found && ofOthers.found)
    return joined(await lsFiles(ofOthers.args, call), await lsFiles(ofIndex.args, call));
  const isWhole = has(args, "--full-name");
  const given = without(args, "--full-name");
  const here = inTree(needRepository(call), call.context, ".");
  const rest = inFolder(without(given, "--error-unmatch"), here);
  if (has(args, "--error-unmatch")) {
    for (const path of rest.filter((word) => !word.startsWith("-"))) {
      if ((await call.run(["ls-files", path])).stdout === "")
        return answer(
          "",
          `error: pathspec '${path}' did not match any file(s) known to git\nDid you forget to 'git add'?\n`,
          1,
        );
    }
  }
  const done = await listed(rest, args, call);
  const shown = (path: string) => (isWhole || here === "" ? path : pathFrom(path, here.split("/")));
  return { ...done, stdout: withPaths(done.stdout, args, call, shown) };
}

function withoutIndex(args: string[]) {
  const taken = { found: false, args };
  for (const [letter, name] of OF_INDEX) {
    const one = takeFlag(taken.args, letter, name, VALUED_LETTERS);
    Object.assign(taken, { found: taken.found || one.found, args: one.args });
  }
  return taken;
}

/** Name the current folder where no path is named, since just-git lists the whole work tree. */
function inFolder(args: string[], here: string) {
  const { operands, paths } = parseOptions(args, VALUED);
  return here === "" || operands.length + (paths?.length ?? 0) > 0 ? args : [...without(args, "--"), "."];
}

/** Quote the paths of a list, which stand alone, after a tab, or after the letter of `-t`. */
function withPaths(text: string, args: string[], { settings }: Call, shown: (path: string) => string) {
  const hasTab = has(args, "-s", "--stage", "-u", "--unmerged");
  const isZero = has(args, "-z");
  const form = has(args, "-t", "-v") ? /^(. )(.*)$/s : hasTab ? /^([^\t]*\t)(.*)$/s : /^()(.+)$/s;
  const end = isZero ? "\0" : "\n";
  const quote = isZero ? (path: string) => path : quoting(settings);
  return text
    .split(end)
    .map((row) => row.replace(form, (_, start, path) => start + quote(shown(path))))
    .join(end);
}

async function listed(rest: string[], args: string[], call: Call): Promise<Answer> {
  const done = await call.run(["ls-files", ...rest]);
  if (!has(args, "-m", "--modified") || has(args, "-d", "--deleted", "-t", "-z") || done.exitCode) return done;
  // Files that are gone count as modified.
  const gone = await call.run(["ls-files", "-d", ...without(rest, "-m", "--modified")]);
  const lines = [...new Set(`${done.stdout}${gone.stdout}`.split("\n").filter(Boolean))].sort();
  return { ...done, stdout: lines.map((line) => `${line}\n`).join("") };
}
