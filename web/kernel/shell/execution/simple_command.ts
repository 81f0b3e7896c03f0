// Simple commands: words, assignments and what they call (Bash manual, 3.2.2 and 3.7).
import { assignAll, assignmentText, expandDeclarations } from "../language/assignments.ts";
import { BUILTINS, DECLARERS, type Field } from "./builtin_table.ts";
import {
  BrokenPipe,
  CommandError,
  ExpansionError,
  InnerArithmeticError,
  FatalError,
  LineError,
  MisuseError,
  Return,
  WriteError,
} from "../control.ts";
import { evaluator } from "../evaluator.ts";
import { redirect, withRedirections } from "./redirections.ts";
import { exitOfSignal } from "./signals.ts";
import type { Shell, Node } from "../shell.ts";
import { wordText } from "../language/syntax/printer.ts";
import { traceWords } from "../language/tracing.ts";
import { runDebugTrap, runTrap } from "./traps.ts";
import { expandFields, plainText } from "../language/words.ts";

const RUN_TEXT = new Set(["eval", "source", ".", "command", "builtin", "compgen"]);

const MOST_CALLS = 2000;

export async function runSimple(shell: Shell, command: Node) {
  if (shell.traps.running.size === 0) shell.command = () => describe(command);
  if (shell.traps.actions.has("DEBUG")) await runDebugTrap(shell, describe(command));
  const outer = shell.substitutions;
  const own: (() => unknown)[] = [];
  shell.substitutions = own;
  try {
    shell.substitutionStatus = null;
    const fields = command.name ? await expandCommand(shell, command) : [];
    if (fields.length === 0) await assignOnly(shell, command);
    else await call(shell, command, fields);
  } finally {
    shell.substitutions = outer;
    for (const finish of own) await finish();
  }
}

/** The command as `$BASH_COMMAND` has it. */
export function describe({ name, args, assignments }: Node) {
  const assigned = assignments.map((one: Node) => `${one.name}=${one.value ? wordText(one.value) : ""}`);
  return [...assigned, ...(name ? [name, ...args].map(wordText) : [])].join(" ");
}

async function expandCommand(shell: Shell, { name, args }: Node): Promise<Field[]> {
  const plain = plainText(name);
  if (plain !== null && DECLARERS.has(plain)) return [plain, ...(await expandDeclarations(shell, args))];
  return expandFields(shell, plain === null || args.length ? [name, ...args] : [name]);
}

/** Assignments and redirections without a command. */
async function assignOnly(shell: Shell, { assignments, redirections }: Node) {
  const assign = async () => {
    await assignAll(shell, assignments);
    shell.status = shell.substitutionStatus ?? 0;
  };
  if (redirections.length) await withRedirections(shell, redirections, assign);
  else await assign();
}

async function call(shell: Shell, { assignments, redirections }: Node, fields: Field[]) {
  const name = String(fields[0]);
  if (shell.options.has("xtrace"))
    await traceWords(
      shell,
      fields.map((field) => (typeof field === "string" ? field : assignmentText(field))),
    );
  const invoke = () =>
    assignments.length ? withTemporary(shell, assignments, () => dispatch(shell, fields)) : dispatch(shell, fields);
  // What `exec` redirects without a command lasts.
  if (!shell.functions.has(name) && isBareExec(fields)) {
    await redirect(shell, redirections);
    shell.status = 0;
    return;
  }
  const isProgram = !shell.functions.has(name) && !BUILTINS.has(name);
  if (redirections.length) await withRedirections(shell, redirections, invoke, isProgram);
  else await invoke();
  const last = fields.at(-1);
  shell.lastArgument = typeof last === "string" ? last : (last?.name ?? "");
}

/** Return whether a command is `exec` without a program to execute. */
function isBareExec(fields: Field[]): boolean {
  const start = fields.findIndex((field) => field !== "command");
  if (fields[start] !== "exec") return false;
  const [option, ...others] = fields.slice(start + 1);
  return option === undefined || (option === "--" && others.length === 0);
}

/** `NAME=value command`: the variables end with the command. */
async function withTemporary(shell: Shell, assignments: Node[], action: () => Promise<void>) {
  const { variables } = shell;
  variables.enter();
  try {
    for (const assignment of assignments) {
      try {
        if (!assignment.name.includes("[")) variables.localize(assignment.name, true);
        await assignAll(shell, [assignment]);
        Object.assign(variables.table.get(assignment.name) ?? {}, { exported: true });
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
        await shell.complain(error.message);
      }
    }
    await action();
  } finally {
    variables.leave();
  }
}

async function dispatch(shell: Shell, given: Field[]) {
  // Only `declare` and its like get assignments (`expandCommand`), and they take them.
  const fields = given as string[];
  const [name = "", ...args] = fields;
  const definition = shell.functions.get(name);
  if (definition) return callFunction(shell, definition, args);
  if (shell.builtin(name)) return runBuiltin(shell, name, args);
  await callProgram(shell, fields);
}

export async function runBuiltin(shell: Shell, name: string, args: string[]) {
  try {
    const status = BUILTINS.get(name)?.(shell, args);
    shell.status = (typeof status === "number" ? status : await status) ?? 0;
  } catch (error) {
    if (error instanceof WriteError) {
      await shell.complain(`${name}: write error: ${error.message}`);
      shell.status = 1;
      return;
    }
    if (!(error instanceof CommandError) || error instanceof FatalError || error instanceof MisuseError) throw error;
    if (error instanceof InnerArithmeticError)
      throw error.isValue ? new InnerArithmeticError(`${name}: ${error.message}`, false) : error;
    // In a builtin, an error such as a read-only variable's ends only the command; in the text that it runs, the line.
    if (RUN_TEXT.has(name) && error instanceof LineError) throw error;
    await shell.complain(error.message);
    shell.status = error.status;
  }
}

async function callProgram(shell: Shell, fields: string[]) {
  try {
    shell.status = await evaluator.runProgram(shell, fields);
  } catch (error) {
    if (!(error instanceof BrokenPipe)) throw error;
    shell.status = exitOfSignal("PIPE");
  } finally {
    shell.traps.noteEnd();
  }
}

export async function callFunction(shell: Shell, definition: Node, args: string[]) {
  const { variables, positional, line, loops, traps } = shell;
  if (shell.calls.length >= MOST_CALLS)
    throw new ExpansionError(`${definition.name}: maximum function nesting level exceeded (${MOST_CALLS})`);
  // So that a deep recursion doesn't fill the stack of JavaScript.
  await null;
  shell.calls = [
    { name: definition.name, line, source: definition.sourceFile ?? shell.source ?? "environment" },
    ...shell.calls,
  ];
  variables.enter();
  const hidden = traps.enter(shell.options);
  const { localOptions } = shell;
  shell.localOptions = null;
  Object.assign(shell, { positional: args, loops: 0 });
  try {
    await evaluator.runCommand(
      shell,
      definition.redirections?.length ? { ...definition.body, redirections: definition.redirections } : definition.body,
    );
  } catch (error) {
    if (!(error instanceof Return)) throw error;
    shell.status = error.status;
  } finally {
    const action = traps.actions.get("RETURN");
    if (action && !traps.running.has("RETURN")) await runTrap(shell, "RETURN", action);
    variables.leave();
    traps.leave(hidden);
    if (shell.localOptions) shell.options = shell.localOptions;
    shell.localOptions = localOptions;
    Object.assign(shell, { positional, loops, line, calls: shell.calls.slice(1) });
  }
}
