// A shell's variables: text, lists and maps with their attributes (Bash manual, 3.4, 6.4 and 6.7).
import { encode } from "../../bytes.ts";
import { ArithmeticError, CommandError, InnerArithmeticError, LineError } from "../control.ts";
import { inCharacters, toLower, toUpper } from "./locale.ts";
import { rejoined } from "./quoting.ts";

/** a list may have holes; null is declared, and not set */
export type Value = string | string[] | Map<string, string> | null;

export interface Variable {
  value: Value;
  exported?: boolean;
  readonly?: boolean;
  integer?: boolean;
  nameref?: boolean;
  /** of one that isn't text, also where it isn't set */
  kind?: "list" | "map";
  letters?: "lower" | "upper" | "capitalize";
  traced?: boolean;
}

type Reference = { name: string; subscript: string | null };

export const NAME = /^[A-Za-z_]\w*$/;
const REFERENCE = /^([A-Za-z_]\w*)(?:\[([^]*)\])?$/;
const MOST_REFERENCES = 20;
const COMPUTED_NAMES = new Set(
  (
    "RANDOM SECONDS SRANDOM LINENO BASHPID BASH_SUBSHELL EPOCHSECONDS EPOCHREALTIME PIPESTATUS DIRSTACK SHELLOPTS BASHOPTS FUNCNAME " +
    "BASH_LINENO BASH_SOURCE BASH_COMMAND BASH_VERSINFO BASH_ALIASES _ GROUPS"
  ).split(" "),
);
const LETTERS: Record<"lower" | "upper" | "capitalize", (text: string) => string> = {
  lower: toLower,
  upper: toUpper,
  capitalize: (text) => toUpper(text.charAt(0)) + toLower(text.slice(1)),
};
// So many buckets bash's maps have (assoc.h); they decide on the order of the keys.
const BUCKETS = 1024;

/** @param text - as `name` or `name[subscript]` */
export function parseReference(text: string): Reference | null {
  const match = REFERENCE.exec(text);
  return match ? { name: match[1] ?? "", subscript: match[2] ?? null } : null;
}

/** The bucket of a key: FNV-1 with 32 bits, of signed bytes. */
function bucketOf(key: string) {
  let hash = 2166136261;
  for (const byte of encode(key)) hash = Math.imul(hash, 16777619) ^ ((byte << 24) >> 24);
  return hash & (BUCKETS - 1);
}

/** @returns its keys in bash's order */
const orderedKeys = (map: Map<string, string>): string[] =>
  [...map.keys()]
    .reverse()
    .map((key) => ({ key, bucket: bucketOf(key) }))
    .sort((one, other) => one.bucket - other.bucket)
    .map(({ key }) => key);

export class Variables {
  table = new Map<string, Variable>();
  /** For each function that runs, the variables that its local ones hide. */
  frames: Map<string, Variable | undefined>[] = [];
  /** Names of variables that are computed when they are read; one that is unset is a plain variable from then on. */
  dynamic = COMPUTED_NAMES;
  computed: (name: string) => Value | undefined = () => undefined;
  assignComputed: (name: string, text: string) => void = () => {};
  calculate: (text: string) => bigint = () => 0n;
  /** True if arithmetic may use only set variables: `set -u`. */
  isStrict = () => false;
  /** `set -a`. */
  exportsAll = false;
  changed: (name: string) => void = () => {};
  /** Variables for the environment that stand for functions. */
  functions: () => [string, string][] = () => [];

  /** The number of an integer variable. */
  number(text: string): bigint {
    return this.inner(text, true);
  }

  /** The number of a subscript. */
  index(subscript: string): number {
    return Number(this.inner(subscript, false));
  }

  private inner(text: string, isValue: boolean) {
    try {
      return this.calculate(text);
    } catch (error) {
      throw error instanceof ArithmeticError ? new InnerArithmeticError(error.message, isValue) : error;
    }
  }

  /** Take over copies of another shell's. */
  copyFrom(other: Variables) {
    for (const [name, variable] of other.table) {
      const { value } = variable;
      const own = Array.isArray(value) ? value.slice() : value instanceof Map ? new Map(value) : value;
      this.table.set(name, { ...variable, value: own });
    }
    this.frames = other.frames.map((frame) => new Map(frame));
    this.exportsAll = other.exportsAll;
    this.dynamic = other.dynamic;
  }

