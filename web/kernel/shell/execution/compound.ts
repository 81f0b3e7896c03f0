// Compound commands (Bash manual, 3.2.5) and the definition of functions.
import { evaluateCondition } from "./conditions.ts";
import { CommandError, InnerArithmeticError, LineError, LoopExit } from "../control.ts";
import { evaluator } from "../evaluator.ts";
import { matchesPattern } from "../language/locale.ts";
import { createPipe } from "./pipes.ts";
import { readLine } from "./lines.ts";
import type { Shell, Node } from "../shell.ts";
import { startSubshell } from "./subshells.ts";
import { runDebugTrap } from "./traps.ts";
import { headOfLoop, wordText } from "../language/syntax/printer.ts";
import { traceText } from "../language/tracing.ts";
import { calculateText, expandFields, expandInline, expandPattern, expandText, plainText } from "../language/words.ts";

/** `set -x`. */
async function trace(shell: Shell, text: string) {
  if (shell.options.has("xtrace")) await traceText(shell, text);
}

/** @param text - of a calculation */
async function calculate(shell: Shell, text: string) {
  if (shell.options.has("xtrace")) await traceText(shell, `(( ${await expandInline(shell, text)} ))`);
  return calculateText(shell, text);
}

export function runCompound(shell: Shell, command: Node) {
  const run = RUN[command.type];
  if (!run) throw new Error(`${command.type} is not supported`);
  return run(shell, command);
}

const RUN: Record<string, (shell: Shell, command: Node) => Promise<void> | void> = {
  Group: (shell, { body }) => evaluator.runList(shell, body),

  async Subshell(shell, { body }) {
    const running = startSubshell(shell, body, new Map(), { prepare: (copy) => (copy.loops = 0) });
    shell.status = await running.done;
    shell.task.check();
  },

  async If(shell, { clauses, elseBody }) {
    for (const { condition, body } of clauses) if (await holds(shell, condition)) return evaluator.runList(shell, body);
    if (elseBody) await evaluator.runList(shell, elseBody);
    else shell.status = 0;
  },

  While(shell, command) {
    if (ALWAYS.has(wordOf(command.condition))) shell.descriptors.table.get(1)?.markEndless();
    return repeat(shell, command, true);
  },
  Until: (shell, command) => repeat(shell, command, false),
  For: runFor,
  Select: runSelect,
  Coprocess: startCoprocess,
  CStyleFor: runCounting,

  async Case(shell, { word, items }) {
    await trace(shell, `case ${wordText(word)} in`);
    const text = await expandText(shell, word);
    shell.status = 0;
    let falls = false;
    for (const { patterns, body, terminator } of items) {
      if (!falls && !(await matchesAny(shell, text, patterns))) continue;
      await evaluator.runList(shell, body);
      if (terminator === ";;") return;
      falls = terminator === ";&";
    }
  },

  async ArithmeticCommand(shell, { expression }) {
    await runDebugTrap(shell, `((${expression.originalText}))`);
    shell.status = (await withinCommand(() => calculate(shell, expression.originalText ?? ""), "((: ")) === 0n ? 1 : 0;
  },

  async ConditionalCommand(shell, { expression }) {
    await runDebugTrap(shell, "[[ ]]");
    shell.status = (await evaluateCondition(shell, expression)) ? 0 : 1;
  },

  FunctionDef(shell, command) {
    if (shell.functions.get(command.name)?.readonly) throw new CommandError(`${command.name}: readonly function`);
    shell.functions.set(command.name, command);
    shell.status = 0;
  },
};

const ALWAYS = new Set([":", "true"]);

/** The only word of a condition. */
function wordOf([statement]: Node[]) {
  const name = statement?.pipelines[0]?.commands[0]?.name;
  return (name && plainText(name)) ?? "";
}

async function matchesAny(shell: Shell, text: string, patterns: Node[]) {
  for (const pattern of patterns) if (matchesPattern(shell, text, await expandPattern(shell, pattern))) return true;
  return false;
}

/** Run a condition, in which failures don't end the shell. */
async function holds(shell: Shell, condition: Node[]) {
  shell.conditions++;
  try {
    await evaluator.runList(shell, condition);
  } finally {
    shell.conditions--;
  }
  return shell.status === 0;
}

/**
 * Run a part of a loop.
 * @returns whether the loop continues
 */
async function goesOn(shell: Shell, part: () => Promise<unknown>): Promise<boolean> {
  try {
    await part();
    return true;
  } catch (error) {
    if (!(error instanceof LoopExit)) throw error;
    shell.status = error.status;
    if (error.levels > 1) throw new LoopExit(error.kind, error.levels - 1, error.status);
    return error.kind === "continue";
  }
}

