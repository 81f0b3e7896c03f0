/** Pyodide with durable files, driven by page.js. */

import { loadPyodide } from "./pyodide/pyodide.mjs";
import { openDurableFiles } from "./modules/kernel/durable/files.js";

const booted = boot();
let durable = null;

async function boot() {
  const started = performance.now();
  const pyodide = await loadPyodide();
  const ms = performance.now() - started;
  const operations = await fetch(new URL("operations.py", import.meta.url));
  pyodide.runPython(await operations.text());
  return { pyodide, ms };
}

const commands = {
  boot: async () => ({ ms: (await booted).ms }),

  async open(options) {
    const { pyodide } = await booted;
    durable = await openDurableFiles(pyodide.FS, options);
    return durable.report;
  },

  close: () => durable.close(),

  commit: () => durable.commit(),

  changed: () => durable.changed,

  /** Run code, and return the value of its last expression in a form that JSON can represent. */
  async python(source) {
    const { pyodide } = await booted;
    const value = pyodide.runPython(source);
    return value?.toJs ? value.toJs({ dict_converter: Object.fromEntries }) : value;
  },

  async javascript(source, parameter) {
    const { pyodide } = await booted;
    const run = new Function("pyodide", "FS", "durable", "parameter", `return (async () => { ${source} })()`);
    return run(pyodide, pyodide.FS, durable, parameter);
  },

  /** Apply and commit numbered transactions, and acknowledge each. */
  async play(transactions, first) {
    const { pyodide } = await booted;
    const apply = pyodide.globals.get("apply");
    transactions.forEach((operations, i) => {
      apply(JSON.stringify(operations));
      durable.commit();
      postMessage({ acknowledged: first + i });
    });
  },

  /** Make the nth call of a storage method stop before, within or after its work. */
  stopAt(method, nth, point) {
    let count = 0;
    const prototype = FileSystemSyncAccessHandle.prototype;
    const original = prototype[method];
    prototype[method] = function stopping(...parameters) {
      count += 1;
      if (count !== nth) return original.apply(this, parameters);
      const [bytes, options] = parameters;
      if (point === "within") original.call(this, bytes.subarray(0, bytes.length >> 1), options);
      if (point === "after") original.apply(this, parameters);
      postMessage({ stopped: `${point} ${method}` });
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
  },
};

onmessage = async ({ data: { id, command, parameters } }) => {
  try {
    postMessage({ id, result: await commands[command](...parameters) });
  } catch (error) {
    const { name, message, reason, unsaved, count } = error;
    postMessage({ id, error: { name, message, reason, unsaved, count } });
  }
};
