// Programs that a program of `node` starts: its node:child_process.

import type { Surroundings } from "./main.ts";
import type { Answer } from "./memory.ts";

export interface ProgramRequest {
  file: string;
  words: string[];
  cwd: string;
  env: Record<string, string>;
  stdio: ("pipe" | "inherit" | "ignore")[];
  input: Uint8Array | null;
  /** milliseconds, 0 for none */
  timeout: number;
  /** the number of the signal at the timeout */
  signal: string;
}

export interface StartRequest {
  program: string;
  words: string[];
  cwd: string;
  env: Record<string, string>;
  streams: { kind: string; number?: number; write?: (bytes: Uint8Array) => unknown }[];
}

interface RunningProgram {
  problem?: undefined;
  pid: number;
  /** of the pipes to it */
  ends: ({ push(bytes: Uint8Array): unknown; close(): void } | undefined)[];
  /** its exit code */
  done: Promise<number>;
  kill(signal: number): void;
}

export type StartedProgram = RunningProgram | { problem: "missing" | "denied" | "format" };

const TERMINATE = 15;
const REFUSALS: Record<string, string> = { missing: "ENOENT", denied: "EACCES", format: "ENOEXEC" };

export class Programs {
  start;
  running = new Set<RunningProgram>();

  constructor({ start }: Surroundings) {
    this.start = start;
  }

  /** Run a program to its end. */
  async run({ file, words, cwd, env, stdio, input, timeout }: ProgramRequest): Promise<Answer> {
    const printed: Uint8Array[][] = [[], [], []];
    const streams = stdio.map((kind, number) => {
      if (kind === "inherit") return { kind, number };
      if (kind === "ignore") return { kind: "null" };
      return number === 0
        ? { kind: "pipe" }
        : { kind: "write", write: (bytes: Uint8Array) => printed[number]?.push(bytes) };
    });
    const child = this.start({ program: file, words, cwd, env, streams });
    if (child.problem) return { value: { refused: REFUSALS[child.problem] } };
    this.running.add(child);
    let late = false;
    const timer = timeout > 0 ? setTimeout(() => ((late = true), child.kill(TERMINATE)), timeout) : undefined;
    const [stdin] = child.ends;
    if (input) stdin?.push(input);
    stdin?.close();
    const status = await child.done.finally(() => clearTimeout(timer));
    this.running.delete(child);
    const [, out = [], err = []] = printed;
    const sizes = [out, err].map((chunks) => chunks.reduce((size, { length }) => size + length, 0));
    const bytes = new Uint8Array(await new Blob([...out, ...err].map((chunk) => chunk.slice())).arrayBuffer());
    return { value: { status, late, pid: child.pid, split: sizes[0] }, bytes };
  }

  stop() {
    for (const child of this.running) child.kill(TERMINATE);
  }
}
