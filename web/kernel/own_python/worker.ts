/**
 * An interpreter of an agent's own, in a worker with the kernel's script and policy. It has the kernel's files, and asks the
 * kernel for each operation on them (web/kernel/own_python/interpreter.ts).
 */

import { messageOf } from "../system_errors.ts";
import { setClock, type Change } from "../clock.ts";
import type { Pyodide } from "../pyodide.ts";
import { localServers as servers } from "../local_servers.ts";
import { describeCallerBy, useNetwork, type Network } from "../network.ts";
import { Waiting } from "../node/memory.ts";
import { askWorker, bootPython, importModule } from "../python.ts";
import { signalBuffer } from "../signals.ts";
import { bootFromCopy } from "../snapshot.ts";
import { applyUmask } from "../umask.ts";
import { KernelFiles } from "./files.ts";

interface Start {
  /** through which the kernel answers */
  answers: SharedArrayBuffer;
  /** the number of the call to stop; 0 for none */
  stop: Int32Array;
  /** held until this worker ends */
  lock: string;
  network: Network;
  /** the digest of the snapshot of Python */
  snapshot: string | null;
  /** the folders to share */
  roots: string[];
  /** the working directory */
  home: string;
  /** as JSON */
  environment: string;
  /** bytes of memory */
  most: number;
}

type Call = { id: number; request: string; input: Uint8Array | null };

/** of gemini.computer.python.own_worker */
interface OwnCalls {
  call(id: number, request: string, input: Uint8Array | undefined): Promise<string>;
  stop(id: number): void;
}

const PAGE = 1 << 16;
let python: Pyodide | null = null;
let calls: OwnCalls | null = null;

/**
 * Let WebAssembly's memory grow to a limit; beyond it Python raises MemoryError.
 * @param most - bytes
 */
function limitMemory(most: number) {
  const { prototype } = WebAssembly.Memory;
  const grow = prototype.grow;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * PAGE > most)
      throw new RangeError("the interpreter's memory is used up");
    return grow.call(this, pages);
  };
}

export async function beginOwnPython(
  { answers, stop, lock, network, snapshot, roots, home, environment, most }: Start,
  confined: Promise<void>,
) {
  // Held until this worker ends, so that the kernel detects the end.
  void navigator.locks.request(lock, () => new Promise(() => {}));
  try {
    await confined;
    useNetwork(network, null);
    limitMemory(most);
    const { pyodide, deferred } = (snapshot && (await bootFromCopy(snapshot))) || (await bootPython());
    python = pyodide;
    // Nothing waits for the first screen here, and all code that an agent runs needs them.
    await deferred.programs.load();
    pyodide._api.on_fatal = (error: unknown) => {
      self.postMessage({ dying: String(error) });
      self.close();
    };
    const waiting = new Waiting(answers, (message) => self.postMessage(message));
    const ask = (call: string, ...args: unknown[]) => waiting.ask({ call, args });
    applyUmask(pyodide.FS);
    new KernelFiles(pyodide._module, pyodide.FS, ask).mountAll(roots);
    const isStopped = () => Atomics.load(stop, 0) !== 0;
    const interrupts = {
      isRequestCancelled: (id: number) => id !== 0 && Atomics.load(stop, 0) === id,
      noteElsewhere() {},
      receive: () => false,
    };
    pyodide.registerJsModule("gemini_host", {
      askWorker,
      importModule,
      interrupts,
      servers,
      roots,
      programs: deferred.programs,
      signals: signalBuffer(isStopped),
      database: { folder: null, problem: null },
      describeCallerBy: (words: () => string) =>
        describeCallerBy(() => (pyodide._module._PyGILState_Check() ? words() : "{}")),
      setClock: (changes: Change[] | undefined, names: [string, string]) =>
        setClock(pyodide._module, changes ?? null, names),
      read: (id: number, asked: string) => {
        const { value, bytes } = ask("input", id, asked);
        return { value: value ?? undefined, bytes: bytes ?? new Uint8Array() };
      },
      // False if nobody reads it any more.
      write: (id: number, stream: number, bytes: Uint8Array) => ask("output", id, stream, bytes.slice()).value === true,
    });
    calls = pyodide
      .pyimport<{ begin(home: string, environment: string): OwnCalls }>("gemini.computer.python.own_worker")
      .begin(home, environment);
    self.postMessage({ ready: memory() });
  } catch (error) {
    self.postMessage({ dying: messageOf(error) });
    self.close();
  }
}

const memory = () => python?._module.HEAP8.length;

export async function callOwnPython({ id, request, input }: Call) {
  try {
    const answer = await calls?.call(id, request, input ?? undefined);
    self.postMessage({ done: id, answer, memory: memory() });
  } catch (error) {
    self.postMessage({ done: id, failure: messageOf(error), memory: memory() });
  }
}

/** Stop code that waits; code that runs finds the number in shared memory. */
export function stopOwnPython(id: number) {
  calls?.stop(id);
}
