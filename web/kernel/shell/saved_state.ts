// A shell's state as JSON, for a terminal that comes back after a reload.
import { runText } from "./execution/run_text.ts";
import { DEFAULT_OPTIONS, type Node, type Shell } from "./shell.ts";
import type { Variable } from "./language/variables.ts";

const VERSION = 3;
// It had no options that are on from the start.
const WITHOUT_DEFAULTS = 2;
// The shell sets these automatically.
const AUTOMATIC = new Set("PWD SHLVL UID EUID PPID BASH BASH_VERSION OSTYPE MACHTYPE HOSTTYPE _".split(" "));

/** Stands for where one list of values ends and the next begins. */
const END = Symbol("end");
/** a list is stored as pairs of index and text, a map of key and text */
type SavedVariable = Omit<Variable, "value"> & { value: string | [string, string][] | null };

interface FirstVersion {
  env?: object;
  declared?: unknown;
  status?: number;
  functions?: [string, Node][];
  traps?: [string, string][];
  umask?: number;
}

/** The functions' trees as JSON: a tree never changes, and most commands define none. */
const functionTexts = new WeakMap<object, string>();

/** @param secret - the names of variables to leave out */
export function saveState(shell: Shell, secret: RegExp): string {
  const env: Record<string, unknown> = {};
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

function textOf(tree: object): string {
  const known = functionTexts.get(tree);
  if (known !== undefined) return known;
  const text = JSON.stringify(tree);
  functionTexts.set(tree, text);
  return text;
}

/**
 * @returns what `saveState` writes, as values to compare with `===`: after most commands it is as it was, and writing it takes
 * as long as a short command
 */
export function stateValues(shell: Shell): unknown[] {
  const values: unknown[] = [shell.status, shell.umask];
  const add = (all: Iterable<unknown>) => {
    for (const each of all) values.push(each);
    values.push(END);
  };
  const addPairs = (map: Map<string, unknown>) => {
    add(map.keys());
    add(map.values());
  };
  for (const [name, variable] of shell.variables.table) {
    if (AUTOMATIC.has(name)) continue;
    const { value, exported, readonly, integer, nameref, kind, letters, traced } = variable;
    values.push(name, exported, readonly, integer, nameref, kind, letters, traced);
    if (Array.isArray(value)) add(value);
    else if (value instanceof Map) addPairs(value);
    else values.push(value);
  }
  for (const each of [shell.positional, shell.folders, shell.options, shell.shopts]) add(each);
  // A function's tree never changes.
  for (const each of [shell.functions, shell.aliases, shell.traps.actions]) addPairs(each);
  add(Object.entries(shell.limits).flat());
  return values;
}

/**
 * @param text - what `saveState` returned, of this version or the one before
 * @returns script that is still to run
 */
export function restoreState(shell: Shell, text: string): string {
  const saved = JSON.parse(text);
  if (saved.version !== VERSION && saved.version !== WITHOUT_DEFAULTS) return restoreFirstVersion(shell, saved);
  const { table } = shell.variables;
  for (const [name, { value, ...attributes }] of Object.entries<SavedVariable>(saved.env)) {
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

function valueOf(stored: SavedVariable["value"], kind: string | undefined): Variable["value"] {
  if (!Array.isArray(stored)) return stored;
  if (kind === "map") return new Map(stored);
  const list: string[] = [];
  for (const [index, text] of stored) list[Number(index)] = text;
  return list;
}

/** Of the first version, which held text of `declare -p`. */
function restoreFirstVersion(
  shell: Shell,
  { env = {}, declared = "", status = 0, functions = [], traps = [], umask = 0o022 }: FirstVersion,
) {
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || AUTOMATIC.has(name) || shell.variables.dynamic.has(name)) continue;
    const { exported = false } = shell.variables.table.get(name) ?? {};
    shell.variables.table.set(name, { value: String(value), exported });
  }
  Object.assign(shell, { umask, status });
  for (const [name, definition] of functions)
    if (definition?.type === "FunctionDef") shell.functions.set(name, definition);
  for (const [name, action] of traps) shell.traps.actions.set(name, action);
  return String(declared);
}

/** Run what `restoreState` left. */
export async function finishRestoring(shell: Shell, script: string) {
  const { status } = shell;
  await runText(shell, script, "bash").catch(() => {});
  shell.status = status;
}
