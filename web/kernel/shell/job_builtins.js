// `trap`, `wait`, `jobs`, `kill`, `fg`, `bg` and `disown`.
import { SIGNALS, byNumber, nameOfSignal } from "./signals.js";
import { list } from "./traps.js";

/**
 * @typedef {import("./builtins.js").Builtin} Builtin
 * @typedef {import("./builtins.js").Result} Result
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./jobs.js").Job} Job
 */

const NOT_FOUND = 127;

/** @param {string} stdout @param {string[]} complaints @param {number} exitCode @returns {Result} */
const answer = (stdout, complaints, exitCode) => ({
  stdout,
  stderr: complaints.map((text) => `bash: ${text}\n`).join(""),
  exitCode,
  stdoutKind: "bytes",
});

/** @type {Builtin} */
const wait = async (rewriter, args, context, shell) => {
  const { jobs } = shell;
  const any = args.includes("-n");
  const specs = args.filter((word) => !word.startsWith("-"));
  const { pending } = rewriter.traps;
  let code = 0;
  /** @type {string[]} */
  const complaints = [];
  if (any) code = await waitForNext(shell, specs);
  else {
    for (const spec of specs.length ? specs : jobs.all.map((job) => String(job.pid))) {
      const job = jobs.find(spec);
      if (job) code = await waitFor(shell, job);
      else if (jobs.codes.has(Number(spec))) code = jobs.codes.get(Number(spec)) ?? 0;
      else code = complain(spec, complaints);
      if (pending.length) break;
    }
    if (!specs.length) code = 0;
  }
  if (pending.length) code = 128 + (SIGNALS[pending[0] ?? ""] ?? 0);
  const { stdout, stderr } = jobs.fetch();
  const said = answer(stdout, complaints, code);
  jobs.all.filter((job) => !job.isRunning && !specs.length && !any).forEach((job) => jobs.forget(job));
  return { ...said, stderr: stderr + said.stderr };
};

/** @param {string} spec @param {string[]} complaints */
function complain(spec, complaints) {
  if (spec.startsWith("%")) complaints.push(`wait: ${spec}: no such job`);
  else if (/^\d+$/.test(spec)) complaints.push(`wait: pid ${spec} is not a child of this shell`);
  else complaints.push(`wait: \`${spec}': not a pid or valid job spec`);
  return /^[%\d]/.test(spec) ? NOT_FOUND : 1;
}

/** @param {Shell} shell @param {Job} job */
async function waitFor(shell, job) {
  await shell.pause(job.done);
  if (job.isRunning) return 0;
  const { stdout, stderr } = job.output;
  shell.jobs.forget(job);
  // Kept for `fetch`, which takes it from the jobs that are still listed.
  if (stdout || stderr) shell.jobs.all.push(Object.assign(Object.create(job), { output: job.output }));
  return job.exitCode ?? 0;
}

/** @param {Shell} shell @param {string[]} specs */
async function waitForNext(shell, specs) {
  const { jobs } = shell;
  const chosen = specs.length ? specs.map((spec) => jobs.find(spec)) : jobs.all;
  const candidates = chosen.filter((job) => job !== undefined);
  if (candidates.length === 0) return NOT_FOUND;
  await shell.pause(Promise.race(candidates.map((job) => job.done)));
  const ended = candidates.find((job) => !job.isRunning);
  return ended ? waitFor(shell, ended) : 0;
}

/** @param {Job} job @param {string} mark @param {boolean} withPid */
function described(job, mark, withPid) {
  const ending = job.signal ? "Terminated" : job.exitCode ? `Exit ${job.exitCode}` : "Done";
  const state = job.isRunning ? "Running" : ending;
  return `[${job.number}]${mark} ${withPid ? `${job.pid} ` : " "}${state.padEnd(24)}${job.text}${job.isRunning ? " &" : ""}\n`;
}

