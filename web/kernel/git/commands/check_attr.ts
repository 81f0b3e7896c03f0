// `git check-attr`, and the attributes in `git ls-files --eol`.
import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import type { Value } from "../work_tree/attributes.ts";
import { readIndex } from "../index/index_file.ts";
import { isBinary, statisticsOf } from "../work_tree/line_ends.ts";
import { has, parseOptions } from "../repository/options.ts";
import { inTree, needRepository, type Call, inputLines } from "../repository/repository.ts";
import { quoted, quoting } from "../repository/shown_paths.ts";

const USAGE = `\
usage: git check-attr [-a | --all | <attr>...] [--] <pathname>...
   or: git check-attr --stdin [-z] [-a | --all | <attr>...]`;

const shown = (value: Value | undefined) =>
  value === true ? "set" : value === false ? "unset" : (value ?? "unspecified");

export async function checkAttr(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const { flags, operands, paths } = parseOptions(args);
  const all = flags.has("-a") || flags.has("--all");
  const [zero, reads] = [flags.has("-z"), flags.has("--stdin")];
  const names = all ? [] : paths === null && !reads ? operands.slice(0, 1) : operands;
  const files = reads ? inputLines(call, zero ? "\0" : "\n") : (paths ?? operands.slice(all ? 0 : 1));
  if ((!all && names.length === 0) || (!reads && files.length === 0))
    throw new GitProblem(`error: No ${names.length || all ? "file" : "attribute"} specified\n${USAGE}`, 129);
  const lines = files.flatMap((file) => {
    const values = call.context.fs.lineEnds.attributes.of(inTree(repository, call.context, file));
    const present = [...values].filter(([, value]) => value !== null).map(([name]) => name);
    return (all ? inOrder(present) : names).map((name) => [zero ? file : quoted(file), name, shown(values.get(name))]);
  });
  return answer(
    lines.map((line) => (zero ? line.map((field) => `${field}\0`).join("") : `${line.join(": ")}\n`)).join(""),
  );
}

// Git lists attributes in the order in which it has met their names; these it meets first.
const FIRST = ["binary", "diff", "merge", "text"];

const inOrder = (names: string[]) => [
  ...FIRST.filter((name) => names.includes(name)),
  ...names.filter((name) => !FIRST.includes(name)),
];

/** The line ends of a content, as git names them. */
function kindOf(content: Uint8Array) {
  const found = statisticsOf(content);
  if (isBinary(found)) return "-text";
  if (found.crlf && found.loneLf) return "mixed";
  return found.crlf ? "crlf" : found.loneLf ? "lf" : "none";
}

/** Return the attributes' rule for line ends. */
function ruleOf(values: Map<string, Value>) {
  const text = values.get("text") ?? values.get("crlf") ?? null;
  const eol = values.get("eol");
  const end = text !== false && (eol === "lf" || eol === "crlf") ? ` eol=${eol}` : "";
  if (text === false) return "-text";
  if (text === "auto") return `text=auto${end}`;
  return text === true || text === "input" || end ? `text${end}` : "";
}

/**
 * `git ls-files --eol`.
 * @param done - the list without line ends, of paths from the current folder with NUL between them
 */
export async function listEnds(args: string[], done: Answer, call: Call): Promise<Answer> {
  const repository = needRepository(call);
  const { fs } = call.context;
  const entries = new Map(((await readIndex(repository)) ?? []).map((entry) => [entry.path, entry]));
  const end = has(args, "-z") ? "\0" : "\n";
  const named = has(args, "-z") ? (path: string) => path : quoting(call.settings);
  const lines = await Promise.all(
    done.stdout
      .split("\0")
      .filter(Boolean)
      .map(async (line) => {
        const head = has(args, "-s", "--stage", "-u", "--unmerged") ? line.slice(0, line.indexOf("\t")) : "";
        const path = head ? line.slice(head.length + 1) : line;
        const name = inTree(repository, call.context, path);
        const entry = entries.get(name);
        const node = fs.nodeAt(`${repository.workTree}/${name}`);
        const isText = entry === undefined || (entry.mode & 0o170000) === 0o100000;
        const staged = entry && isText ? kindOf((await repository.objectStore.read(entry.hash)).content) : "";
        const there =
          node !== null && fs.FS.isFile(node.mode) ? kindOf(fs.contentOf(node, `${repository.workTree}/${name}`)) : "";
        const ends =
          `i/${staged}`.padEnd(8) +
          `w/${there}`.padEnd(8) +
          `attr/${ruleOf(fs.lineEnds.attributes.of(name))}`.padEnd(22);
        return `${head && `${head}\t`}${ends}\t${named(path)}${end}`;
      }),
  );
  return done.exitCode ? done : answer(lines.join(""));
}
