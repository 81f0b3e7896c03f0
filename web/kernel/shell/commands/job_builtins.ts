// The builtins that deal with jobs and with signals (Bash manual, 7.2).
import { parseOptions } from "./builtin_options.ts";
import { CommandError } from "../control.ts";
import { usage } from "./help.ts";
import { described, markOf, type Job } from "../execution/jobs.ts";
import { signalProcess } from "../processes.ts";
import { shellQuote } from "../language/quoting.ts";
import { runText } from "../execution/run_text.ts";
import type { Shell } from "../shell.ts";
import { SIGNALS, byNumber, exitOfSignal, nameOfSignal } from "../execution/signals.ts";
import { signalList } from "./trap.ts";
import { NAME } from "../language/variables.ts";

const NOT_FOUND = 127;
const STOPPING = new Set(["STOP", "TSTP", "TTIN", "TTOU"]);

/** @returns its exit code, or the code of a signal that comes first */
async function waitFor(shell: Shell, job: Job): Promise<number> {
  await shell.task.pause(job.done);
  if (job.status === null) return exitOfSignal(shell.task.pending[0] ?? "");
  shell.jobs.forget(job);
  return job.status;
}

async function wait(shell: Shell, args: string[]) {
  const { jobs, task } = shell;
  const { flags, values, operands: specs } = parseOptions("wait", args, "fnp:");
  const variable = values.p;
  if (variable !== undefined && !NAME.test(variable))
    throw new CommandError(`wait: \`${variable}': not a valid identifier`);
  if (flags.has("n")) return waitForNext(shell, specs, variable);
  if (variable !== undefined) shell.variables.unset(variable);
  let status = 0;
  for (const spec of specs.length ? specs : jobs.all.map((job) => String(job.task.pid))) {
    const job = jobs.find(spec);
    if (variable !== undefined && specs.length && (job || jobs.codes.has(Number(spec))))
      shell.variables.assign(variable, String(job?.task.pid ?? spec));
    if (job) status = await waitFor(shell, job);
    else if (jobs.codes.has(Number(spec))) status = jobs.codes.get(Number(spec)) ?? 0;
    else status = await complainOf(shell, spec);
    if (task.pending.length) return exitOfSignal(task.pending[0] ?? "");
  }
  return specs.length ? status : 0;
}

/** @param variable - that gets the process id */
async function waitForNext(shell: Shell, specs: string[], variable: string | undefined) {
  const { jobs, task } = shell;
  const chosen = specs.length ? specs.map((spec) => jobs.find(spec)) : jobs.all;
  const candidates = chosen.filter((job) => job !== undefined);
  for (const spec of specs)
    if (!jobs.find(spec) && !jobs.codes.has(Number(spec))) await shell.complain(`wait: ${spec}: no such job`);
  if (candidates.length === 0) return NOT_FOUND;
  await task.pause(Promise.race(candidates.map(({ done }) => done)));
  const ended = candidates.find(({ status }) => status !== null);
  if (!ended) return exitOfSignal(task.pending[0] ?? "");
  if (variable) shell.variables.assign(variable, String(ended.task.pid));
  return waitFor(shell, ended);
}

async function complainOf(shell: Shell, spec: string) {
  if (spec.startsWith("%")) await shell.complain(`wait: ${spec}: no such job`);
  else if (/^\d+$/.test(spec)) await shell.complain(`wait: pid ${spec} is not a child of this shell`);
  else await shell.complain(`wait: \`${spec}': not a pid or valid job spec`);
  return /^[%\d]/.test(spec) ? NOT_FOUND : 1;
}

async function list(shell: Shell, args: string[]) {
  const { jobs } = shell;
  if (args[0] === "-x") return runWithJobs(shell, args.slice(1));
  const { flags, operands } = parseOptions("jobs", args, "lnprs");
  const all = [...jobs.inherited, ...jobs.all];
  for (const spec of operands) if (!jobs.find(spec)) throw missing("jobs", spec);
  const named = operands.length ? all.filter((job) => operands.some((spec) => jobs.find(spec) === job)) : all;
  const running = named.filter(({ status }) => !flags.has("r") || status === null);
  // No job is ever stopped.
  const chosen = flags.has("s") ? [] : running.filter(({ listed }) => !flags.has("n") || !listed);
  for (const job of chosen) job.listed = true;
  const lines = chosen.map((job) => {
    if (flags.has("p")) return `${job.task.pid}\n`;
    return described(job, markOf(job, all), flags.has("l"));
  });
  for (const job of all) if (job.status !== null) jobs.forget(job);
  await shell.print(lines.join(""));
  return 0;
}

