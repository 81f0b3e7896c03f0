// A shell's state as JSON, for a terminal that comes back after a reload.
import { runText } from "./run_text.js";
import { DEFAULT_OPTIONS } from "./shell.js";

/** @typedef {import("./shell.js").Shell} Shell */

const VERSION = 3;
// It had no options that are on from the start.
const WITHOUT_DEFAULTS = 2;
// The shell sets these by itself.
const AUTOMATIC = new Set(["PWD", "SHLVL", "UID", "EUID", "PPID", "BASH", "BASH_VERSION", "OSTYPE", "MACHTYPE", "HOSTTYPE", "_"]);

/** The functions' trees as JSON: a tree never changes, and most commands define none. @type {WeakMap<object, string>} */
const functionTexts = new WeakMap();

/** @param {Shell} shell @param {RegExp} secret the names of variables to leave out @returns {string} */
export function saveState(shell, secret) {
  /** @type {Record<string, unknown>} */
  const env = {};
  for (const [name, variable] of shell.variables.table) {
    if (AUTOMATIC.has(name) || secret.test(name)) continue;
    const { value, ...attributes } = variable;
    // A list may have holes, and a map isn't JSON.
    const stored = Array.isArray(value) ? Object.entries(value) : value instanceof Map ? [...value] : value;
    env[name] = { value: stored, ...attributes };
  }
  const { status, umask, positional, folders, limits } = shell;
  const rest = JSON.stringify({
    version: VERSION,
    env,
    status,
    umask,
    positional,
    folders,
    limits,
    aliases: [...shell.aliases],
    options: [...shell.options],
    shopts: [...shell.shopts],
    traps: [...shell.traps.actions],
  });
  const functions = [...shell.functions].map(([name, tree]) => `[${JSON.stringify(name)},${textOf(tree)}]`);
  return `${rest.slice(0, -1)},"functions":[${functions.join()}]}`;
}

/** @param {object} tree @returns {string} */
function textOf(tree) {
  const known = functionTexts.get(tree);
  if (known !== undefined) return known;
  const text = JSON.stringify(tree);
  functionTexts.set(tree, text);
  return text;
}

/**
 * @param {Shell} shell @param {string} text what `saveState` returned, of this version or the one before
 * @returns {string} script that is still to run
 */
export function restoreState(shell, text) {
  const saved = JSON.parse(text);
  if (saved.version !== VERSION && saved.version !== WITHOUT_DEFAULTS) return restoreFirstVersion(shell, saved);
  const { table } = shell.variables;
  for (const [name, { value, ...attributes }] of Object.entries(saved.env)) {
    table.set(name, { value: valueOf(value, attributes.kind), ...attributes });
  }
  const { status, umask, positional, folders, limits } = saved;
  Object.assign(shell, { status, umask, positional, folders, limits });
  shell.functions = new Map(saved.functions);
  shell.aliases = new Map(saved.aliases);
  shell.options = new Set([...saved.options, ...(saved.version === VERSION ? [] : DEFAULT_OPTIONS)]);
  shell.shopts = new Set(saved.shopts);
  shell.traps.actions = new Map(saved.traps);
  shell.variables.exportsAll = shell.options.has("allexport");
  return "";
}

/** @param {any} stored @param {string | undefined} kind @returns {any} */
function valueOf(stored, kind) {
  if (!Array.isArray(stored)) return stored;
  if (kind === "map") return new Map(stored);
  /** @type {string[]} */
  const list = [];
  for (const [index, text] of stored) list[Number(index)] = text;
  return list;
}

/** Of the first version, which held text of `declare -p`. @param {Shell} shell @param {any} saved */
function restoreFirstVersion(shell, { env = {}, declared = "", status = 0, functions = [], traps = [], umask = 0o022 }) {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || AUTOMATIC.has(name) || shell.variables.dynamic.has(name)) continue;
    const { exported = false } = shell.variables.table.get(name) ?? {};
    shell.variables.table.set(name, { value: String(value), exported });
  }
  Object.assign(shell, { umask, status });
  for (const [name, definition] of functions) if (definition?.type === "FunctionDef") shell.functions.set(name, definition);
  for (const [name, action] of traps) shell.traps.actions.set(name, action);
  return String(declared);
}

/** Run what `restoreState` left. @param {Shell} shell @param {string} script */
export async function finishRestoring(shell, script) {
  const { status } = shell;
  await runText(shell, script, "bash").catch(() => {});
  shell.status = status;
}
