// Background jobs (Bash manual, 7.1).
import type { Shell } from "../shell.ts";
import type { Running } from "./subshells.ts";
import type { Task } from "./task.ts";

export interface Job {
  /** as in `%1` */
  number: number;
  text: string;
  task: Task;
  done: Promise<number>;
  /** null while it runs */
  status: number | null;
  /** whether `jobs` has printed it as it is */
  listed: boolean;
}

// So many that have ended are listed, and so many exit codes are remembered, until they are waited for.
const MOST_ENDED = 50;
const MOST_CODES = 1000;

export class Jobs {
  /** Those that weren't waited for. */
  all: Job[] = [];
  /** Exit codes of the others. */
  codes = new Map<number, number>();

  /** The jobs of a subshell's parent shell, which it only lists. */
  inherited: Job[] = [];

  /** A subshell has no jobs of its own at first. */
  fork() {
    const copy = new Jobs();
    copy.inherited = [...this.inherited, ...this.all];
    return copy;
  }

  add({ task, done }: Running, text: string) {
    const job: Job = {
      number: 1 + Math.max(0, ...this.all.map(({ number }) => number)),
      text,
      task,
      done,
      status: null,
      listed: false,
    };
    void done.then((status) => Object.assign(job, { status, listed: false }));
    this.all.push(job);
    for (const ended of this.all.filter(({ status }) => status !== null).slice(0, -MOST_ENDED)) this.forget(ended);
  }

  forget(job: Job) {
    this.all = this.all.filter((one) => one !== job);
    this.codes.set(job.task.pid, job.status ?? 0);
    for (const pid of this.codes.keys()) if (this.codes.size > MOST_CODES) this.codes.delete(pid);
  }

  /** The job that `%1`, `%+`, `%name` or a process id stands for. */
  find(spec: string): Job | undefined {
    return findIn(this.all, spec);
  }
  findInherited(spec: string): Job | undefined {
    return findIn(this.inherited, spec);
  }
}

function findIn(all: Job[], spec: string): Job | undefined {
  if (/^\d+$/.test(spec)) return all.find(({ task }) => task.pid === Number(spec));
  if (/^%[%+]?$/.test(spec)) return all.at(-1);
  if (spec === "%-") return all.at(-2);
  if (/^%\d+$/.test(spec)) return all.find(({ number }) => number === Number(spec.slice(1)));
  if (spec.startsWith("%?")) return all.find(({ text }) => text.includes(spec.slice(2)));
  return spec.startsWith("%") ? all.find(({ text }) => text.startsWith(spec.slice(1))) : undefined;
}

export function described({ number, text, task, status }: Job, mark: string, withPid: boolean) {
  const ending = task.killed ? "Terminated" : status ? `Exit ${status}` : "Done";
  const state = status === null ? "Running" : ending;
  return `[${number}]${mark}${withPid ? `${String(task.pid).padStart(6)} ` : "  "}${state.padEnd(24)}${text}${status === null ? " &" : ""}\n`;
}

/** Tell a user the numbers of a job that has started, as bash does. */
export async function reportStarted(shell: Shell, { task }: Running) {
  const { host, jobs } = shell;
  if (host.watched && shell.task === host.root) await shell.write(2, `[${jobs.all.at(-1)?.number}] ${task.pid}\n`);
}

/** Tell a user which jobs have ended, before the prompt. */
export async function reportEnded(shell: Shell) {
  const { all } = shell.jobs;
  const ended = all.filter(({ status }) => status !== null);
  const lines = ended.map((job) => described(job, markOf(job, all), false));
  for (const job of ended) shell.jobs.forget(job);
  if (lines.length) await shell.write(2, lines.join(""));
}

export const markOf = (job: Job, all: Job[]) => (job === all.at(-1) ? "+" : job === all.at(-2) ? "-" : " ");
