// `git config`: just-git's knows only the repository's file and no scopes.
import { answer, fail, GitProblem, type Answer } from "../repository/answers.ts";
import { parseOptions } from "../repository/options.ts";
import { needRepository, type Call } from "../repository/repository.ts";
import { normalized, userFile, type Setting } from "../repository/settings.ts";

const SHOWN = ["-l", "--list"];

export async function config(args: string[], call: Call): Promise<Answer | null> {
  const options = parseOptions(args, ["--file", "-f", "--default", "--type"]);
  const { flags, operands, values } = options;
  const [name = "", value, pattern] = operands;
  const settings = scoped(call, flags);
  refuseOthers(flags);
  const prefix = prefixOf(flags, call);
  if (SHOWN.some((flag) => flags.has(flag)))
    return answer(
      settings.map((one) => `${prefix(one)}${one.name}${flags.has("--name-only") ? "" : `=${one.value}`}\n`).join(""),
    );
  if (values.has("--file") || values.has("-f")) return null;
  for (const verb of ["--unset", "--unset-all"]) if (flags.has(verb)) return write(call, flags, name, null);
  if (flags.has("--add")) return write(call, flags, name, value ?? "", true);
  if (flags.has("--get-regexp")) return listed(settings, name);
  if (name === "") return answer("", "usage: git config [<options>]\n", 129);
  check(name);
  if (value !== undefined && pattern === undefined && !flags.has("--get") && !flags.has("--get-all"))
    return write(call, flags, name, typed(value, options));
  const found = settings.filter((one) => one.name === normalized(name));
  const shown = flags.has("--get-all") ? found : found.slice(-1);
  if (shown.length === 0) return values.has("--default") ? answer(`${values.get("--default")}\n`) : answer("", "", 1);
  return answer(shown.map((one) => `${prefix(one)}${typed(one.value, options)}\n`).join(""));
}

const KNOWN = new Set([
  ...SHOWN,
  "--unset",
  "--unset-all",
  "--add",
  "--get",
  "--get-all",
  "--get-regexp",
  "--global",
  "--local",
  "--system",
  "--bool",
  "--int",
  "--name-only",
  ...["--show-origin", "--show-scope", "--replace-all", "--path", "--includes", "--no-includes"],
]);

function refuseOthers(flags: Set<string>) {
  const other = [...flags].find((flag) => !KNOWN.has(flag));
  if (other !== undefined)
    throw new GitProblem(`error: git config has no ${other} here\nhint: edit .git/config or ~/.gitconfig`, 129);
}

/** Return the prefix of a setting, by `--show-origin` and `--show-scope`. */
function prefixOf(flags: Set<string>, { context, repository }: Call): (setting: Setting) => string {
  const inside = repository !== null && context.cwd === repository.workTree;
  const origin = (scope: string) =>
    scope === "command"
      ? "command line:"
      : `file:${scope === "global" ? userFile(context) : inside ? ".git/config" : `${repository?.gitDir}/config`}`;
  return ({ scope }) =>
    (flags.has("--show-scope") ? `${scope}\t` : "") + (flags.has("--show-origin") ? `${origin(scope)}\t` : "");
}

const UNITS: Record<string, number> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function typed(value: string, { flags, values }: { flags: Set<string>; values: Map<string, string> }) {
  const [, number, unit = ""] =
    flags.has("--int") || values.get("--type") === "int" ? (/^([-+]?\d+)([kmg]?)$/i.exec(value) ?? []) : [];
  if (number !== undefined) return String(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
  if (!flags.has("--bool") && values.get("--type") !== "bool") return value;
  return /^(true|yes|on|1)$/i.test(value) ? "true" : "false";
}

function listed(settings: Setting[], pattern: string) {
  const expression = new RegExp(pattern);
  const found = settings.filter(({ name }) => expression.test(name));
  return answer(found.map(({ name, value }) => `${name} ${value}\n`).join(""), "", found.length ? 0 : 1);
}

function check(name: string) {
  if (!name.includes(".")) throw new GitProblem(`error: key does not contain a section: ${name}`, 1);
  if (!/^[A-Za-z0-9.-]+\.(.*\.)?[A-Za-z][\w-]*$/s.test(name)) throw new GitProblem(`error: invalid key: ${name}`, 1);
}

function scoped({ settings }: Call, flags: Set<string>) {
  const scope = ["global", "local"].find((one) => flags.has(`--${one}`));
  if (flags.has("--system")) return [];
  return scope ? settings.filter((one) => one.scope === scope) : settings;
}

/**
 * Change a file of settings.
 * @param value - null removes it
 */
async function write(call: Call, flags: Set<string>, name: string, value: string | null, adds = false) {
  check(name);
  if (flags.has("--system")) fail("there is no configuration of the system here; use --global");
  if (!flags.has("--global") && call.repository === null) fail("not in a git directory");
  const path = flags.has("--global") ? userFile(call.context) : `${needRepository(call).gitDir}/config`;
  const { fs } = call.context;
  const text = (await fs.exists(path)) ? await fs.readFile(path) : "";
  const changed = edited(text, name, value, adds);
  if (changed === null) return answer("", "", 5);
  await fs.writeFile(path, changed);
  return answer();
}

function edited(text: string, name: string, value: string | null, adds: boolean): string | null {
  const parts = name.split(".");
  const key = parts.pop() ?? "";
  const [section = "", ...sub] = parts;
  const title = sub.length ? `[${section} "${sub.join(".").replace(/(["\\])/g, "\\$1")}"]` : `[${section}]`;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const { start, end } = sectionIn(lines, title);
  const matching = lines
    .map((_, at) => at)
    .filter((at) => at > start && at < end && keyOf(lines[at] ?? "") === key.toLowerCase());
  const fresh = value === null ? [] : [`\t${key} = ${written(value)}`];
  if (value === null && matching.length === 0) return null;
  if (start < 0) lines.push(title, ...fresh);
  else if (matching.length === 0 || adds) lines.splice(end, 0, ...fresh);
  else {
    for (const at of matching.reverse()) lines.splice(at, 1);
    lines.splice(matching.at(-1) ?? end, 0, ...fresh);
  }
  return withoutEmpty(lines, value === null ? start : -1);
}

/**
 * Remove a section that has nothing left.
 * @param start - of the section, or -1
 */
function withoutEmpty(lines: string[], start: number) {
  const next = lines[start + 1];
  if (start >= 0 && (next === undefined || next.startsWith("["))) lines.splice(start, 1);
  return lines.map((line) => `${line}\n`).join("");
}

const keyOf = (line: string) => /^\s*([A-Za-z][\w-]*)/.exec(line)?.[1]?.toLowerCase();

function sectionIn(lines: string[], title: string): { start: number; end: number } {
  const same = (line: string) => line.trim().replace(/^\[[\w.-]+/, (found) => found.toLowerCase());
  const start = lines.findLastIndex((line) => same(line) === same(title));
  const next = lines.findIndex((line, at) => at > start && line.trimStart().startsWith("["));
  return { start, end: next < 0 ? lines.length : next };
}

function written(value: string) {
  const text = value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return /^\s|\s$|[#;]/.test(value) ? `"${text}"` : text;
}
