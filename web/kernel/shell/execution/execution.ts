// Statements: lists, pipelines and jobs (Bash manual, 3.2.3 and 3.2.4).
import { Exit, LineError, ReportedError, isOfCommand } from "../control.ts";
import { runCompound } from "./compound.ts";
import { messageOf } from "./files.ts";
import { reportStarted } from "./jobs.ts";
import { nullDevice, type OpenFile } from "./open_files.ts";
import { createPipe } from "./pipes.ts";
import { withRedirections } from "./redirections.ts";
import type { Shell, Node } from "../shell.ts";
import { describe, runSimple } from "./simple_command.ts";
import { startSubshell, type Running } from "./subshells.ts";
import { SyntaxProblem } from "../language/syntax/problem.ts";
import { ScriptReader } from "../language/syntax/reader.ts";
import { areSignalsThere, deliverSignals, runTrap } from "./traps.ts";

// Failures within these have ended the shell already, where they should.
const GROUPING = new Set(["Group", "If", "For", "CStyleFor", "While", "Until", "Case", "FunctionDef"]);

/** The line of a command, or of the first in it. */
function lineOf(node: Node | undefined): number | undefined {
  if (!node || node.line) return node?.line;
  const inner = node.pipelines?.[0]?.commands ?? node.clauses?.[0]?.condition ?? node.condition ?? node.body;
  return lineOf(Array.isArray(inner) ? inner[0] : inner);
}

/**
 * Run the text of a script; an error of an expansion ends its line only.
 * @param after - the shell's state after such an error
 */
export async function runLines(shell: Shell, statements: Node[], after: object = REST) {
  for (let at = 0; at < statements.length; at++) {
    try {
      await runStatement(shell, statements[at]);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      await shell.complain(error.message);
      Object.assign(shell, { status: error.status, ...after });
      if (shell.options.has("errexit")) throw new Exit(shell.status);
      const line = lineOf(statements[at]);
      while (at + 1 < statements.length && lineOf(statements[at + 1]) === line) at++;
    }
  }
}

/**
 * Run a script line by line: what a line changes in the language holds for the next.
 * @returns the error that ended it, after the lines before it ran
 */
export async function runReading(
  shell: Shell,
  text: string,
  run: (shell: Shell, statements: Node[]) => Promise<void> = runLines,
): Promise<SyntaxProblem | null> {
  const reader = new ScriptReader(text);
  for (;;) {
    const line = readLine(shell, reader);
    for (const warning of reader.takeWarnings()) await warn(shell, warning);
    if (line instanceof SyntaxProblem || line === null) return line;
    await run(shell, line);
  }
}

function readLine(shell: Shell, reader: ScriptReader): Node[] | SyntaxProblem | null {
  try {
    return reader.next(shell.dialect);
  } catch (error) {
    if (error instanceof SyntaxProblem) return error;
    throw error;
  }
}

/** @param warning - about the text of a script */
async function warn(shell: Shell, { line, message }: { line: number; message: string }) {
  const origin = shell.origin.replace(/: line \d+$/, "");
  await shell.write(2, `${origin}: line ${line}: warning: ${message}\n`);
}

/** The state between two commands. */
export const REST = { loops: 0, conditions: 0, sourcing: 0, calls: [] };

export async function runList(shell: Shell, statements: Node[]) {
  for (const statement of statements) await runStatement(shell, statement);
}

async function runStatement(shell: Shell, statement: Node) {
  if (shell.host.isDue()) await shell.host.breathe(shell.task);
  if (areSignalsThere(shell)) await deliverSignals(shell);
  if (shell.options.has("verbose") && statement.sourceText) await shell.write(2, `${statement.sourceText}\n`);
  if (shell.options.has("noexec")) return;
  if (statement.background) return startJob(shell, statement);
  await runAndOr(shell, statement);
  if (areSignalsThere(shell)) await deliverSignals(shell);
}

/** Pipelines with `&&` and `||`. */
async function runAndOr(shell: Shell, { pipelines, operators }: Node) {
  const last = pipelines.length - 1;
  for (let at = 0; at <= last; at++) {
    const operator = at > 0 ? operators[at - 1] : ";";
    if ((operator === "&&" && shell.status !== 0) || (operator === "||" && shell.status === 0)) continue;
    const pipeline = pipelines[at];
    const excused = at < last || pipeline.negated;
    if (excused) shell.conditions++;
    try {
      await runPipeline(shell, pipeline);
    } finally {
      if (excused) shell.conditions--;
    }
    if (shell.status !== 0 && !excused && shell.conditions === 0) await noteFailure(shell, pipeline);
  }
}

/** A command has failed: the trap of ERR, and `set -e`. */
async function noteFailure(shell: Shell, { commands }: Node) {
  if (commands.length === 1 && GROUPING.has(commands[0].type) && commands[0] !== shell.failed) return;
  const action = shell.traps.actions.get("ERR");
  if (action) {
    const text = textOfFailed(commands);
    if (text !== null && shell.traps.running.size === 0) shell.command = () => text;
    await runTrap(shell, "ERR", action);
  }
  if (shell.options.has("errexit")) throw new Exit(shell.status);
}

/**
 * `$BASH_COMMAND` of what no simple command of this shell has failed in, else null.
 * @param commands - of a pipeline
 */
