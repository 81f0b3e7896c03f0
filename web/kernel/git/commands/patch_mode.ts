// `git add -p`, `reset -p`, `checkout -p`, `restore -p` and `commit -p`: the user chooses hunks to stage, to unstage, or to
// discard.
import { encode } from "../../bytes.ts";
import { chooseHunks, parseDiff, parseHunk, withHunks, type FileDiff, type Hunk } from "../differences/hunks.ts";
import { stagesOf, inWork } from "../differences/file_pairs.ts";
import { changeIndex } from "../index/index_edit.ts";
import { answer, GitProblem, type Answer } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { edited, editorOf } from "../repository/editor.ts";
import { splitAtDashes, takeFlag } from "../repository/options.ts";
import { textAt } from "../objects/objects.ts";
import { headOf, needRepository, storedText, type Call } from "../repository/repository.ts";
import { diff } from "./diff.ts";

type Version = { mode: number; hash: string };

/** `stage` takes hunks of the work tree into the index, `unstage` takes them out, `discard` undoes them in the work tree */
type Way = "stage" | "unstage" | "discard";

const DIALOGS: Record<Way, { verb: string; place?: string; compared: string[] }> = {
  stage: { verb: "Stage", compared: [] },
  unstage: { verb: "Unstage", compared: ["--cached"] },
  discard: { verb: "Discard", place: " from worktree", compared: [] },
};
const FILE = 0o100644;
const PERMISSIONS = 0o777;
const GUIDE = `\
# ---
# To remove '-' lines, make them ' ' lines (context).
# To remove '+' lines, delete them.
# Lines starting with # will be removed.
# If the patch applies cleanly, the edited hunk will immediately be marked for staging.
# If it does not apply cleanly, you will be given an opportunity to
# edit again.  If all lines of the hunk are removed, then the edit is
# aborted and the hunk is left unchanged.
`;

const OPTION: Record<string, string> = { add: "", commit: "mFCct", checkout: "bB", reset: "", restore: "s" };

/**
 * Let the user choose hunks, if the arguments of a command ask for it.
 * @returns null if they don't; `args` are the others
 */
export async function patchMode(
  command: "add" | "reset" | "checkout" | "restore" | "commit",
  args: string[],
  call: Call,
): Promise<{ done: Answer; args: string[] } | null> {
  const taken = takeFlag(args, "p", "--patch", OPTION[command] ?? "");
  if (!taken.found) return null;
  const staged = takeFlag(taken.args, "S", "--staged", OPTION[command] ?? "");
  const [before, rest] = splitAtDashes(command === "restore" ? staged.args : taken.args);
  const paths = command === "commit" ? rest.slice(1) : await operands(command, before, rest.slice(1), call);
  const unstages = command === "reset" || (command === "restore" && staged.found);
  const way = command === "add" || command === "commit" ? "stage" : unstages ? "unstage" : "discard";
  return { done: await choose(way, paths, call), args: taken.args };
}

/** The paths of a command without other options. A tree other than HEAD has no dialog here. */
async function operands(command: string, words: string[], paths: string[], call: Call): Promise<string[]> {
  const option = words.find((word) => word.startsWith("-") && !/^(-q|--quiet|-v|--verbose)$/.test(word));
  const trees = command === "reset" || command === "checkout";
  const names = words.filter((word) => !word.startsWith("-"));
  const first = names[0];
  const { fs, cwd } = call.context;
  const isTree = trees && first !== undefined && !(await fs.exists(fs.resolvePath(cwd, first)));
  if (option !== undefined || (isTree && !(command === "reset" && first === "HEAD")))
    refuse(
      `git ${command} -p takes no '${option ?? first}' here`,
      `use git diff ${option === undefined ? first : "TREE"} -- PATH, and git checkout ${option === undefined ? first : "TREE"} -- PATH`,
    );
  return [...(isTree ? names.slice(1) : names), ...paths];
}

async function choose(way: Way, paths: string[], call: Call): Promise<Answer> {
  const { context } = call;
  const { verb, place, compared } = DIALOGS[way];
  if (way === "unstage" && (await headOf(needRepository(call))).hash === null)
    throw new GitProblem("error: git reset -p needs a commit here\nhint: use git rm --cached PATH", 128);
  const shown = await diff(
    ["--no-color", "--no-renames", ...compared, ...(paths.length ? ["--", ...paths] : [])],
    call,
  );
  if (shown.exitCode) return shown;
  const [indexed = new Map<string, Version>(), ...conflicts] = await stagesOf(call);
  const unmerged = [...new Set(conflicts.flatMap((stage) => [...stage.keys()]))].sort();
  for (const path of unmerged) await context.complain(`ignoring unmerged: ${path}\n`);
  const files = parseDiff(shown.stdout).filter(({ path }) => !unmerged.includes(path));
  if (files.length === 0)
    return answer("", shown.stdout && !unmerged.length ? "Only binary files changed.\n" : "No changes.\n");
  const texts = new Map<FileDiff, string>();
  for (const file of files) texts.set(file, await oldText(file, way, indexed, call));
  await chooseHunks(files, {
    ...{ verb, place, print: context.print, complain: context.complain, ask: context.ask },
    edit:
      way === "stage" ? (file, hunk, text) => editHunk(file.path, texts.get(file) ?? "", hunk, text, call) : undefined,
  });
  const changes = new Map<string, Version | null>();
  for (const file of files.filter(({ hunks }) => hunks.some(({ chosen }) => chosen))) {
    const old = texts.get(file) ?? "";
    if (way === "discard") await discard(file, old, indexed.get(file.path)?.mode ?? FILE, call);
    else changes.set(file.path, await versionOf(file, old, way, indexed, call));
  }
  if (changes.size) await changeIndex(call, changes);
  return answer();
}

