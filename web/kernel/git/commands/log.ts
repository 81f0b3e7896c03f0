// `git log` and `git show`: dates in every style, and filters of messages, for which just-git gets one regular expression.
import { decode } from "../../bytes.ts";
import { answer, fail, GitProblem, type Answer, type Context } from "../repository/answers.ts";
import { find, splitPath, whyMissing } from "../objects/objects.ts";
import { clockOf, parseDate } from "../objects/date_input.ts";
import { formatDate, isDateStyle } from "../objects/dates.ts";
import { has, parseOptions, splitAtDashes, UNCOLORED, without, tokensOf } from "../repository/options.ts";
import { commitOf } from "../objects/revisions.ts";
import { takeDiffOptions } from "../differences/diff_options.ts";
import { refuseOption } from "../differences/refused_diff_options.ts";
import { readCommit, readTree } from "just-git/repo";
import { searchedLog, takePickaxe } from "../differences/pickaxe.ts";
import { decorations } from "../history/pretty.ts";
import { printedLog } from "../history/printed_log.ts";
import { PATTERN_FLAGS, translated } from "../repository/regular_expressions.ts";
import { headOf, needRepository, revParse, type Call } from "../repository/repository.ts";
import { setting } from "../repository/settings.ts";

const FORMAT = /^--(format|pretty)=/;
// A date that just-git has printed as ISO 8601, after the letter of its style.
const MARKED = /\x1e([drs])([^\x1f]*)\x1f/g;
// An empty format prints nothing, not even the newline before a diff.
const BARE = /^--(format|pretty)=(tformat:|format:)?$/;
const NOTHING = "\x1d";
const NOTHINGS = /\x1d\n?\n?/g;
// The styles whose dates depend on the clock.
const LOCAL = /local|relative|human/;
const LETTERS: Record<string, string> = { r: "relative", s: "short" };
const DATE = /^((?:[|*\\/_ ]*(?<! {4}))(?:Author|Commit)?Date: +)(\w{3} \w{3} \d+ [\d:]{8} \d+ [-+]\d{4})$/gm;

/** Run a command of just-git that prints commits, with dates in the style of `--date` or `log.date`. */
async function withDates(name: string, args: string[], call: Call) {
  const { values } = parseOptions(args, ["--date"]);
  const style = values.get("--date") ?? setting(call.settings, "log.date") ?? "default";
  if (!isDateStyle(style)) fail(`unknown date format ${style}`);
  const rest = args.filter((word, at) => !/^--date(=|$)/.test(word) && args[at - 1] !== "--date");
  const marked = rest.map((word) =>
    BARE.test(word) ? `--format=${NOTHING}` : FORMAT.test(word) ? marking(word, style) : word,
  );
  const done = await call.run([name, ...marked]);
  const place = LOCAL.test(style) || marked.some((word) => word.includes("\x1er")) ? await clockOf(call.context) : {};
  const restyled = (text: string, wanted: string) => {
    const zone = /[-+]\d\d:?\d\d$/.exec(text)?.[0].replace(":", "") ?? "+0000";
    return formatDate(Date.parse(text) / 1000, zone, wanted, place);
  };
  const stdout = done.stdout
    .replace(NOTHINGS, "")
    .replace(MARKED, (_, letter, text) => restyled(text, LETTERS[letter] ?? style));
  return {
    ...done,
    stdout: style === "default" ? stdout : stdout.replace(DATE, (_, start, text) => start + restyled(text, style)),
  };
}

/** `%B` has its last newline, which just-git leaves out. */
const marking = (word: string, style: string) =>
  word.replace(/%%|%([ac])([drs])|%B/g, (whole, who, letter) => {
    if (whole === "%B") return "%B%n";
    return who === undefined || (letter === "d" && style === "default") ? whole : `\x1e${letter}%${who}I\x1f`;
  });

export async function log(args: string[], call: Call): Promise<Answer> {
  const { pickaxe, rest } = takePickaxe(args);
  if (pickaxe) return searchedLog(rest, pickaxe, call, log);
  const printed = await printedLog(args, call);
  if (printed !== null) return printed;
  const words = args.map((word) => (word === "--decorate=short" ? "--decorate" : word));
  const ran = await withDates(
    "log",
    filtered(without(await withTimes(words, call.context), ...UNCOLORED, "--no-decorate")),
    call,
  );
  const extra = args.some((word) => /^--(format|pretty)=format:.*%B$/s.test(word));
  const done = extra ? { ...ran, stdout: ran.stdout.replace(/\n$/, "") } : ran;
  if (!/^fatal: your current branch does not have any commits yet/.test(done.stderr)) return done;
  const { branch } = await headOf(needRepository(call));
  return { ...done, stderr: done.stderr.replace("branch does", `branch '${branch}' does`) };
}