  /** The variable that a name stands for in the end. */
  resolve(name: string): Reference {
    let subscript = null;
    for (let count = 0; count < MOST_REFERENCES; count++) {
      const variable = this.table.get(name);
      if (!variable?.nameref || typeof variable.value !== "string" || variable.value === "") return { name, subscript };
      const reference = parseReference(variable.value);
      if (!reference || reference.name === name) return { name, subscript };
      ({ name } = reference);
      subscript = reference.subscript ?? subscript;
    }
    return { name, subscript };
  }

  value(name: string): Value | undefined {
    if (this.dynamic.has(name)) return this.computed(name);
    const variable = this.table.get(name);
    if (!variable?.nameref) return variable?.value;
    const { name: target, subscript } = this.resolve(name);
    if (subscript === null) return target === name ? variable.value : this.value(target);
    return this.element(target, subscript);
  }

  /** The text of a variable, or of its first element. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (typeof value === "string") return value;
    return (Array.isArray(value) ? value[0] : value?.get("0")) ?? undefined;
  }

  /** @param subscript - a key, or a calculation of the index */
  element(name: string, subscript: string): string | undefined {
    const value = this.value(name);
    if (value instanceof Map) return value.get(subscript);
    if (value === null || value === undefined) {
      if (this.isMap(name)) return undefined;
    }
    const index = this.index(subscript);
    if (Array.isArray(value)) return value[index < 0 ? value.length + index : index];
    return index === 0 || index === -1 ? (value ?? undefined) : undefined;
  }

  /** @returns the values of all elements */
  elements(name: string): string[] {
    const value = this.value(name);
    if (Array.isArray(value)) return value.filter(() => true);
    if (value instanceof Map) return orderedKeys(value).map((key) => value.get(key) ?? "");
    return value === undefined || value === null ? [] : [value];
  }

  keys(name: string): string[] {
    const value = this.value(name);
    if (Array.isArray(value)) return Object.keys(value);
    if (value instanceof Map) return orderedKeys(value);
    return value === undefined || value === null ? [] : ["0"];
  }

  isMap(name: string) {
    return this.table.get(this.resolve(name).name)?.kind === "map";
  }
  isList(name: string) {
    return this.table.get(this.resolve(name).name)?.kind !== undefined;
  }

  /** @returns that may be changed */
  writable(name: string): Variable {
    const variable = this.table.get(name);
    if (variable?.readonly) throw new LineError(`${name}: readonly variable`);
    if (variable) return variable;
    const created: Variable = { value: null };
    if (this.exportsAll) created.exported = true;
    this.table.set(name, created);
    return created;
  }

  /** @returns as its attributes want it */
  converted({ integer, letters }: Variable, text: string): string {
    if (integer) return String(this.number(text));
    return letters ? rejoined(LETTERS[letters](inCharacters(this, text))) : text;
  }

  combined(variable: Variable, before: string, text: string, append: boolean) {
    if (!append) return this.converted(variable, text);
    if (variable.integer) return String(BigInt.asIntN(64, this.number(before || "0") + this.number(text)));
    return this.converted(variable, before + text);
  }

  assign(name: string, text: string, append = false) {
    const resolved = this.table.get(name)?.nameref ? this.resolve(name) : { name, subscript: null };
    if (resolved.subscript !== null) return this.assignElement(resolved.name, resolved.subscript, text, append);
    if (this.dynamic.has(name) && !this.table.get(name)?.readonly) return this.assignComputed(name, text);
    const variable = this.writable(resolved.name);
    const { value } = variable;
    if (variable.kind === "list") {
      const list = Array.isArray(value) ? value : [];
      list[0] = this.combined(variable, list[0] ?? "", text, append);
      variable.value = list;
    } else if (variable.kind === "map") {
      const map = value instanceof Map ? value : new Map();
      variable.value = map.set("0", this.combined(variable, map.get("0") ?? "", text, append));
    } else variable.value = this.combined(variable, typeof value === "string" ? value : "", text, append);
    this.changed(resolved.name);
  }

  assignTo({ name, subscript }: Reference, text: string, append = false) {
    if (subscript === null) this.assign(name, text, append);
    else this.assignElement(name, subscript, text, append);
  }

  assignElement(name: string, subscript: string, text: string, append = false) {
    const target = this.resolve(name).name;
    const variable = this.writable(target);
    if (variable.kind === "map") {
      const map = variable.value instanceof Map ? variable.value : new Map();
      variable.value = map.set(subscript, this.combined(variable, map.get(subscript) ?? "", text, append));
      return;
    }
    const { value } = variable;
    const list = Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
    let index = this.index(subscript);
    if (index < 0) index += list.length;
    if (index < 0) throw new LineError(`${name}[${subscript}]: bad array subscript`);
    list[index] = this.combined(variable, list[index] ?? "", text, append);
    Object.assign(variable, { kind: "list", value: list });
  }

