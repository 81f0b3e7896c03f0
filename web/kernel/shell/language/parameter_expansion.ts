// `${…}` with its operations (Bash manual, 3.5.3).
import { CommandError, ExpansionError, FatalError, LineError } from "../control.ts";
import { inCharacters, toLower, toUpper } from "./locale.ts";
import { joined, parseParameter, readParameter, requireSet, single, type Parameter, type Read } from "./parameters.ts";
import { hasPattern, patternRegex, unescapePattern } from "./patterns.ts";
import { attributesOf, declarationOf } from "./printed_variables.ts";
import { decodeEscapes, quoteForReuse, rejoined } from "./quoting.ts";
import type { Shell, Node } from "../shell.ts";
import {
  expandNumber,
  expandParts,
  expandPattern,
  expandPrompt,
  expandSubscript,
  expandText,
  type Sink,
} from "./words.ts";

export function expandParameter(shell: Shell, part: Node, sink: Sink, quoted: boolean): Promise<void> | void {
  const parameter = parseParameter(part.parameter);
  if (part.operation || (parameter.subscript !== null && /[$`"'\\]/.test(parameter.subscript))) {
    return expandOperation(shell, part, sink, quoted);
  }
  const read = readParameter(shell, parameter);
  if (read.values === null) requireSet(shell, part.parameter, read);
  put(read, sink, quoted);
}

function put({ values, isList, star }: Read, sink: Sink, quoted: boolean) {
  if (isList) sink.list(values ?? [], quoted, star);
  else if (quoted) sink.quoted(values?.[0] ?? "");
  else if (values?.[0]) sink.expansion(values[0]);
}

async function expandOperation(shell: Shell, part: Node, sink: Sink, quoted: boolean) {
  const { operation } = part;
  if (operation?.type === "BadSubstitution" || operation?.type === "LengthSliceError") {
    throw new FatalError(`\${${operation.text ?? part.parameter}}: bad substitution`, 1);
  }
  if (operation?.type === "ArrayKeys" || operation?.type === "VarNamePrefix")
    return putNames(shell, operation, sink, quoted);
  const { name, subscript } = parseParameter(part.parameter);
  const parameter = { name, subscript: subscript === null ? null : await expandSubscript(shell, name, subscript) };
  const text = parameter.subscript === null ? name : `${name}[${parameter.subscript}]`;
  if (operation?.type === "Indirection") return expandIndirect(shell, parameter, operation, sink, quoted);
  const read = readParameter(shell, parameter);
  const word = operation ? DEFAULTS[operation.type] : undefined;
  if (word) return word(shell, text, read, operation, sink, quoted);
  requireSet(shell, text, read);
  if (!operation) return put(read, sink, quoted);
  const characters = inLocale(read, (value) => inCharacters(shell.variables, value));
  const changed = await OPERATIONS[operation.type]?.(shell, characters, operation, parameter);
  if (!changed) throw new FatalError(`\${${text}}: bad substitution`, 1);
  put(inLocale(changed, rejoined), sink, quoted);
}

/** `${!list[@]}` and `${!prefix*}`. */
function putNames(shell: Shell, { type, array, prefix, star }: Node, sink: Sink, quoted: boolean) {
  const { variables } = shell;
  const values =
    type === "ArrayKeys" ? variables.keys(array) : variables.names().filter((name) => name.startsWith(prefix));
  sink.list(values, quoted, star);
}

/** `${!name}`. */
async function expandIndirect(shell: Shell, parameter: Parameter, operation: Node, sink: Sink, quoted: boolean) {
  const variable = parameter.subscript === null ? shell.variables.table.get(parameter.name) : null;
  if (variable?.nameref && !operation.innerOp) return put(single(String(variable.value)), sink, quoted);
  const target = readParameter(shell, parameter).values?.[0];
  if (target === undefined && !shell.options.has("nounset"))
    throw new LineError(`${parameter.name}: invalid indirect expansion`);
  if (!target || !/^([A-Za-z_]\w*(\[[^]*\])?|\d+|[@*#?$!-])$/.test(target)) {
    throw new LineError(target ? `${target}: invalid variable name` : `${parameter.name}: invalid indirect expansion`);
  }
  await expandParameter(
    shell,
    { type: "ParameterExpansion", parameter: target, operation: operation.innerOp ?? null },
    sink,
    quoted,
  );
}

function isMissing({ values, isList }: Read, checkEmpty: boolean) {
  if (values === null || (isList && values.length === 0)) return true;
  return checkEmpty && values.length === 1 && values[0] === "";
}

/** The word of `${name:-word}`: where it isn't quoted, it is split. */
function expandWord(shell: Shell, word: Node, sink: Sink, quoted: boolean) {
  if (quoted && word.parts.length === 0) return sink.quoted("");
  const split = { ...sinkMethods(sink), literal: (text: string) => sink.expansion(text) };
  return expandParts(shell, word.parts, quoted ? sink : split, quoted);
}
const sinkMethods = (sink: Sink): Sink => ({
  literal: (text) => sink.literal(text),
  glob: (text) => sink.glob(text),
  quoted: (text) => sink.quoted(text),
  expansion: (text) => sink.expansion(text),
  list: (values, quoted, star) => sink.list(values, quoted, star),
});

const DEFAULTS: Record<
  string,
  (shell: Shell, text: string, read: Read, operation: Node, sink: Sink, quoted: boolean) => Promise<void>
> = {
  async DefaultValue(shell, _, read, { word, checkEmpty }, sink, quoted) {
    if (isMissing(read, checkEmpty)) await expandWord(shell, word, sink, quoted);
    else put(read, sink, quoted);
  },
  async UseAlternative(shell, _, read, { word, checkEmpty }, sink, quoted) {
    if (!isMissing(read, checkEmpty)) await expandWord(shell, word, sink, quoted);
    else if (quoted && !read.isList) sink.quoted("");
  },
  async AssignDefault(shell, text, read, { word, checkEmpty }, sink, quoted) {
    if (!isMissing(read, checkEmpty)) return put(read, sink, quoted);
    const value = await expandText(shell, word);
    if (!/^[A-Za-z_]/.test(text)) throw new LineError(`$${text}: cannot assign in this way`);
    shell.variables.assignTo(parseParameter(text), value);
    put(single(value), sink, quoted);
  },
  async ErrorIfUnset(shell, text, read, { word, checkEmpty }, sink, quoted) {
    if (!isMissing(read, checkEmpty)) return put(read, sink, quoted);
    const reason = word && (await expandText(shell, word));
    throw new FatalError(`${text}: ${reason || (checkEmpty ? "parameter null or not set" : "parameter not set")}`);
  },
};

const mapped = (read: Read, change: (text: string) => string): Read => ({
  ...read,
  values: (read.values ?? [""]).map(change),
});

const inLocale = (read: Read, change: (text: string) => string): Read =>
  read.values ? { ...read, values: read.values.map(change) } : read;

/** @returns its characters */
const characters = (text: string): ArrayLike<string> => (/[\ud800-\udfff]/.test(text) ? [...text] : text);

const patternOf = async (shell: Shell, word: Node) => inCharacters(shell.variables, await expandPattern(shell, word));

const OPERATIONS: Record<
  string,
  (shell: Shell, read: Read, operation: Node, parameter: Parameter) => Promise<Read> | Read
> = {
  Length(_, read) {
    const count = read.isList ? (read.values ?? []).length : characters(read.values?.[0] ?? "").length;
    return single(String(count));
  },

  async Substring(shell, read, operation, parameter) {
    if (read.values === null) return read;
    const offset = Number(await expandNumber(shell, operation.offset));
    const length = operation.length ? Number(await expandNumber(shell, operation.length)) : null;
    if (read.isList)
      return { ...read, values: slice(listItems(shell, read, parameter, offset), offset, length, parameter.name) };
    const all = characters(read.values?.[0] ?? "");
    const start = offset < 0 ? all.length + offset : offset;
    if (start < 0 || start > all.length) return { ...read, values: [""] };
    const end = length === null ? all.length : length < 0 ? all.length + length : start + length;
    if (end < start) throw new ExpansionError(`${length}: substring expression < 0`);
    const taken = typeof all === "string" ? all.slice(start, end) : Array.from(all).slice(start, end).join("");
    return { ...read, values: [taken] };
  },

  async PatternRemoval(shell, read, { pattern: word, side, greedy }) {
    const pattern = await patternOf(shell, word);
    return mapped(read, (text) => removeMatch(text, pattern, side, greedy));
  },

  async PatternReplacement(shell, read, { pattern: word, replacement: by, all, anchor }) {
    const pattern = await patternOf(shell, word);
    const replacement = by ? await patternOf(shell, by) : "";
    if (pattern === "") {
      if (!anchor) return read;
      const added = replaced(shell, replacement, "");
      return mapped(read, (text) => (anchor === "start" ? added + text : text + added));
    }
    const anchors = anchor ?? "none";
    const source = patternRegex(pattern, { anchors, ignoreCase: shell.shopts.has("nocasematch") });
    const regex = all && !anchor ? new RegExp(source.source, `${source.flags}g`) : source;
    return mapped(read, (text) =>
      text.replace(regex, (match, ...rest) => {
        // Nothing is matched at the end behind another match.
        const at = Number(rest.find((one) => typeof one === "number"));
        return match === "" && at > 0 && at === text.length ? "" : replaced(shell, replacement, match);
      }),
    );
  },

  async CaseModification(shell, read, { direction, all, pattern: word }) {
    const pattern = word ? await patternOf(shell, word) : "?";
    const regex = patternRegex(pattern);
    const change = (character: string) => {
      if (!regex.test(character)) return character;
      const upper = direction === "toggle" ? character === character.toLowerCase() : direction === "upper";
      return upper ? toUpper(character) : toLower(character);
    };
    return mapped(read, (text) =>
      Array.from(text, (character, at) => (all || at === 0 ? change(character) : character)).join(""),
    );
  },

  async Transform(shell, read, { operator }, parameter) {
    if (operator === "a" || operator === "A") return described(shell, operator, parameter, read);
    if (operator === "K" || operator === "k") return pairs(shell, operator, parameter, read);
    if (read.values === null) return read;
    if (operator === "P")
      return { ...read, values: await Promise.all(read.values.map((text) => expandPrompt(shell, text))) };
    const change = TRANSFORMS[operator];
    if (!change) throw new CommandError(`\${${parameter.name}@${operator}}: bad substitution`);
    return mapped(read, change);
  },
};

const TRANSFORMS: Record<string, (text: string) => string> = {
  Q: (text) => quoteForReuse(text),
  E: (text) => decodeEscapes(text),
  U: toUpper,
  u: (text) => toUpper(text.charAt(0)) + text.slice(1),
  L: toLower,
};

function described(shell: Shell, operator: string, { name, subscript }: Parameter, read: Read): Read {
  const variable = shell.variables.table.get(shell.variables.resolve(name).name);
  if (!variable) {
    const assignment =
      operator === "A" && read.values && !/^\d/.test(name) ? [`${name}=${quoteForReuse(joined(shell, read))}`] : null;
    return { ...read, values: assignment ?? (read.isList ? [] : [""]) };
  }
  const letters = attributesOf(variable);
  if (operator === "a") return { ...read, values: (read.isList ? (read.values ?? []) : [""]).map(() => letters) };
  const plain = letters === "" && subscript === null;
  const text = plain
    ? `${name}=${quoteForReuse(joined(shell, read))}`
    : declarationOf(shell.variables, name, variable, true);
  return single(text);
}

function pairs(shell: Shell, operator: string, { name }: Parameter, read: Read): Read {
  if (!read.isList) return mapped(read, quoteForReuse);
  const values = shell.variables.elements(name);
  const entries = shell.variables.keys(name).map((key, at) => [key, values[at] ?? ""]);
  if (operator === "k") return { ...read, values: entries.flat() };
  // Bash ends the pairs of a map with a blank.
  const tail = Array.isArray(shell.variables.value(name)) ? "" : " ";
  return single(
    entries.map(([key, value]) => `${key} "${(value ?? "").replace(/["\\$`]/g, "\\$&")}"`).join(" ") + tail,
  );
}

/** The items that a slice of a list counts. */
function listItems(shell: Shell, read: Read, { name }: Parameter, offset: number): string[] {
  const values = read.values ?? [];
  if (name === "@" || name === "*") return offset === 0 ? [shell.zero, ...values] : ["", ...values];
  const list = shell.variables.value(name);
  return Array.isArray(list) ? list : values;
}

/** @param items - which may have holes */
function slice(items: string[], offset: number, length: number | null, name: string) {
  const start = offset < 0 ? items.length + offset : offset;
  if (start < 0 || (start === 0 && offset < 0 && (name === "@" || name === "*"))) return [];
  if (length !== null && length < 0) throw new ExpansionError(`${length}: substring expression < 0`);
  const rest = items.slice(start).filter(() => true);
  return length === null ? rest : rest.slice(0, length);
}

function removeMatch(text: string, pattern: string, side: "prefix" | "suffix", greedy: boolean) {
  if (!hasPattern(pattern)) {
    const plain = unescapePattern(pattern);
    if (side === "prefix") return text.startsWith(plain) ? text.slice(plain.length) : text;
    return plain && text.endsWith(plain) ? text.slice(0, -plain.length) : text;
  }
  if (pattern.includes("(")) return removeByTrying(text, patternRegex(pattern), side, greedy);
  if (side === "prefix")
    return text.slice(patternRegex(pattern, { anchors: "start", lazy: !greedy }).exec(text)?.[0].length ?? 0);
  const atEnd = patternRegex(pattern, { anchors: "end" });
  if (greedy) return text.slice(0, atEnd.exec(text)?.index ?? text.length);
  return new RegExp(`^([^]*)${atEnd.source}`, "u").exec(text)?.[1] ?? text;
}

/** The longest match of alternatives can't be had from one search. */
function removeByTrying(text: string, regex: RegExp, side: "prefix" | "suffix", greedy: boolean) {
  const { length } = text;
  for (let step = 0; step <= length; step++) {
    const size = greedy ? length - step : step;
    const part = side === "prefix" ? text.slice(0, size) : text.slice(length - size);
    if (regex.test(part)) return side === "prefix" ? text.slice(size) : text.slice(0, length - size);
  }
  return text;
}

/**
 * An unquoted `&` stands for the match, with `patsub_replacement`.
 * @param replacement - a pattern
 */
const replaced = ({ shopts }: Shell, replacement: string, match: string) =>
  replacement.replace(
    shopts.has("patsub_replacement") ? /\\([^])|&/g : /\\([^])/g,
    (whole, escaped) => escaped ?? (whole === "&" ? match : whole),
  );