function textOfFailed(commands: Node[]) {
  // Pipelines have at least one command.
  const last = commands.at(-1) as Node;
  if (last.type === "Subshell")
    return `( ${last.body.map((statement: Node) => statement.sourceText ?? "").join("; ")} )`;
  if (last.type === "ArithmeticCommand") return `((${last.expression.originalText}))`;
  return commands.length > 1 && last.type === "SimpleCommand" ? describe(last) : null;
}

async function runPipeline(shell: Shell, pipeline: Node) {
  const { commands, negated, timed } = pipeline;
  const start = performance.now();
  if (commands.length === 1) {
    await runCommand(shell, commands[0]);
    // These set it by themselves.
    if (!GROUPING.has(commands[0].type)) shell.pipeStatus = [shell.status];
  } else await runConnected(shell, pipeline);
  if (negated) shell.status = shell.status === 0 ? 1 : 0;
  if (!timed) return;
  const format = pipeline.timePosix ? POSIX_TIMES : (shell.variables.text("TIMEFORMAT") ?? TIMES);
  await shell.write(2, timing(format, (performance.now() - start) / 1000));
}

const TIMES = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS";
const POSIX_TIMES = "real %2R\nuser %2U\nsys %2S";

/** The text that `time` prints (Bash manual, 5.2, TIMEFORMAT). */
function timing(format: string, seconds: number) {
  const text = format.replace(/%(?:%|P|([0-9])?(l)?([RUS]))/g, (whole, places, long, kind) => {
    if (whole === "%%") return "%";
    if (whole === "%P") return seconds ? "100.00" : "0.00";
    const value = kind === "S" ? 0 : seconds;
    const digits = Math.min(3, Number(places ?? 3));
    return long ? `${Math.floor(value / 60)}m${(value % 60).toFixed(digits)}s` : value.toFixed(digits);
  });
  return text && `${text}\n`;
}

/** Commands with pipes between them, all at the same time. */
async function runConnected(shell: Shell, { commands, pipeStderr }: Node) {
  let input: OpenFile | null = null;
  const lastStays = shell.shopts.has("lastpipe");
  const running = (lastStays ? commands.slice(0, -1) : commands).map((command: Node, at: number) => {
    const files = new Map<number, OpenFile>();
    if (input) files.set(0, input);
    if (at < commands.length - 1) {
      const { reader, writer } = createPipe();
      files.set(1, writer);
      if (pipeStderr?.[at]) files.set(2, writer);
      input = reader;
    }
    const statement = { type: "Statement", pipelines: [{ type: "Pipeline", commands: [command] }], operators: [] };
    return startSubshell(shell, [statement], files, {
      prepare: (copy) => (copy.lastRedirections = command.redirections),
    });
  });
  const own = lastStays ? [await runReadingFrom(shell, commands.at(-1), input)] : [];
  const statuses = [...(await Promise.all(running.map(({ done }: Running) => done))), ...own];
  shell.task.check();
  shell.pipeStatus = statuses;
  const failed = shell.options.has("pipefail") ? statuses.findLast((status) => status !== 0) : undefined;
  shell.status = failed ?? statuses.at(-1) ?? 0;
}

/** The last command of a pipeline with `lastpipe`, which runs in the shell itself. */
async function runReadingFrom(shell: Shell, command: Node, input: OpenFile | null) {
  const saved = shell.descriptors.save([0]);
  shell.descriptors.set(0, input);
  try {
    await runCommand(shell, command);
  } finally {
    shell.descriptors.restore(saved);
  }
  return shell.status;
}

/** `command &`. */
async function startJob(shell: Shell, statement: Node) {
  const plain = { ...statement, background: false };
  // Without job control, a job reads nothing (Bash manual, 3.7.6).
  const running = startSubshell(shell, [plain], new Map([[0, nullDevice()]]), {
    background: true,
    prepare: (copy) => {
      copy.conditions = copy.loops = 0;
      // Job control puts each job in its own process group (Bash manual, 7.1).
      if (shell.options.has("monitor")) copy.task.lead();
      const [only, ...others] = statement.pipelines.flatMap((pipeline: Node) => pipeline.commands);
      if (others.length === 0) copy.lastRedirections = only.redirections;
    },
  });
  shell.jobs.add(running, String(statement.sourceText ?? "").replace(/\s*&\s*$/, ""));
  await reportStarted(shell, running);
  shell.lastPid = running.task.pid;
  shell.status = 0;
}

export async function runCommand(shell: Shell, command: Node) {
  shell.line = lineOf(command) ?? shell.line;
  try {
    if (command.type === "SimpleCommand") await runSimple(shell, command);
    else if (command.redirections?.length && command.type !== "FunctionDef") {
      await withRedirections(shell, command.redirections, () => runCompound(shell, command));
    } else await runCompound(shell, command);
  } catch (error) {
    // An error of the system, such as a full disk or a closed descriptor, costs the command only.
    if (error instanceof Error) await shell.complain(messageOf(error));
    else if (isOfCommand(error)) {
      if (!(error instanceof ReportedError)) await shell.complain(error.message);
      shell.status = error.status;
      shell.failed = command;
      return;
    } else throw error;
    Object.assign(shell, { status: 1, failed: command });
  }
}