/** `jobs -x`: a command in which the numbers of processes stand for jobs. */
async function runWithJobs(shell: Shell, words: string[]) {
  const { jobs } = shell;
  const numberOf = (word: string) =>
    word.startsWith("%") ? (jobs.find(word) ?? jobs.findInherited(word))?.task.pid : undefined;
  const text = words.map((word) => shellQuote(String(numberOf(word) ?? word))).join(" ");
  return runText(shell, text, "jobs");
}

/** `kill -l`. */
async function listSignals(shell: Shell, args: string[]) {
  if (args.length === 0) await shell.print(signalList());
  return shell.forEach(args, async (given) => {
    const name = /^\d+$/.test(given) && Number(given) > 128 ? byNumber.get(Number(given) - 128) : nameOfSignal(given);
    if (!name) return `kill: ${given}: invalid signal specification`;
    await shell.print(/^\d+$/.test(given) ? `${name}\n` : `${name === "EXIT" ? 0 : SIGNALS[name]}\n`);
    return null;
  });
}

async function kill(shell: Shell, args: string[]) {
  if (args[0] === "-l" || args[0] === "-L") return listSignals(shell, args.slice(1));
  let signal = "TERM";
  let targets = args;
  const [first = ""] = args;
  if (/^-[a-zA-Z0-9]/.test(first)) {
    const separate = first === "-s" || first === "-n";
    if (separate && args[1] === undefined) throw new CommandError(`kill: ${first}: option requires an argument`);
    // `-sTERM` is `-s TERM`.
    const given = separate ? (args[1] ?? "") : first.slice(/^-[sn]./.test(first) ? 2 : 1);
    signal = nameOfSignal(given) ?? "";
    if (signal === "") throw new CommandError(`kill: ${given}: invalid signal specification`);
    targets = args.slice(separate ? 2 : 1);
  }
  if (targets[0] === "--") targets = targets.slice(1);
  if (targets.length === 0) return usage(shell, "kill");
  if (STOPPING.has(signal)) {
    throw new CommandError(
      `kill: ${signal}: a process can't be stopped and continued here; end it, and start it again later`,
    );
  }
  const status = await shell.forEach(targets, (target) => send(shell, signal, target));
  if (shell.task.killed !== null) shell.task.check();
  return status;
}

/** @returns the problem */
function send(shell: Shell, signal: string, target: string): string | null {
  const job = shell.jobs.find(target);
  if (job) {
    if (job.status === null && signal !== "EXIT") job.task.receive(signal);
    return job.status === null || target.startsWith("%") ? null : `kill: (${target}) - No such process`;
  }
  if (target.startsWith("%")) return `kill: ${target}: no such job`;
  if (!/^-?\d+$/.test(target)) return `kill: ${target}: arguments must be process or job IDs`;
  if (target === "0")
    return signalProcess(shell.host, -shell.task.group, signal) ? null : "kill: (0) - No such process";
  if (target === "1") return "kill: (1) - Operation not permitted";
  return signalProcess(shell.host, Number(target), signal) ? null : `kill: (${target}) - No such process`;
}

const missing = (command: string, spec: string) =>
  new CommandError(`${command}: ${spec === "%%" ? "current" : spec}: no such job`);

/** In a script, jobs are controlled with `set -m`. */
function requireControl(shell: Shell, command: string) {
  if (shell.isScript && !shell.options.has("monitor")) throw new CommandError(`${command}: no job control`);
}

export const jobBuiltins: Record<string, (shell: Shell, args: string[]) => Promise<number>> = {
  wait,
  jobs: list,
  kill,
  async fg(shell, [spec = "%%"]) {
    requireControl(shell, "fg");
    const job = shell.jobs.find(spec);
    if (!job) throw missing("fg", spec);
    await shell.print(`${job.text}\n`);
    return waitFor(shell, job);
  },
  // A job is never stopped here, so there is none to continue.
  async bg(shell, [spec = "%%"]) {
    requireControl(shell, "bg");
    if (!shell.jobs.find(spec)) throw missing("bg", spec);
    return 0;
  },
  async disown(shell, args) {
    const { jobs } = shell;
    const { flags, operands: specs } = parseOptions("disown", args, "ahr");
    const many = flags.has("r") ? jobs.all.filter(({ status }) => status === null) : flags.has("a") ? jobs.all : null;
    const chosen = specs.length ? specs.map((spec) => jobs.find(spec)) : (many ?? [jobs.all.at(-1)]);
    if (chosen.includes(undefined)) throw missing("disown", specs[0] ?? "%%");
    // With -h a job stays, without SIGHUP at the end, which none gets here.
    for (const job of chosen) if (job && !flags.has("h")) jobs.forget(job);
    return 0;
  },
};