async function shownTree(name: string, hash: string, call: Call) {
  const entries = await readTree(needRepository(call), hash);
  return `tree ${name}\n\n${entries.map((entry) => `${entry.name}${/^0?40000$/.test(entry.mode) ? "/" : ""}\n`).join("")}`;
}

/** Print files of commits and of the index. */
async function showFiles(names: string[], call: Call) {
  const repository = needRepository(call);
  let printed = "";
  for (const name of names) {
    const hash = await find(repository, name, call.context);
    if (hash === null) throw new GitProblem(await whyMissing(repository, name, call.context));
    const { type, content } = await repository.objectStore.read(hash);
    printed += type === "tree" ? await shownTree(name, hash, call) : decode(content);
  }
  return answer(printed);
}

export async function show(args: string[], call: Call): Promise<Answer> {
  const named = parseOptions(args).operands;
  if (named.length && !args.includes("--") && (await areFiles(named, call))) return showFiles(named, call);
  const several = named.length > 1 && !args.includes("--") && (await areRevisions(named, call));
  if (has(args, "--oneline") && !several) {
    const short = await show(["--format=%h %s", ...without(args, "--oneline")], call);
    return { ...short, stdout: short.stdout.replace(/^(.*\n)\n/, "$1") };
  }
  if (several) return showEach(named, args, call);
  const own = await shownCommit(named, args, call);
  if (own !== null) return own;
  const tagged = await shownTag(named, args, call);
  if (tagged !== null) return tagged;
  if (!args.includes("--")) await checkNames(named, call);
  const words = without(args, ...UNCOLORED, "--decorate=short").map((word) => (word === "-s" ? "--no-patch" : word));
  const ran = await withDates("show", words, call);
  if (has(args, "--decorate=short")) {
    const names = await decorations(needRepository(call), false);
    const named = (whole: string, hash: string) =>
      names.has(hash) ? `${whole} (${names.get(hash)?.join(", ")})` : whole;
    ran.stdout = ran.stdout.replace(/^commit ([0-9a-f]{40})$/m, named);
  }
  const bare = args.some((word) => BARE.test(word));
  return untitled(bare ? { ...ran, stdout: ran.stdout.replace(/^\n+/, "") } : ran);
}

/** @throws {GitProblem} a word is no revision and no file */
async function checkNames(words: string[], call: Call) {
  const repository = needRepository(call);
  const { fs, cwd } = call.context;
  for (const word of words) {
    const isThere = word.includes("..") || word.startsWith(":") || (await fs.exists(fs.resolvePath(cwd, word)));
    if (!isThere && (await find(repository, word, call.context)) === null) await commitOf(repository, word);
  }
}

/** The message of a tag isn't indented. */
function untitled(done: Answer) {
  const tag = /^(tag .*\nTagger: .*\nDate: .*\n\n)((?:    .*\n|\n)*?)(?=\n(?:commit|tree|blob|tag) )/.exec(done.stdout);
  if (tag === null) return done;
  const [whole, head = "", message = ""] = tag;
  return { ...done, stdout: head + message.replace(/^ {4}/gm, "") + done.stdout.slice(whole.length) };
}

/** Show a tag, and then its commit by the same options. */
async function shownTag(named: string[], args: string[], call: Call) {
  const repository = needRepository(call);
  const [name = "HEAD"] = named;
  const hash = await find(repository, name, call.context);
  if (hash === null || (await repository.objectStore.read(hash)).type !== "tag") return null;
  const commit = await revParse(repository, `${hash}^{commit}`);
  if (commit === null) return null;
  const { stdout } = untitled(
    await withDates("show", ["--no-patch", ...args.filter((word) => /^--date/.test(word)), name], call),
  );
  const done = await show(
    args.map((word) => (word === name ? commit : word)),
    call,
  );
  return done.exitCode ? done : { ...done, stdout: stdout.slice(0, stdout.lastIndexOf("\ncommit ") + 1) + done.stdout };
}

