// Lists of refs: for-each-ref, and what just-git's `branch` and `tag` lack.
import { isAncestor } from "just-git/repo";

import { type Answer, answer, fail, joined } from "../repository/answers.ts";
import { refuse } from "../repository/refusals.ts";
import { decode } from "../../bytes.ts";
import { bytewise } from "../index/changes.ts";
import { formatDate } from "../objects/dates.ts";
import { checkOptions, parseOptions, without } from "../repository/options.ts";
import { matchesGlob, shortName, upstreamOf } from "../repository/ref_names.ts";
import { resolve } from "../objects/revisions.ts";
import { headOf, needRepository, revParse, type Call, type Repository } from "../repository/repository.ts";
import { setting, type Setting } from "../repository/settings.ts";
import { tableOf } from "../../tables.ts";

interface Ref {
  name: string;
  hash: string;
  type: string;
  commit: string;
  message: string;
  people: Record<string, string>;
}

async function refsBelow(repository: Repository, prefix: string): Promise<Ref[]> {
  const listed = await repository.refStore.listRefs(prefix);
  return Promise.all(
    listed.map(async ({ name, hash }) => {
      const { type, content } = await repository.objectStore.read(hash);
      const [head = "", ...message] = decode(content).split("\n\n");
      const lines = head.split("\n").map((line) => /^(\S+) (.*)$/.exec(line) ?? []);
      const people = Object.fromEntries(lines.map(([, key = "", value = ""]) => [key, value]));
      const commit = type === "tag" ? ((await revParse(repository, `${hash}^{commit}`)) ?? hash) : hash;
      return { name, hash, type, commit, message: message.join("\n\n"), people };
    }),
  );
}

const FILTERS = ["--merged", "--no-merged", "--contains", "--no-contains", "--points-at"];

/** Take `--merged [<commit>]` and its like from the arguments. */
async function takeFilters(
  repository: Repository,
  args: string[],
): Promise<{ rest: string[]; accepts: (ref: Ref) => Promise<boolean> }> {
  const rest: string[] = [];
  const tests: ((ref: Ref) => Promise<boolean>)[] = [];
  for (let at = 0; at < args.length; at++) {
    const [word = "", value] = (args[at] ?? "").split("=");
    if (!FILTERS.includes(word)) rest.push(args[at] ?? "");
    else {
      const next = args[at + 1];
      const name =
        value ??
        (next !== undefined && !next.startsWith("-") && (await revParse(repository, next)) !== null
          ? args[++at]
          : undefined);
      tests.push(filter(repository, word, await resolve(repository, `${name ?? "HEAD"}^{commit}`)));
    }
  }
  const accepts = async (ref: Ref) => (await Promise.all(tests.map((test) => test(ref)))).every(Boolean);
  return { rest, accepts };
}

function filter(repository: Repository, word: string, hash: string): (ref: Ref) => Promise<boolean> {
  if (word === "--points-at") return async ({ commit }) => commit === hash;
  const merged = word.endsWith("merged");
  return async ({ commit }) => {
    const found =
      commit === hash ||
      (merged ? await isAncestor(repository, commit, hash) : await isAncestor(repository, hash, commit));
    return found !== word.startsWith("--no-");
  };
}

const KEYS: Record<string, (ref: Ref) => string> = tableOf({
  refname: ({ name }) => name,
  creatordate: ({ people }) => secondsOf(people.tagger ?? people.committer),
  committerdate: ({ people }) => secondsOf(people.committer),
  authordate: ({ people }) => secondsOf(people.author),
  taggerdate: ({ people }) => secondsOf(people.tagger),
  objectname: ({ hash }) => hash,
});

const secondsOf = (person?: string) => (/ (\d+) [-+]\d+$/.exec(person ?? "")?.[1] ?? "0").padStart(12, "0");