/** The text that the hunks change: of HEAD, or of the index. */
async function oldText({ path, added }: FileDiff, way: Way, indexed: Map<string, Version>, call: Call) {
  if (added) return "";
  const repository = needRepository(call);
  if (way === "unstage") return textAt(repository, `HEAD:${path}`);
  const hash = indexed.get(path)?.hash;
  return hash === undefined ? "" : storedText(repository, hash);
}

/** The new entry of a file in the index; null removes it. */
async function versionOf(
  file: FileDiff,
  old: string,
  way: "stage" | "unstage",
  indexed: Map<string, Version>,
  call: Call,
): Promise<Version | null> {
  const { path, hunks, header, added, deleted } = file;
  const taken = hunks.filter(({ chosen }) => (way === "stage" ? chosen : !chosen));
  // Without the hunk of an addition, or with the one of a deletion, there is no file.
  if ((added && taken.length === 0) || (deleted && taken.length)) return null;
  const given = /^(?:new file mode|deleted file mode|index \S+) (\d+)$/m.exec(header)?.[1];
  const change = hunks.find(({ mode }) => mode);
  const side = change && taken.includes(change) ? change.mode?.now : change?.mode?.old;
  const mode = side ?? (given === undefined ? (indexed.get(path)?.mode ?? FILE) : parseInt(given, 8));
  const hash = await needRepository(call).objectStore.write("blob", encode(withHunks(old, taken)));
  return { mode, hash };
}

/** Undo the chosen hunks in the work tree. */
async function discard({ path, hunks, deleted }: FileDiff, old: string, mode: number, call: Call) {
  const { fs } = call.context;
  const place = `${needRepository(call).workTree}/${path}`;
  const left = hunks.filter(({ chosen }) => !chosen);
  const now = await inWork(call, path, mode);
  if (deleted) await fs.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
  await fs.writeFile(place, encode(withHunks(old, left)));
  const changed = hunks.find((hunk) => hunk.mode);
  const permissions = changed && !changed.chosen ? changed.mode?.now : changed || now === null ? mode : now.mode;
  if (fs.hasModes) await fs.chmod(place, (permissions ?? mode) & PERMISSIONS);
}

/** Let the user edit a hunk until it applies. */
async function editHunk(name: string, old: string, hunk: Hunk, shown: string, call: Call): Promise<Hunk | null> {
  const { gitDir, fs } = needRepository(call);
  const path = `${gitDir}/addp-hunk-edit.diff`;
  await fs.writeFile(path, `# Manual hunk edit mode -- see bottom for a quick guide.\n${shown}${GUIDE}`);
  for (;;) {
    const { text } = await edited(path, call, editorOf(call), "");
    const lines = text.replace(/^#.*\n?/gm, "");
    if (lines.trim() === "") return null;
    const [first = "", ...others] = lines.split(/(?<=\n)/);
    const body = first.startsWith("@@") ? others : [first, ...others];
    const { lines: made } = parseHunk(
      ["@@ -1 +1 @@\n", ...body.map((line) => (line === "\n" ? " \n" : line))].join(""),
    );
    if (applies(old, hunk.start, made)) return { ...hunk, lines: made };
    await call.context.complain(
      `error: patch failed: ${name}:${hunk.start}\nerror: ${name}: patch does not apply\nerror: 'git apply --cached' failed\n`,
    );
    const reply = await call.context.ask(
      "",
      'Your edited hunk does not apply. Edit again (saying "no" discards!) [y/n]? ',
    );
    if (!/^y/i.test(reply?.trim() ?? "n")) return null;
  }
}

/** Return whether the old lines of a hunk match the file. */
function applies(old: string, start: number, lines: Hunk["lines"]): boolean {
  if (lines.some(({ kind }) => !" -+".includes(kind))) return false;
  const olds = lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
  const there = old.split(/(?<=\n)/).slice(start - 1, start - 1 + olds.length);
  return olds.every((text, at) => text === there[at]);
}