/** Show a commit that isn't a merge as a log of itself; just-git compares the sides of merges, and prints tags. */
async function shownCommit(named: string[], args: string[], call: Call) {
  const repository = needRepository(call);
  const [name = "HEAD"] = named;
  const hash = await find(repository, name, call.context);
  if (hash === null || (await repository.objectStore.read(hash)).type !== "commit") return null;
  const [before, dashed] = splitAtDashes(args);
  const { parents } = await readCommit(repository, hash);
  const { options } = takeDiffOptions(before, call.settings);
  const isSilent = has(before, "-s", "--no-patch");
  const counts =
    options.formats.size > 0 &&
    [...options.formats].every((format) => /^(stat|numstat|shortstat|summary)$/.test(format));
  // Statistics of a merge compare it with its first parent.
  const first = parents.length > 1 && (counts || has(before, "--first-parent"));
  if (parents.length > 1 && has(before, "-m") && !has(before, "--first-parent")) refuseOption("show", "-m");
  if (parents.length > 1 && !isSilent && !first) return null;
  const shown = options.formats.size || isSilent ? [] : ["-p"];
  const words = [
    ...(first ? ["--first-parent"] : []),
    ...before.filter((word) => word !== name && word !== "-m" && word !== "--first-parent"),
  ];
  return printedLog(["--no-walk", ...shown, ...words, hash, ...dashed], call);
}

/** Return whether all are files or trees. */
async function areFiles(names: string[], call: Call) {
  for (const name of names) {
    if (splitPath(name) !== null) continue;
    const repository = needRepository(call);
    const hash = /\^\{tree\}$|^[0-9a-f]{7,40}$/.test(name) ? await find(repository, name, call.context) : null;
    if (hash === null || !/^(tree|blob)$/.test((await repository.objectStore.read(hash)).type)) return false;
  }
  return true;
}

async function areRevisions(names: string[], call: Call) {
  for (const name of names) if ((await find(needRepository(call), name, call.context)) === null) return false;
  return true;
}

/** Show objects one after another. */
async function showEach(names: string[], args: string[], call: Call) {
  const options = args.filter((word) => !names.includes(word));
  const format = options
    .map((word) => FORMAT.exec(word) && word.replace(FORMAT, ""))
    .findLast((word) => typeof word === "string");
  const parts = [];
  for (const name of names) {
    const done = await show([...options, name], call);
    if (done.exitCode) return { ...done, stdout: parts.join("") + done.stdout };
    parts.push(done.stdout);
  }
  return answer(
    parts.join(
      (format === undefined && !has(options, "--oneline")) ||
        /^(short|medium|full|fuller|raw|email|format:)/.test(format ?? "")
        ? "\n"
        : "",
    ),
  );
}

const TIMES = ["--since", "--after", "--until", "--before", "--since-as-filter"];

/** Replace dates that users write by exact ones. */
export async function withTimes(args: string[], context: Context): Promise<string[]> {
  const [before, after] = splitAtDashes(args);
  const rest: string[] = [];
  for (const { word, option, value = "" } of tokensOf(before, TIMES)) {
    if (option === undefined) rest.push(word);
    else {
      const seconds = parseDate(value, await clockOf(context));
      // just-git leaves out commits of that very second.
      const isStart = !/^--(until|before)$/.test(option);
      rest.push(`--${isStart ? "since" : "until"}=${new Date((seconds - Number(isStart)) * 1000).toISOString()}`);
    }
  }
  return [...rest, ...after];
}

/**
 * Replace the filters of messages and authors, of which just-git knows one each, as JavaScript's regular expressions.
 */
function filtered(args: string[]) {
  const { flags } = parseOptions(args);
  const patterns: Record<string, string[]> = { "--grep": [], "--author": [] };
  const rest: string[] = [];
  const [before, paths] = splitAtDashes(without(args, ...PATTERN_FLAGS, "-G", "--all-match", "--invert-grep"));
  for (const { word, option, value = "" } of tokensOf(before, Object.keys(patterns))) {
    if (option === undefined) rest.push(word);
    else patterns[option]?.push(translated(value, flags));
  }
  return [...rest, ...joined(patterns, flags), ...paths];
}

function joined(patterns: Record<string, string[]>, flags: Set<string>) {
  const modifiers = flags.has("-i") || flags.has("--regexp-ignore-case") ? "im" : "m";
  return Object.entries(patterns).flatMap(([name, all]) => {
    if (all.length === 0) return [];
    const every = name === "--grep" && flags.has("--all-match");
    const one = every
      ? `^${all.map((each) => `(?=[^]*(?${modifiers}:${each}))`).join("")}`
      : `(?${modifiers}:${all.map((each) => `(?:${each})`).join("|")})`;
    return [`${name}=${name === "--grep" && flags.has("--invert-grep") ? `^(?![^]*${one.replace(/^\^/, "")})` : one}`];
  });
}
