/** Workers like the kernel's that can be killed, driven by harness.py. */

/** @type {Map<number, Kernel>} */
const kernels = new Map();
let lastId = 0;

class Kernel {
  /** The last transaction that the worker acknowledged. */
  acknowledged = -1;
  /** @type {Map<number, {resolve: (value: any) => void, reject: (error: any) => void}>} */
  #calls = new Map();
  /** @type {{when: (message: any) => boolean, resolve: (value?: any) => void}[]} */
  #waiting = [];
  #lastCall = 0;

  constructor() {
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => this.#received(data);
    this.worker.onerror = (event) => this.#received({ failed: event.message });
  }

  ask(command, ...parameters) {
    const id = ++this.#lastCall;
    this.worker.postMessage({ id, command, parameters });
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  until(when) {
    return new Promise((resolve) => this.#waiting.push({ when, resolve }));
  }

  #received(message) {
    if (message.acknowledged !== undefined) this.acknowledged = message.acknowledged;
    const call = this.#calls.get(message.id);
    if (call && message.error) call.reject(message.error);
    else if (call) call.resolve(message.result);
    this.#waiting = this.#waiting.filter((one) => {
      const now = one.when(message);
      if (now) one.resolve(message);
      return !now;
    });
  }
}

const harness = {
  spawn() {
    kernels.set(++lastId, new Kernel());
    return lastId;
  },

  ask: (id, command, ...parameters) => kernels.get(id).ask(command, ...parameters),

  terminate(id) {
    const kernel = kernels.get(id);
    kernel.worker.terminate();
    kernels.delete(id);
    return kernel.acknowledged;
  },

  /** Start a command, and kill the worker `ms` after it acknowledged a transaction. */
  async killDuring(id, transaction, ms, command, ...parameters) {
    const kernel = kernels.get(id);
    const reached = kernel.until(({ acknowledged, id }) => acknowledged >= transaction || id !== undefined);
    kernel.ask(command, ...parameters).catch(() => undefined);
    if (kernel.acknowledged < transaction) await reached;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return harness.terminate(id);
  },

  /** Start a command, and kill the worker when it stops inside a storage operation. */
  async killWhenStopped(id, command, ...parameters) {
    const kernel = kernels.get(id);
    const end = kernel.until((message) => message.stopped || message.id !== undefined || message.failed);
    kernel.ask(command, ...parameters).catch(() => undefined);
    const message = await end;
    return { acknowledged: harness.terminate(id), stopped: message.stopped ?? null };
  },

  /** Return the reason why the main thread can't open durable files. */
  async openInPage() {
    const { openDurableFiles } = await import("./modules/kernel/durable/files.js");
    return openDurableFiles({}, { roots: [] }).then(() => null, (error) => error.reason);
  },

  /** Return the names and sizes of the files in a journal's directory. */
  async list(name) {
    const root = await navigator.storage.getDirectory();
    const sizes = {};
    for await (const [file, handle] of (await root.getDirectoryHandle(name)).entries()) {
      sizes[file] = (await handle.getFile()).size;
    }
    return sizes;
  },

  /** Return a file of a journal's directory in base64. */
  async read(name, file) {
    const root = await navigator.storage.getDirectory();
    const handle = await (await root.getDirectoryHandle(name)).getFileHandle(file);
    return new Uint8Array(await (await handle.getFile()).arrayBuffer()).toBase64();
  },

  async write(name, file, base64) {
    const root = await navigator.storage.getDirectory();
    const directory = await root.getDirectoryHandle(name, { create: true });
    const stream = await (await directory.getFileHandle(file, { create: true })).createWritable();
    await stream.write(Uint8Array.fromBase64(base64));
    await stream.close();
  },
};

/** Call a method for the driver, and return its value or error in a serializable form. */
globalThis.harness = async (method, ...parameters) => {
  try {
    return { value: (await harness[method](...parameters)) ?? null };
  } catch (error) {
    const { name, message, reason, unsaved, count } = error;
    return { error: { name, message, reason, unsaved, count } };
  }
};
