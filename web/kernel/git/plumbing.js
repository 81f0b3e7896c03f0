// Commands of scripts, which just-git lacks: cat-file, hash-object, ls-tree, merge-base, rev-list, rev-parse, symbolic-ref, update-ref.
import { findMergeBases, isAncestor, readTree, walkCommitHistory } from "just-git/repo";

import { answer, fail } from "./answers.js";
import { decode, encode, fromLatin1 } from "../shell/bytes.js";
import { parseOptions, without } from "./options.js";
import { clockOf, parseDate } from "./date_input.js";
import { withTimes } from "./log.js";
import { find } from "./objects.js";
import { headOf, inTree, needRepository, resolve } from "./repository.js";

/** @typedef {import("./repository.js").Command} Command */
/** @typedef {import("./repository.js").Repository} Repository */

/** @type {Command} */
export async function catFile(args, call) {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args);
  const name = operands.at(-1) ?? fail("usage: git cat-file (-t | -s | -e | -p | <type>) <object>", 129);
  const hash = await find(repository, name, call.context);
  if (flags.has("-e")) return answer("", "", hash === null ? 1 : 0);
  if (hash === null) return fail(`Not a valid object name ${name}`);
  const object = await repository.objectStore.read(hash);
  if (flags.has("-t")) return answer(`${object.type}\n`);
  if (flags.has("-s")) return answer(`${object.content.length}\n`);
  if (object.type === "tree") return answer((await readTree(repository, hash)).map((entry) => treeLine(entry, entry.name)).join(""));
  return answer(decode(object.content));
}

/** @param {{ mode: string, hash: string }} entry @param {string} path */
const treeLine = ({ mode, hash }, path) => `${mode.padStart(6, "0")} ${typeOf(mode)} ${hash}\t${path}\n`;

/** @param {string} mode */
const typeOf = (mode) => (/^0?40000$/.test(mode) ? "tree" : mode === "160000" ? "commit" : "blob");

/** @type {Command} */
export async function lsTree(args, call) {
  const repository = needRepository(call);
  const { flags, operands, paths } = parseOptions(args);
  const [name = fail("usage: git ls-tree [-d] [-r] [-t] [--name-only] <tree-ish> [<path>...]", 129), ...others] = operands;
  const hash = await find(repository, name.includes(":") ? name : `${name}^{tree}`);
  const wanted = [...others, ...(paths ?? [])].map((path) => inTree(repository, call.context, path) + (path.endsWith("/") ? "/" : ""));
  /** @type {string[]} */
  const lines = [];
  const visit = async (/** @type {string} */ tree, /** @type {string} */ prefix) => {
    for (const entry of await readTree(repository, tree)) {
      const path = prefix + entry.name;
      const isTree = typeOf(entry.mode) === "tree";
      const isInside = wanted.length === 0 || wanted.some((one) => path === one || path.startsWith(one.endsWith("/") ? one : `${one}/`));
      const leadsThere = isTree && wanted.some((one) => one.startsWith(`${path}/`));
      if (isTree && ((isInside && flags.has("-r")) || leadsThere)) await visit(entry.hash, `${path}/`);
      if (!isInside || (isTree && flags.has("-r") && !flags.has("-t")) || (flags.has("-d") && !isTree)) continue;
      lines.push(flags.has("--name-only") || flags.has("--name-status") ? `${path}\n` : treeLine(entry, path));
    }
  };
  await visit(hash ?? fail(`Not a valid object name ${name}`), "");
  return answer(lines.join(""));
}

/** @type {Command} */
export async function hashObject(args, call) {
  const { flags, operands, paths } = parseOptions(args, ["-t"]);
  const { fs, cwd, stdin } = call.context;
  const contents = flags.has("--stdin") ? [fromLatin1(stdin)] : [];
  const source = flags.has("--no-filters") ? call.context.files : fs;
  for (const path of [...operands, ...(paths ?? [])]) contents.push(await source.readFileBuffer(fs.resolvePath(cwd, path)));
  const hashes = [];
  for (const content of contents)
    hashes.push(flags.has("-w") ? await needRepository(call).objectStore.write("blob", content) : await blobHash(content));
  return answer(hashes.map((hash) => `${hash}\n`).join(""));
}

