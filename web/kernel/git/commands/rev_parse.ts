// `git rev-parse`: the ids and full names of revisions, and where the repository is.
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { clockOf, parseDate } from "../objects/date_input.ts";
import { shellWord } from "../repository/hooks.ts";
import { realPath } from "../repository/linked_trees.ts";
import { find } from "../objects/objects.ts";
import { gitFile, inTree, needRepository, type Call } from "../repository/repository.ts";
import { endsOf, followed, UPSTREAM } from "../objects/revisions.ts";
import { tableOf } from "../../tables.ts";

const KINDS: Record<string, string> = tableOf({
  "--all": "refs/",
  "--branches": "refs/heads/",
  "--tags": "refs/tags/",
  "--remotes": "refs/remotes/",
});
const NAMING = /^--(abbrev-ref(=\w+)?|symbolic-full-name)$/;
const IGNORED = /^(--revs-only|--no-flags|--end-of-options|--sq|--)$/;
/** The variables that belong to one repository, as git-rev-parse(1) describes `--local-env-vars`. */
const LOCAL_VARIABLES = [
  "ALTERNATE_OBJECT_DIRECTORIES",
  "CONFIG",
  "CONFIG_PARAMETERS",
  "CONFIG_COUNT",
  "OBJECT_DIRECTORY",
  "DIR",
  "WORK_TREE",
  "IMPLICIT_WORK_TREE",
  "GRAFT_FILE",
  "INDEX_FILE",
  "NO_REPLACE_OBJECTS",
  "REPLACE_REF_BASE",
  "PREFIX",
  "INTERNAL_SUPER_PREFIX",
  "SHALLOW_FILE",
  "COMMON_DIR",
].map((name) => `GIT_${name}`);
const AMBIGUOUS = (word: string) =>
  `fatal: ambiguous argument '${word}': unknown revision or path not in the working tree.\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'\n`;

/**
 * Return what an option prints of the repository.
 * @returns null if it prints nothing of it
 */
async function placeOf(option: string, call: Call): Promise<string | null> {
  const repository = needRepository(call);
  const { workTree, gitDir } = repository;
  const { cwd } = call.context;
  const inside = workTree !== null && !`${cwd}/`.startsWith(`${gitDir}/`);
  const prefix = inside ? inTree(repository, call.context, ".") : "";
  const up = "../".repeat(prefix === "" ? 0 : prefix.split("/").length);
  const { link } = call.context;
  if (link && /^--(absolute-)?git-dir$/.test(option)) return link.admin;
  if (link && option === "--git-common-dir") return link.common;
  const places: Record<string, () => string | null | Promise<string>> = {
    "--show-toplevel": () => (inside ? workTree : fail("this operation must be run in a work tree")),
    "--git-dir": () =>
      inside && prefix === "" && gitDir === `${workTree}/.git` ? ".git" : cwd === gitDir ? "." : gitDir,
    "--git-common-dir": () => (cwd === gitDir ? "." : `${up}.git`),
    "--absolute-git-dir": () => gitDir,
    "--is-inside-work-tree": () => String(inside),
    "--is-inside-git-dir": () => String(`${cwd}/`.startsWith(`${gitDir}/`)),
    "--is-bare-repository": () => String(workTree === null),
    "--is-shallow-repository": async () => String((await gitFile(repository, "shallow")) !== null),
    "--local-env-vars": () => LOCAL_VARIABLES.join("\n"),
    "--show-object-format": () => "sha1",
    "--show-prefix": () => prefix && `${prefix}/`,
    "--show-cdup": () => up,
  };
  return places[option]?.() ?? null;
}

interface Mode {
  verify: boolean;
  quiet: boolean;
  short: number | null;
  naming: string | null;
  symbolic: boolean;
  negated: boolean;
}

