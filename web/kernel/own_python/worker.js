/**
 * An interpreter of an agent's own, in a worker with the kernel's script and policy. It has the kernel's files, and asks the
 * kernel for each operation on them (web/kernel/own_python/interpreter.js).
 *
 * @typedef {object} Start
 * @property {SharedArrayBuffer} answers through which the kernel answers
 * @property {Int32Array} stop the number of the call to stop; 0 for none
 * @property {string} lock held until this worker ends
 * @property {import("../network.js").Network} network
 * @property {string | null} snapshot the digest of the snapshot of Python
 * @property {string[]} roots the folders to share
 * @property {string} home the working directory
 * @property {string} environment as JSON
 * @property {number} most bytes of memory
 *
 * @typedef {{ id: number, request: string, input: Uint8Array | null }} Call
 */

import { setClock } from "../clock.js";
import { localServers as servers } from "../local_servers.js";
import { describeCallerBy, useNetwork } from "../network.js";
import { Waiting } from "../node/memory.js";
import { askWorker, bootPython, importModule } from "../python.js";
import { signalBuffer } from "../signals.js";
import { bootFromCopy } from "../snapshot.js";
import { applyUmask } from "../umask.js";
import { KernelFiles } from "./files.js";

const PAGE = 1 << 16;
/** @type {any} */
let python = null;
/** @type {any} */
let calls = null;

/** Let WebAssembly's memory grow to a limit; beyond it Python raises MemoryError. @param {number} most bytes */
function limitMemory(most) {
  const { prototype } = WebAssembly.Memory;
  const grow = prototype.grow;
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + Number(pages) * PAGE > most) throw new RangeError("the interpreter's memory is used up");
    return grow.call(this, pages);
  };
}

/** @param {Start} start @param {Promise<void>} confined */
export async function beginOwnPython({ answers, stop, lock, network, snapshot, roots, home, environment, most }, confined) {
  // Held until this worker ends, so that the kernel detects the end.
  void navigator.locks.request(lock, () => new Promise(() => {}));
  try {
    await confined;
    useNetwork(network, null);
    limitMemory(most);
    const { pyodide, deferred } = (snapshot && (await bootFromCopy(snapshot))) || (await bootPython());
    python = pyodide;
    pyodide._api.on_fatal = (/** @type {unknown} */ error) => {
      self.postMessage({ dying: String(error) });
      self.close();
    };
    const waiting = new Waiting(answers, (message) => self.postMessage(message));
    const ask = (/** @type {string} */ call, /** @type {any[]} */ ...args) => waiting.ask({ call, args });
    applyUmask(pyodide.FS);
    new KernelFiles(pyodide._module, pyodide.FS, ask).mountAll(roots);
    const isStopped = () => Atomics.load(stop, 0) !== 0;
    const interrupts = { isRequestCancelled: (/** @type {number} */ id) => id !== 0 && Atomics.load(stop, 0) === id, noteElsewhere() {}, receive: () => false };
    pyodide.registerJsModule("gemini_host", {
      askWorker, importModule, interrupts, servers, roots, programs: deferred.programs, signals: signalBuffer(isStopped),
      database: { folder: null, problem: null },
      describeCallerBy: (/** @type {() => string} */ words) => describeCallerBy(() => (pyodide._module._PyGILState_Check() ? words() : "{}")),
      setClock: (/** @type {any} */ changes, /** @type {any} */ names) => setClock(pyodide._module, changes ?? null, names),
      read: (/** @type {number} */ id, /** @type {string} */ asked) => {
        const { value, bytes } = ask("input", id, asked);
        return { value: value ?? undefined, bytes: bytes ?? new Uint8Array() };
      },
      // False if nobody reads it any more.
      write: (/** @type {number} */ id, /** @type {number} */ stream, /** @type {any} */ bytes) => ask("output", id, stream, bytes.slice()).value === true,
    });
    calls = pyodide.pyimport("gemini.python.own_worker").begin(home, environment);
    self.postMessage({ ready: memory() });
  } catch (error) {
    self.postMessage({ dying: String(/** @type {any} */ (error)?.message ?? error) });
    self.close();
  }
}

const memory = () => python._module.HEAP8.length;

/** @param {Call} call */
export async function callOwnPython({ id, request, input }) {
  try {
    const answer = await calls.call(id, request, input ?? undefined);
    self.postMessage({ done: id, answer, memory: memory() });
  } catch (error) {
    self.postMessage({ done: id, failure: String(/** @type {any} */ (error)?.message ?? error), memory: memory() });
  }
}

/** Stop code that waits; code that runs finds the number in shared memory. @param {number} id */
export function stopOwnPython(id) {
  calls?.stop(id);
}