function sorted(refs: Ref[], key = "refname") {
  const name = key.replace(/^-/, "").replace(/^(version|v):/, "");
  const valueOf = KEYS[name] ?? fail(`unknown field name: ${name}`);
  const compare = /^-?(version|v):/.test(key) ? new Intl.Collator("en", { numeric: true }).compare : bytewise;
  const sign = key.startsWith("-") ? -1 : 1;
  return refs.toSorted((one, other) => sign * compare(valueOf(one), valueOf(other)) || bytewise(one.name, other.name));
}

function formatted(ref: Ref, format: string, { branch, settings }: { branch: string | null; settings: Setting[] }) {
  const upstream = upstreamOf(settings, shortName(ref.name)) ?? "";
  const value = (field: string, option?: string): string => {
    const [, who, what] = /^(author|committer|tagger|creator)(name|email|date|)$/.exec(field) ?? [];
    if (who !== undefined)
      return personal(
        ref.people[who === "creator" ? (ref.people.tagger ? "tagger" : "committer") : who] ?? "",
        what ?? "",
        option,
      );
    const fields: Record<string, () => string> = tableOf({
      refname: () => named(ref.name, option),
      objectname: () => (option === "short" ? ref.hash.slice(0, 7) : ref.hash),
      objecttype: () => ref.type,
      subject: () => ref.message.split("\n\n")[0]?.trim().replaceAll("\n", " ") ?? "",
      contents: () => (option === "subject" ? value("subject") : ref.message),
      HEAD: () => (ref.name === `refs/heads/${branch}` ? "*" : " "),
      upstream: () => named(upstream, option),
    });
    return fields[field]?.() ?? refuse(`refs have no field ${field} here`, "use other fields of --format");
  };
  const text = withConditions(format, value).replace(/%\(([^):]+)(?::([^)]*))?\)/g, (_, field, option) => {
    if (field !== "*objectname") return value(field, option);
    return ref.type !== "tag" ? "" : option === "short" ? ref.commit.slice(0, 7) : ref.commit;
  });
  return text.replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))).replaceAll("%%", "%");
}

/**
 * A ref's name, in full or in part.
 * @param option - such as `short` and `lstrip=2`
 */
function named(name: string, option = "") {
  if (option === "") return name;
  if (option === "short") return shortName(name);
  const [, side, given] = /^([lr]?)strip=(-?\d+)$/.exec(option) ?? [];
  if (given === undefined) refuse(`refs have no :${option} here`, "use :short or :lstrip=N");
  const parts = name.split("/");
  const count = Number(given) < 0 ? Math.max(parts.length + Number(given), 0) : Number(given);
  return (side === "r" ? parts.slice(0, Math.max(parts.length - count, 0)) : parts.slice(count)).join("/");
}