/** @param {Uint8Array} content @returns {Promise<string>} */
export async function blobHash(content) {
  const head = encode(`blob ${content.length}\0`);
  const whole = new Uint8Array(head.length + content.length);
  whole.set(head);
  whole.set(content, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", whole));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @type {Command} */
export async function mergeBase(args, call) {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args);
  const hashes = [];
  for (const name of operands) hashes.push(await resolve(repository, `${name}^{commit}`));
  const [first = "", second = first] = hashes;
  if (flags.has("--is-ancestor")) return answer("", "", (await isAncestor(repository, first, second)) ? 0 : 1);
  const bases = await findMergeBases(repository, first, second);
  const shown = flags.has("-a") || flags.has("--all") ? bases : bases.slice(0, 1);
  return answer(shown.map((hash) => `${hash}\n`).join(""), "", shown.length ? 0 : 1);
}

/** @type {Command} */
export async function revList(args, call) {
  const repository = needRepository(call);
  const { flags, values, operands } = parseOptions(withTimes(args, call.context), ["-n", "--max-count"]);
  const [since, until] = ["--since", "--until"].map((name) => values.get(name)).map((text) => (text === undefined ? null : Date.parse(text) / 1000));
  const { starts, ends } = await rangeOf(repository, operands, flags.has("--all"));
  const number = [...flags].find((flag) => /^-\d+$/.test(flag))?.slice(1);
  const limit = Number(number ?? values.get("-n") ?? values.get("--max-count") ?? Infinity);
  const hashes = [];
  for await (const { hash, parents, committer } of walkCommitHistory(repository, starts, { exclude: ends })) {
    if (hashes.length >= limit) break;
    if (committer.timestamp < (since ?? -Infinity) || committer.timestamp > (until ?? Infinity)) continue;
    if (!(flags.has("--no-merges") && parents.length > 1) && !(flags.has("--merges") && parents.length < 2)) hashes.push(hash);
  }
  if (flags.has("--reverse")) hashes.reverse();
  return answer(flags.has("--count") ? `${hashes.length}\n` : hashes.map((hash) => `${hash}\n`).join(""));
}

/** @param {Repository} repository @param {string[]} names @param {boolean} all */
export async function rangeOf(repository, names, all) {
  /** @type {string[]} */
  const starts = all ? (await repository.refStore.listRefs("refs")).map(({ hash }) => hash) : [];
  /** @type {string[]} */
  const ends = [];
  for (const name of names) {
    const [, from, to] = /^(.*?)\.\.(.*)$/.exec(name) ?? [];
    if (name.startsWith("^")) ends.push(await resolve(repository, `${name.slice(1)}^{commit}`));
    else starts.push(await resolve(repository, `${(from === undefined ? name : to) || "HEAD"}^{commit}`));
    if (from !== undefined) ends.push(await resolve(repository, `${from || "HEAD"}^{commit}`));
  }
  return { starts, ends };
}

const MODES = ["--abbrev-ref", "--short", "--symbolic-full-name", "--verify"];

/** Options hold for the revisions after them. @type {Command} */
export async function revParse_(args, call) {
  const times = args.map((word) => /^--(since|after|until|before)=(.*)$/s.exec(word));
  if (times.length && times.every(Boolean)) {
    const lines = times.map((time) => `--${/^[sa]/.test(time?.[1] ?? "") ? "max" : "min"}-age=${parseDate(time?.[2] ?? "", clockOf(call.context))}\n`);
    return answer(lines.join(""));
  }
  const names = args.filter((word) => !word.startsWith("-"));
  if (args.length === 1 && args[0] === "--git-dir" && call.context.cwd === needRepository(call).workTree) return answer(".git\n");
  if (names.length < 1) return null;
  if (names.length < 2 && args.length > 1 && !names[0]?.includes(":")) return null;
  /** @type {string[]} */
  const modes = [];
  let printed = "";
  for (const word of args) {
    if (MODES.includes(word)) modes.push(word);
    if (word.startsWith("-") && MODES.includes(word)) continue;
    const path = /^:(?!\/)/.test(word) || word.includes(":") ? await find(needRepository(call), word, call.context) : null;
    if (path !== null) {
      printed += `${modes.includes("--short") ? path.slice(0, 7) : path}\n`;
      continue;
    }
    const done = await call.run(["rev-parse", ...modes, word]);
    if (done.exitCode) return modes.includes("--verify") ? done : answer(`${printed}${word}\n`, done.stderr, done.exitCode);
    printed += done.stdout;
  }
  return answer(printed);
}

/** @type {Command} */
export async function symbolicRef(args, call) {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(args, ["-m"]);
  const [name = "HEAD", target] = operands;
  if (target !== undefined) await repository.refStore.writeRef(name, { type: "symbolic", target });
  if (target !== undefined) return answer();
  const ref = await repository.refStore.readRef(name);
  if (ref?.type !== "symbolic") return flags.has("-q") ? answer("", "", 1) : fail(`ref ${name} is not a symbolic ref`);
  return answer(`${flags.has("--short") ? ref.target.replace(/^refs\/(heads|tags|remotes)\//, "") : ref.target}\n`);
}

/** @type {Command} */
export async function updateRef(args, call) {
  const repository = needRepository(call);
  const [name = "", value = ""] = parseOptions(args, ["-m"]).operands;
  if (args.includes("-d")) await repository.refStore.deleteRef(name);
  else {
    const place = name === "HEAD" ? ((await headOf(repository)).branch ?? "") : "";
    await repository.refStore.writeRef(place ? `refs/heads/${place}` : name, await resolve(repository, value));
  }
  return answer();
}

/** @type {Command} */
export async function showRef(args, call) {
  const repository = needRepository(call);
  const { flags, operands } = parseOptions(without(args, "--"));
  const refs = await repository.refStore.listRefs("refs");
  const shown = refs.filter(({ name }) => {
    if (flags.has("--heads") || flags.has("--tags"))
      if (!(flags.has("--heads") && name.startsWith("refs/heads/")) && !(flags.has("--tags") && name.startsWith("refs/tags/")))
        return false;
    return operands.length === 0 || operands.some((one) => name === one || (!flags.has("--verify") && name.endsWith(`/${one}`)));
  });
  const text = shown.map(({ name, hash }) => `${hash} ${name}\n`).join("");
  return answer(flags.has("-q") || flags.has("--quiet") ? "" : text, "", shown.length ? 0 : 1);
}
