// `declare`, `typeset`, `local`, `export`, `readonly` and `unset` (Bash manual, 4.1 and 4.2).
import { itemsOf, perform, type Assignment } from "../language/assignments.ts";
import { DECLARERS, type Field } from "../execution/builtin_table.ts";
import { CommandError, InnerArithmeticError } from "../control.ts";
import { invalidOption } from "./help.ts";
import { parseOptions } from "./builtin_options.ts";
import { allVariables, attributesOf, declarationOf } from "../language/printed_variables.ts";
import type { Shell, Node } from "../shell.ts";
import { printFunction } from "../language/syntax/printer.ts";
import { NAME, parseReference, type Variable } from "../language/variables.ts";

async function printVariables(shell: Shell, names: string[], chosen: (variable: Variable) => boolean = () => true) {
  let status = 0;
  const { variables } = shell;
  for (const name of names) {
    const dynamic = variables.dynamic.has(name) ? variables.computed(name) : undefined;
    const stored = variables.table.get(name);
    const variable: Variable | undefined =
      dynamic === undefined ? stored : { ...stored, value: dynamic, kind: Array.isArray(dynamic) ? "list" : undefined };
    if (!variable) {
      await shell.complain(`declare: ${name}: not found`);
      status = 1;
    } else if (chosen(variable)) await shell.print(`${declarationOf(variables, name, variable)}\n`);
  }
  return status;
}

/** The options of each builtin. */
const OPTIONS: Record<string, string> = {
  export: "fnp",
  readonly: "aAfp",
  local: "aAfFgiIlnprtuxc",
  declare: "aAfFgiIlnprtuxc",
  typeset: "aAfFgiIlnprtuxc",
};

function parseFlags(
  command: string,
  args: (string | Assignment)[],
): { on: string; off: string; operands: (string | Assignment)[] } {
  let [on, off] = ["", ""];
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === "--") {
      at++;
      break;
    }
    if (typeof word !== "string" || !/^[-+]./.test(word) || (command === "local" && word === "-")) break;
    const wrong = [...word.slice(1)].find((letter) => !OPTIONS[command]?.includes(letter));
    if (wrong !== undefined) throw invalidOption(command, `${word.charAt(0)}${wrong}`);
    if (word.startsWith("-")) on += word.slice(1);
    else off += word.slice(1);
  }
  return { on, off, operands: args.slice(at) };
}

function setAttributes(variable: Variable, on: string, off: string) {
  const flag = (letter: string) => (on.includes(letter) ? true : off.includes(letter) ? false : undefined);
  for (const [letter, key] of [
    ["i", "integer"],
    ["x", "exported"],
    ["t", "traced"],
    ["n", "nameref"],
  ] as const) {
    const wanted = flag(letter);
    if (wanted !== undefined) variable[key] = wanted;
  }
  if (off.includes("r") && variable.readonly) throw new CommandError("readonly variable");
  if (/[aA]/.test(off) && variable.kind) throw new CommandError("cannot destroy array variables in this way");
  if ([..."luc"].filter((letter) => on.includes(letter)).length > 1) on = on.replace(/[luc]/g, "");
  for (const [letter, letters] of [
    ["l", "lower"],
    ["u", "upper"],
    ["c", "capitalize"],
  ] as const) {
    if (on.includes(letter)) variable.letters = letters;
    else if (off.includes(letter) && variable.letters === letters) delete variable.letters;
  }
  if (on.includes("A") && variable.kind !== "map") {
    if (variable.kind === "list") throw new CommandError("cannot convert indexed to associative array");
    Object.assign(variable, {
      kind: "map",
      value: typeof variable.value === "string" ? new Map([["0", variable.value]]) : variable.value,
    });
  } else if (on.includes("a") && !variable.kind) {
    Object.assign(variable, {
      kind: "list",
      value: typeof variable.value === "string" ? [variable.value] : variable.value,
    });
  }
}

async function declareOne(shell: Shell, command: string, operand: string | Assignment, on: string, off: string) {
  const { variables } = shell;
  const assignment = typeof operand === "string" ? await assignmentOf(shell, operand, on) : operand;
  const { name } = assignment;
  if (!NAME.test(name))
    throw new CommandError(`${command}: \`${typeof operand === "string" ? operand : name}': not a valid identifier`);
  const isLocal =
    (command === "local" || ((command === "declare" || command === "typeset") && shell.calls.length > 0)) &&
    !on.includes("g");
  if (isLocal) variables.localize(name, on.includes("I") || shell.shopts.has("localvar_inherit"));
  const isSet = assignment.text !== null || assignment.items !== null;
  const global = on.includes("g") && !isLocal;
  const target = on.includes("n") || off.includes("n") ? name : variables.resolve(name).name;
  const shadow = global ? variables.global(target) : null;
  const local = variables.table.get(target);
  if (shadow && shadow !== local) variables.table.set(target, shadow);
  try {
    const variable = isSet ? variables.writable(target) : (variables.table.get(target) ?? variables.writable(target));
    // A list that is assigned becomes one before the attributes see it.
    try {
      setAttributes(variable, on, off);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(`${command}: ${target}: ${error.message}`);
    }
    if (on.includes("n")) {
      if (isSet) variable.value = assignment.text;
    } else if (isSet) perform(shell, assignment);
    if (on.includes("r")) variable.readonly = true;
  } finally {
    if (shadow && shadow !== local && local) variables.table.set(target, local);
  }
}

