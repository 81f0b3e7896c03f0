// Node's globals that the libraries expect when they are loaded, so this module is imported first.
import type { nextTick } from "./loop.ts";
import { install } from "./timers.ts";

/** a standard stream, or one to a program */
export interface Stream {
  isTTY?: boolean;
  on(event: string, listener: (...args: never[]) => void): this;
  write(data: string | Uint8Array): unknown;
  end(data?: unknown): void;
  resume(): void;
  listenerCount(event: string): number;
}

/** what this worker uses of it */
interface Process {
  env: Record<string, string | undefined>;
  argv: string[];
  execArgv: string[];
  version: string;
  versions: Record<string, string>;
  platform: string;
  browser: boolean;
  exitCode: number | undefined;
  stdin: Stream;
  stdout: Stream;
  stderr: Stream;
  nextTick: typeof nextTick;
  exit(code?: number): never;
  on(event: string, listener: () => void): void;
  emit(event: string, ...args: unknown[]): boolean;
  [Symbol.toStringTag]: string;
}

/** The program's `process`; main.ts completes it. */
const begun: Partial<Process> = {
  env: {},
  argv: [],
  version: "v20.20.2",
  versions: { node: "20.20.2" },
  platform: "linux",
  browser: false,
};
// It is complete before a program runs.
export const process = begun as Process;

Object.assign(globalThis, { process, global: globalThis });
install(process);