/** @type {Builtin} */
const jobs = async (rewriter, args, context, shell) => {
  const { all } = shell.jobs;
  const flags = args.filter((word) => word.startsWith("-")).join("");
  const chosen = all.filter((job) => (!flags.includes("r") || job.isRunning) && (!flags.includes("s") || false));
  const lines = chosen.map((job) => {
    if (flags.includes("p")) return `${job.pid}\n`;
    const mark = job === all.at(-1) ? "+" : job === all.at(-2) ? "-" : " ";
    return described(job, mark, flags.includes("l"));
  });
  for (const job of all) if (!job.isRunning) shell.jobs.forget(job);
  return answer(lines.join(""), [], 0);
};

/** @param {string[]} args @returns {Result} */
function listSignals(args) {
  if (args.length === 0) return answer(list(), [], 0);
  /** @type {string[]} */
  const complaints = [];
  const lines = args.map((given) => {
    const name = /^\d+$/.test(given) && Number(given) > 128 ? byNumber.get(Number(given) - 128) : nameOfSignal(given);
    if (!name) return complaints.push(`kill: ${given}: invalid signal specification`), "";
    if (/^\d+$/.test(given)) return `${name}\n`;
    return `${name === "EXIT" ? 0 : SIGNALS[name]}\n`;
  });
  return answer(lines.join(""), complaints, complaints.length ? 1 : 0);
}

/** @type {Builtin} */
const kill = async (rewriter, args, context, shell) => {
  if (args[0] === "-l" || args[0] === "-L") return listSignals(args.slice(1));
  let signal = "TERM";
  const [first = ""] = args;
  if (/^-[a-zA-Z0-9]/.test(first)) {
    const separate = first === "-s" || first === "-n";
    const given = separate ? (args[1] ?? "") : first.slice(1);
    const named = nameOfSignal(given);
    if (named === null) return answer("", [`kill: ${given}: invalid signal specification`], 1);
    signal = named;
    args = args.slice(separate ? 2 : 1);
  }
  if (args[0] === "--") args = args.slice(1);
  if (args.length === 0) return answer("", [USAGE], 2);
  const complaints = args.map((target) => send(rewriter, shell, signal, target)).filter((text) => text !== null);
  return answer("", complaints, complaints.length ? 1 : 0);
};
const USAGE = "kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]";

/**
 * @param {import("./rewrite.js").Rewriter} rewriter
 * @param {Shell} shell
 * @param {string} signal
 * @param {string} target
 * @returns {string | null} what is wrong
 */
function send(rewriter, shell, signal, target) {
  if (Number(target) === 1000 + shell.options.number) {
    // `$$` in a `bash -c` is the terminal's shell too.
    const { traps } = rewriter.traps.actionOf(signal) === undefined ? shell.rewriter : rewriter;
    if (signal !== "EXIT") traps.pending.push(signal);
    return null;
  }
  const job = shell.jobs.find(target);
  if (job?.isRunning) {
    if (signal !== "EXIT") job.receive(signal);
    return null;
  }
  if (target.startsWith("%")) return job ? null : `kill: ${target}: no such job`;
  return /^-?\d+$/.test(target)
    ? `kill: (${target}) - No such process`
    : `kill: ${target}: arguments must be process or job IDs`;
}

/** @type {Builtin} */
const fg = async (rewriter, [spec = "%%"], context, shell) => {
  const job = shell.jobs.find(spec);
  if (!job) return answer("", [`fg: ${spec === "%%" ? "current" : spec}: no such job`], 1);
  const code = await waitFor(shell, job);
  const { stdout, stderr } = shell.jobs.fetch();
  return { ...answer(`${job.text}\n${stdout}`, [], code), stderr };
};

/** @type {Record<string, Builtin>} */
export const jobBuiltins = {
  trap: async ({ traps }, args) => traps.builtin(args),
  wait,
  jobs,
  kill,
  fg,
  // A job is never stopped here, so there is none to continue.
  bg: async (rewriter, [spec = "%%"], context, shell) =>
    shell.jobs.find(spec) ? answer("", [], 0) : answer("", [`bg: ${spec === "%%" ? "current" : spec}: no such job`], 1),
  disown: async (rewriter, args, context, shell) => {
    const chosen = args.includes("-a") || !args.length ? [...shell.jobs.all] : args.map((spec) => shell.jobs.find(spec));
    for (const job of chosen) if (job) shell.jobs.forget(job);
    return answer("", [], 0);
  },
};