/**
 * Do what costs the command only, and not the line, if it fails.
 * @param before - the message
 */
async function withinCommand<T>(action: () => T | Promise<T>, before = ""): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof LineError) || error instanceof InnerArithmeticError) throw error;
    throw new CommandError(before + error.message);
  }
}

async function inLoop(shell: Shell, action: () => Promise<void>) {
  shell.loops++;
  try {
    await action();
  } finally {
    shell.loops--;
  }
}

const repeat = (shell: Shell, { condition, body }: Node, wanted: boolean) =>
  inLoop(shell, async () => {
    let status = 0;
    let held = false;
    while (await goesOn(shell, async () => (held = await holds(shell, condition)))) {
      if (held !== wanted) break;
      const next = await goesOn(shell, () => evaluator.runList(shell, body));
      ({ status } = shell);
      if (!next) break;
    }
    shell.status = status;
  });

async function runFor(shell: Shell, command: Node) {
  const { variable, words, body } = command;
  const values = words ? await expandFields(shell, words) : shell.positional;
  shell.status = 0;
  await inLoop(shell, async () => {
    for (const value of values) {
      await runDebugTrap(shell, `for ${variable}`);
      await trace(shell, headOfLoop("for", command));
      await withinCommand(() => assignLoopVariable(shell, variable, value));
      if (!(await goesOn(shell, () => evaluator.runList(shell, body)))) break;
    }
  });
}

/** A reference gets another target in each round. */
function assignLoopVariable(shell: Shell, name: string, value: string) {
  const variable = shell.variables.table.get(name);
  if (variable?.nameref) variable.value = value;
  else shell.variables.assign(name, value);
}

/** `coproc`: a command at the other ends of two pipes, whose descriptors are in a list. */
async function startCoprocess(shell: Shell, { name, command }: Node) {
  const [input, output] = [createPipe(), createPipe()];
  const statement = { type: "Statement", pipelines: [{ type: "Pipeline", commands: [command] }], operators: [] };
  const running = startSubshell(
    shell,
    [statement],
    new Map([
      [0, input.reader],
      [1, output.writer],
    ]),
    {
      background: true,
      prepare: (copy) => (copy.conditions = copy.loops = 0),
    },
  );
  const { descriptors, variables } = shell;
  const numbers = [output.reader, input.writer].map((file) => {
    const number = descriptors.firstFree();
    descriptors.set(number, file);
    return String(number);
  });
  try {
    variables.assignList(
      name,
      numbers.map((text) => ({ subscript: null, text, append: false })),
      false,
    );
    variables.assign(`${name}_PID`, String(running.task.pid));
  } catch (error) {
    // The command has started: only its variables are missing.
    if (!(error instanceof LineError)) throw error;
    await shell.complain(error.message);
  }
  shell.jobs.add(running, `coproc ${name}`);
  shell.lastPid = running.task.pid;
  shell.status = 0;
}

async function runCounting(shell: Shell, { init, condition, update, body }: Node) {
  const value = (part: Node | null) =>
    part ? withinCommand(() => calculate(shell, part.originalText ?? ""), "((: ") : 1n;
  await value(init);
  shell.status = 0;
  await inLoop(shell, async () => {
    while ((await value(condition)) !== 0n) {
      if (!(await goesOn(shell, () => evaluator.runList(shell, body)))) break;
      await value(update);
    }
  });
}

/** `select`: a menu on standard error, and a line from standard input. */
async function runSelect(shell: Shell, command: Node) {
  const { variable, words, body } = command;
  await trace(shell, headOfLoop("select", command));
  const values = words ? await expandFields(shell, words) : shell.positional;
  shell.status = 0;
  if (values.length === 0) return;
  const width = String(values.length).length;
  const menu = values.map((value, at) => `${String(at + 1).padStart(width)}) ${value}\n`).join("");
  const { variables } = shell;
  await inLoop(shell, async () => {
    for (let shows = true; ; ) {
      if (shows) await shell.write(2, menu);
      await shell.write(2, variables.text("PS3") ?? "#? ");
      const { text, ended } = await readLine(shell, 0, {});
      if (ended) {
        await shell.print("\n");
        shell.status = 1;
        return;
      }
      variables.assign("REPLY", text);
      await withinCommand(() => variables.assign(variable, values[Number(text) - 1] ?? ""));
      shows = text === "";
      if (!shows && !(await goesOn(shell, () => evaluator.runList(shell, body)))) return;
    }
  });
}