  /** `name=(…)`: elements in order, each with its subscript where one is given. */
  assignList(name: string, items: { subscript: string | null; text: string; append: boolean }[], append: boolean) {
    const target = this.resolve(name).name;
    const variable = this.writable(target);
    if (variable.kind === "map") return this.assignMap(variable, items, append);
    const before = variable.value;
    const start = typeof before === "string" ? [before] : before;
    // The old elements can be used in the subscripts of the new ones.
    const list = append && Array.isArray(start) ? start : [];
    let next = list.length;
    for (const { subscript, text, append: adds } of items) {
      if (subscript !== null) next = this.index(subscript);
      if (next < 0) next += list.length;
      list[next] = this.combined(variable, list[next] ?? "", text, adds);
      next++;
    }
    Object.assign(variable, { kind: "list", value: list });
  }

  assignMap(variable: Variable, items: { subscript: string | null; text: string; append: boolean }[], append: boolean) {
    const map = append && variable.value instanceof Map ? variable.value : new Map();
    const pairs = items.some(({ subscript }) => subscript !== null);
    if (!pairs) for (let at = 0; at < items.length; at += 2) map.set(items[at]?.text ?? "", items[at + 1]?.text ?? "");
    else {
      for (const { subscript, text, append: adds } of items) {
        if (subscript === null) continue;
        map.set(subscript, this.combined(variable, map.get(subscript) ?? "", text, adds));
      }
    }
    variable.value = map;
  }

  unset(name: string, subscript: string | null = null) {
    const target = this.resolve(name);
    const variable = this.table.get(target.name);
    subscript ??= target.subscript;
    if (variable?.readonly) throw new LineError(`${name}: cannot unset: readonly variable`);
    if (subscript === "@" && variable?.kind === "list") variable.value = [];
    else if (subscript === null || subscript === "@" || subscript === "*") this.remove(target.name);
    else if (variable?.value instanceof Map) variable.value.delete(subscript);
    else if (Array.isArray(variable?.value)) {
      const index = this.index(subscript);
      const list = variable.value;
      if (index < -list.length) throw new CommandError(`[${subscript}]: bad array subscript`);
      delete list[index < 0 ? list.length + index : index];
      while (list.length && !(list.length - 1 in list)) list.length--;
    } else if (this.index(subscript) === 0) this.remove(target.name);
    this.changed(target.name);
  }

  remove(name: string) {
    const frame = this.frames.at(-1);
    // A local variable that is unset stays local.
    if (frame?.has(name)) this.table.set(name, { value: null });
    else this.table.delete(name);
    if (this.dynamic.has(name)) this.dynamic = new Set([...this.dynamic].filter((one) => one !== name));
  }

  /**
   * Make a variable the running function's own.
   * @param inherits - its value
   */
  localize(name: string, inherits = false) {
    const frame = this.frames.at(-1);
    if (!frame || frame.has(name)) return;
    const before = this.table.get(name);
    if (before?.readonly) throw new LineError(`${name}: readonly variable`);
    frame.set(name, before);
    this.table.set(
      name,
      inherits && before
        ? { ...before }
        : { value: null, ...(before?.exported || this.exportsAll ? { exported: true } : {}) },
    );
  }

  /** The global variable, as in `declare -g`. */
  global(name: string): Variable {
    const frame = this.frames.find((one) => one.has(name));
    if (!frame) return this.writable(name);
    const variable = frame.get(name) ?? { value: null };
    frame.set(name, variable);
    return variable;
  }

  enter() {
    this.frames.push(new Map());
  }
  leave() {
    for (const [name, variable] of this.frames.pop() ?? []) {
      if (variable) this.table.set(name, variable);
      else this.table.delete(name);
      this.changed(name);
    }
  }

  /** Return the environment of a command. */
  exported(): Record<string, string> {
    const env: Record<string, string> = Object.fromEntries(this.functions());
    for (const [name, { exported, value }] of this.table) if (exported && typeof value === "string") env[name] = value;
    return env;
  }

  /** @returns the names of all variables, sorted */
  names(): string[] {
    return [...new Set([...this.table.keys(), ...this.dynamic])].sort();
  }
}