// An innermost `%(if)…%(then)…%(else)…%(end)`.
const CONDITION =
  /%\(if(?::(equals|notequals)=([^)]*))?\)((?:(?!%\(if)[^])*?)%\(then\)((?:(?!%\(if)[^])*?)(?:%\(else\)((?:(?!%\(if)[^])*?))?%\(end\)/;

/** Choose the parts of a format by its conditions. */
function withConditions(format: string, value: (field: string, option?: string) => string) {
  let text = format;
  for (let match = CONDITION.exec(text); match; match = CONDITION.exec(text)) {
    const [whole, kind, wanted, tested = "", then = "", otherwise = ""] = match;
    const found = tested.replace(/%\(([^):]+)(?::([^)]*))?\)/g, (_, field, option) => value(field, option));
    const holds = kind === undefined ? found.trim() !== "" : (found === wanted) === (kind === "equals");
    text = text.slice(0, match.index) + (holds ? then : otherwise) + text.slice(match.index + whole.length);
  }
  return text;
}

function personal(person: string, what: string, option?: string) {
  const [, name = "", email = "", seconds = "0", zone = ""] = /^(.*?) ?(<.*>) (\d+) ([-+]\d+)$/.exec(person) ?? [];
  if (what === "name") return name;
  if (what === "email") return email;
  if (person === "") return "";
  return what === "date" ? formatDate(Number(seconds), zone, option) : person;
}

export async function forEachRef(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const isNamed = (one: string, name: string) =>
    name === one || name.startsWith(one.endsWith("/") ? one : `${one}/`) || matchesGlob(one, name);
  const { refs, flags, values } = await chosenRefs(repository, ["refs"], args, undefined, isNamed);
  checkOptions("for-each-ref", flags, ["--color=never"], "use --format");
  const shown = refs.slice(0, Number(values.get("--count") ?? Infinity));
  return answer(await lines(shown, values.get("--format") ?? "%(objectname) %(objecttype)\t%(refname)", call));
}

/**
 * The refs that the arguments of a list choose, in the order of `--sort`.
 * @param usual - the order without it
 * @param isNamed - whether an argument names a ref
 */
async function chosenRefs(
  repository: Repository,
  prefixes: string[],
  args: string[],
  usual: string | undefined,
  isNamed = (pattern: string, name: string) => matchesGlob(pattern, shortName(name)),
) {
  const { rest, accepts } = await takeFilters(repository, args);
  const { flags, values, operands } = parseOptions(rest, ["--format", "--sort", "--count"]);
  const all = (await Promise.all(prefixes.map((prefix) => refsBelow(repository, prefix)))).flat();
  const named = all.filter(({ name }) => operands.length === 0 || operands.some((one) => isNamed(one, name)));
  const verdicts = await Promise.all(named.map(accepts));
  const accepted = named.filter((_, at) => verdicts[at]);
  return { refs: sorted(accepted, values.get("--sort") ?? usual), flags, values };
}

async function lines(refs: Ref[], format: string, call: Call) {
  const { branch } = await headOf(needRepository(call));
  return refs.map((ref) => `${formatted(ref, format, { branch, settings: call.settings })}\n`).join("");
}

/** Lists with `-n`, `--format`, `--contains` and their like; others are just-git's. */
export async function tag(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  const asked = args.some((word) =>
    /^-n\d*$|^--(format|contains|merged|no-merged|points-at|sort|list)\b|^-l$/.test(word),
  );
  const given = parseOptions(args);
  const deletes = given.flags.has("-d") || given.flags.has("--delete");
  if (deletes && given.operands.length > 1) return deleteEach(given.operands, (name) => call.run(["tag", "-d", name]));
  if (!asked || args.some((word) => /^-[adfsm]/.test(word))) return null;
  const order = setting(call.settings, "tag.sort");
  const { refs, flags, values } = await chosenRefs(repository, ["refs/tags"], args, order);
  const count = Number([...flags].find((flag) => /^-n\d*$/.test(flag))?.slice(2) || 1);
  if (![...flags].some((flag) => /^-n/.test(flag)))
    return answer(await lines(refs, values.get("--format") ?? "%(refname:short)", call));
  return answer(
    refs
      .map(
        ({ name, message }) =>
          `${shortName(name).padEnd(15)} ${message.trimEnd().split("\n").slice(0, count).join("\n    ")}\n`,
      )
      .join(""),
  );
}

/** Lists with `--list`, `--merged`, `--format` and their like; others are just-git's. */
export async function branch(args: string[], call: Call): Promise<Answer | null> {
  const repository = needRepository(call);
  if (args.some((word) => /^-[ar]*v{2,}/.test(word))) return null;
  if (!args.some((word) => /^--(list|merged|no-merged|contains|no-contains|points-at|format|sort)\b|^-l$/.test(word)))
    return null;
  const given = parseOptions(args, ["--format", "--sort"]).flags;
  const remote = given.has("-r") || given.has("--remotes");
  const prefixes =
    given.has("-a") || given.has("--all") ? ["refs/heads", "refs/remotes"] : [remote ? "refs/remotes" : "refs/heads"];
  const { refs, values } = await chosenRefs(repository, prefixes, args, setting(call.settings, "branch.sort"));
  const both = prefixes.length > 1 ? "%(HEAD) %(refname:lstrip=0)" : "%(HEAD) %(refname:short)";
  const format = values.get("--format") ?? both;
  if (format !== both || prefixes.length < 2) return answer(await lines(refs, format, call));
  const { branch: current } = await headOf(repository);
  return answer(
    refs
      .map(({ name }) => `${name === `refs/heads/${current}` ? "*" : " "} ${name.replace(/^refs\/(heads\/)?/, "")}\n`)
      .join(""),
  );
}

/** Forget what a branch follows. */
async function unsetUpstream(given: string | undefined, call: Call) {
  const name =
    given ??
    (await headOf(needRepository(call))).branch ??
    fail("could not unset upstream of HEAD when it does not point to any branch.");
  if (upstreamOf(call.settings, name) === null) fail(`Branch '${name}' has no upstream information`);
  for (const key of ["remote", "merge"])
    await call.elsewhere(["config", "--unset", `branch.${name}.${key}`], call.context.cwd);
  return answer();
}

/** Delete branches of remotes here. */
async function forgetRemote(names: string[], call: Call) {
  const { refStore } = needRepository(call);
  const done = answer();
  for (const name of names) {
    const ref = await refStore.readRef(`refs/remotes/${name}`);
    if (ref?.type !== "direct")
      Object.assign(done, {
        stderr: `${done.stderr}error: remote-tracking branch '${name}' not found.\n`,
        exitCode: 1,
      });
    else {
      await refStore.deleteRef(`refs/remotes/${name}`);
      done.stdout += `Deleted remote-tracking branch ${name} (was ${ref.hash.slice(0, 7)}).\n`;
    }
  }
  return done;
}

/** Delete each, as just-git deletes only the first. */
async function deleteEach(names: string[], remove: (name: string) => Promise<Answer>): Promise<Answer> {
  let whole = answer();
  for (const name of names) whole = joined(whole, await remove(name));
  return whole;
}

/** `branch -d` in the words of git 2.39. */
export async function plainBranch(args: string[], call: Call): Promise<Answer> {
  if (args.includes("--unset-upstream"))
    return unsetUpstream(
      args.find((word) => !word.startsWith("-")),
      call,
    );
  const { flags, operands } = parseOptions(args);
  const deletes = ["-d", "-D", "--delete"].some((flag) => flags.has(flag));
  if (deletes && (flags.has("-r") || flags.has("--remotes"))) return forgetRemote(operands, call);
  if (deletes && operands.length > 1) return deleteEach(operands, (name) => plainBranch([...flags, name], call));
  // What begins at an id follows nothing.
  const hash =
    flags.has("--no-track") && operands[1] !== undefined
      ? await resolve(needRepository(call), `${operands[1]}^{commit}`)
      : null;
  const words =
    operands.length === 2
      ? without(args, "-t", "--track", "--no-track").map((word) =>
          word === operands[1] && hash !== null ? hash : word,
        )
      : args;
  const ran = await call.run(["branch", ...words]);
  // Git says on standard output what a branch follows.
  const followed = /^branch '.*' set up to track .*\n/m.exec(ran.stderr)?.[0] ?? "";
  const stderr = ran.stderr
    .replace(followed, "")
    .replace(/^(error: branch '.*' not found)$/m, "$1.")
    .replace(
      /^error: cannot delete branch '(.*)' used by worktree at/m,
      "error: Cannot delete branch '$1' checked out at",
    );
  const done = { ...ran, stdout: ran.stdout + followed, stderr };
  const [, name] = /^error: the branch '(.*)' is not fully merged$/m.exec(done.stderr) ?? [];
  if (name === undefined) return done;
  return {
    ...done,
    stderr: `error: The branch '${name}' is not fully merged.\nIf you are sure you want to delete it, run 'git branch -D ${name}'.\n`,
  };
}