/** `name`, `name=value` or `name[subscript]=value` in an argument. */
async function assignmentOf(shell: Shell, text: string, on: string): Promise<Assignment> {
  const match = /^([^=]*?)(\+?)=([^]*)$/.exec(text);
  const reference = parseReference(match ? (match[1] ?? "") : text);
  const start = { name: reference?.name ?? "", subscript: reference?.subscript ?? null, append: Boolean(match?.[2]) };
  const value = match?.[3] ?? null;
  const isList = /[aA]/.test(on) || shell.variables.isList(start.name);
  if (value?.startsWith("(") && value.endsWith(")") && isList)
    return { ...start, text: null, items: await itemsOf(shell, value) };
  return { ...start, text: value, items: null };
}

const declarer =
  (command: string): ((shell: Shell, args: (string | Assignment)[]) => Promise<number>) =>
  async (shell, args) => {
    const { on, off, operands } = parseFlags(command, args);
    if (command === "local" && shell.calls.length === 0)
      throw new CommandError("local: can only be used in a function");
    if (/[fF]/.test(on)) return declareFunctions(shell, command, on, operands.map(String));
    const names = operands.map((one) => (typeof one === "string" ? one : one.name));
    const prints = on.includes("p") && command !== "export" && command !== "readonly";
    if (prints || operands.length === 0) return printChosen(shell, command, on, names);
    const more = command === "export" ? (on.includes("n") ? "" : "x") : command === "readonly" ? "r" : "";
    const less = command === "export" && on.includes("n") ? "x" : off;
    return shell.forEach(operands, async (operand) => {
      try {
        if (operand === "-" && command === "local") shell.localOptions ??= new Set(shell.options);
        else await declareOne(shell, command, operand, (command === "export" ? on.replace("n", "") : on) + more, less);
        return null;
      } catch (error) {
        if (!(error instanceof CommandError) || error instanceof InnerArithmeticError) throw error;
        return error.message;
      }
    });
  };

async function printChosen(shell: Shell, command: string, on: string, names: string[]) {
  const { variables } = shell;
  if (names.length) return printVariables(shell, names);
  if (command === "local") {
    return printVariables(shell, [...(variables.frames.at(-1)?.keys() ?? [])].sort());
  }
  const own = command === "export" ? "x" : command === "readonly" ? "r" : "";
  const letters = own + on.replace(own === "x" ? /[npg]/g : /[pg]/g, "");
  if (command === "declare" && !on) {
    await shell.print(allVariables(shell));
    return 0;
  }
  const sorted = [...variables.table.keys()].sort();
  return printVariables(shell, sorted, (variable) =>
    [...letters].every((letter) => attributesOf(variable).includes(letter)),
  );
}

async function declareFunctions(shell: Shell, command: string, on: string, names: string[]) {
  const listed = names.length ? names : [...shell.functions.keys()].sort();
  const isDeclare = command !== "export" && command !== "readonly";
  let status = 0;
  for (const name of listed) {
    const definition = shell.functions.get(name);
    if (!definition) {
      status = 1;
      if (!isDeclare) await shell.complain(`${command}: ${name}: not a function`);
    } else if (names.length && /[xrt]/.test(isDeclare ? on : "x")) markFunction(shell, name, command, on);
    else if (isDeclare || isMarked(definition, command))
      await shell.print(functionText(shell, name, definition, on, isDeclare, names.length > 0));
  }
  return status;
}

/** `export -f` and `readonly -f` without names list these. */
const isMarked = (definition: Node, command: string) =>
  Boolean(command === "export" ? definition.exported : definition.readonly);

function markFunction(shell: Shell, name: string, command: string, on: string) {
  const definition = { ...shell.functions.get(name) };
  if (command === "export" || on.includes("x")) definition.exported = !(command === "export" && on.includes("n"));
  if (command === "readonly" || on.includes("r")) definition.readonly = true;
  shell.functions.set(name, definition);
}

function functionText(shell: Shell, name: string, definition: Node, on: string, isDeclare: boolean, isNamed: boolean) {
  const { exported, readonly, line, sourceFile } = definition;
  const declaration = `declare -f${readonly ? "r" : ""}${exported ? "x" : ""} ${name}\n`;
  if (!on.includes("F"))
    return printFunction(name, definition) + (!isNamed && (exported || readonly || !isDeclare) ? declaration : "");
  if (!isNamed) return declaration;
  return shell.shopts.has("extdebug")
    ? `${name} ${line ?? 1} ${sourceFile ?? shell.source ?? "environment"}\n`
    : `${name}\n`;
}

function removeFunction(shell: Shell, name: string) {
  if (shell.functions.get(name)?.readonly) throw new CommandError(`${name}: cannot unset: readonly function`);
  shell.functions.delete(name);
}

async function unset(shell: Shell, args: string[]) {
  const { flags: chosen, operands } = parseOptions("unset", args, "fvn");
  const flags = [...chosen].join("");
  if (chosen.has("f") && chosen.has("v"))
    throw new CommandError("unset: cannot simultaneously unset a function and a variable");
  return shell.forEach(operands, (word) => {
    const reference = parseReference(word);
    try {
      if (flags.includes("f") || (!reference && !flags)) removeFunction(shell, word);
      else if (!reference) throw new CommandError(`\`${word}': not a valid identifier`);
      else if (flags.includes("n")) shell.variables.remove(reference.name);
      else if (!flags && !shell.variables.table.has(reference.name) && !shell.variables.dynamic.has(reference.name))
        removeFunction(shell, word);
      else shell.variables.unset(reference.name, reference.subscript);
      return null;
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return `unset: ${error.message}`;
    }
  });
}

export const declarationBuiltins: Record<string, { run(shell: Shell, args: Field[]): Promise<number> }["run"]> = {
  ...Object.fromEntries([...DECLARERS].map((name) => [name, declarer(name)])),
  unset,
};