/** Options hold for the revisions after them. */
export async function revParse_(args: string[], call: Call): Promise<Answer | null> {
  const [first, ...others] = args;
  if (first === "--sq-quote") return answer(`${others.map((word) => ` ${shellWord(word)}`).join("")}\n`);
  const mode: Mode = { verify: false, quiet: false, short: null, naming: null, symbolic: false, negated: false };
  let printed = "";
  let names = 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const [, option, date] = /^--(since|after|until|before)=(.*)$/s.exec(word) ?? [];
    if (date !== undefined)
      printed += `--${/^[sa]/.test(option ?? "") ? "max" : "min"}-age=${parseDate(date, await clockOf(call.context))}\n`;
    else if (word === "--verify") mode.verify = true;
    else if (word === "-q" || word === "--quiet") mode.quiet = true;
    else if (/^--short(=\d+)?$/.test(word)) [mode.short, mode.verify] = [Number(word.slice(8) || 7), true];
    else if (NAMING.test(word)) mode.naming = word;
    else if (word === "--symbolic") mode.symbolic = true;
    else if (word === "--not") mode.negated = !mode.negated;
    else if (word in KINDS) printed += await namesOf(KINDS[word] ?? "", mode, call);
    else if (word === "--git-path") printed += await pathOf(args[++at] ?? "", call);
    else if (word.startsWith("-")) {
      const place = await placeOf(word, call);
      if (place === null && !IGNORED.test(word)) printed += `${word}\n`;
      else if (place !== null) printed += `${place}\n`;
    } else {
      names++;
      const done = await parsed(word, mode, call);
      if (done.exitCode) return { ...done, stdout: printed + done.stdout };
      printed += done.stdout;
    }
  }
  if (!mode.verify || names === 1) return answer(printed);
  return mode.quiet ? answer("", "", 1) : answer("", "fatal: Needed a single revision\n", 128);
}

async function parsed(word: string, mode: Mode, call: Call): Promise<Answer> {
  const repository = needRepository(call);
  if (mode.naming !== null && UPSTREAM.test(word)) {
    const name = await followed(repository, word);
    return answer(`${mode.naming === "--symbolic-full-name" ? name : name.replace(/^refs\/(heads|remotes)\//, "")}\n`);
  }
  if (mode.naming !== null) return call.run(["rev-parse", mode.naming, word]);
  const ranged = /\.\./.test(word) || word.startsWith("^") || /\^[@!]$/.test(word);
  const path = ranged ? null : await find(repository, word, call.context);
  if (path !== null)
    return answer(`${mode.negated ? "^" : ""}${mode.symbolic ? word : path.slice(0, mode.short ?? undefined)}\n`);
  try {
    if (!ranged || mode.verify) throw new GitProblem("");
    const ends = await endsOf(repository, word);
    return answer(ends.map(({ hash, excluded }) => `${excluded === mode.negated ? "" : "^"}${hash}\n`).join(""));
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
  }
  if (mode.verify) return mode.quiet ? answer("", "", 1) : answer("", "fatal: Needed a single revision\n", 128);
  const { fs, cwd } = call.context;
  if (await fs.exists(fs.resolvePath(cwd, word))) return answer(`${word}\n`);
  return answer(`${word}\n`, AMBIGUOUS(word), 128);
}

async function namesOf(prefix: string, { symbolic, naming }: Mode, call: Call) {
  const refs = (await needRepository(call).refStore.listRefs("refs")).filter(({ name }) => name.startsWith(prefix));
  refs.sort((one, other) => (one.name < other.name ? -1 : 1));
  const short = (name: string) =>
    naming === "--symbolic-full-name" ? name : name.replace(/^refs\/(heads|tags|remotes)\//, "");
  return refs
    .map(({ name, hash }) => `${symbolic && prefix === "refs/" ? name : symbolic || naming ? short(name) : hash}\n`)
    .join("");
}

async function pathOf(name: string, call: Call) {
  const { context } = call;
  if (context.link) return `${realPath(`${needRepository(call).gitDir}/${name}`, context)}\n`;
  const folder = (await placeOf("--git-common-dir", call)) ?? ".git";
  return `${folder === "." ? "" : `${folder}/`}${name}\n`;
}
