// The machine: v86 with the options that its saved states depend on, and the console that carries the frames of
// channels.js. The build runs this module in Node, to make the first state (builder/linux/state.mjs).
import { continueAt } from "./clock.js";
import { V86 } from "v86";

const MEMORY = 192 * 1024 * 1024;
// A buffer of the guest's console driver.
const CONSOLE_BUFFER = 4096;
const CONSOLE_PORT_EVENT = 4;
// After this time without input, output and requests for files, an idle guest's timers are up to IDLE_MS late: its kernel
// has a timer every 4 ms, which would cost a tenth of a processor.
const QUIET_MS = 1000;
const IDLE_MS = 100;

// v86 compiles up to three pages of the guest's code into a module, and again when one of them changes or another path
// through them is hot. With one page a compiler of C takes half the processor time, and the first commands two thirds.
const SETTING_MAX_PAGES = 1;

// The commands FLUSH CACHE and FLUSH CACHE EXT.
const FLUSHES = [0xe7, 0xea];

/**
 * @typedef {import("./disk/disk.js").Disk} Disk
 * @typedef {(request: Uint8Array, reply: (answer: Uint8Array) => void) => void} ServeFiles answers a 9P message
 *
 * @typedef {object} Start
 * @property {string | undefined} [wasm] the address of v86's binary
 * @property {(answer: any) => any} [wasmFunction] loads it instead
 * @property {{ buffer: ArrayBuffer, clock: number }} [state] a saved machine, and `performance.now()` when it was saved
 * @property {Record<string, any>} [boot] v86's options for a cold start: BIOS, kernel, command line
 * @property {{ system: Disk, changes: Disk }} [disks]
 * @property {ServeFiles} serveFiles
 * @property {(bytes: Uint8Array) => void} receive what the guest sends on its console
 * @property {(byte: number) => void} [onSerial]
 */

export class Emulator {
  /** Bytes for the guest's console that it has no buffers for yet. @type {Uint8Array[]} */
  #unsent = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #sending;
  #active = 0;

  /** @param {Start} start */
  constructor({ wasm, wasmFunction, state, boot, disks, serveFiles, receive, onSerial }) {
    if (state) continueAt(state.clock);
    /** @type {any} v86's types are incomplete */
    const options = {
      wasm_path: wasm,
      wasm_fn: wasmFunction,
      memory_size: MEMORY,
      vga_memory_size: 2 * 1024 * 1024,
      filesystem: {
        handle9p: (/** @type {Uint8Array} */ request, /** @type {(answer: Uint8Array) => void} */ reply) =>
          serveFiles(request, this.#noting(reply)),
      },
      virtio_console: true,
      // By default it has a card, which is connected with nothing.
      net_device: { type: "none" },
      hda: disks?.system,
      hdb: disks?.changes,
      autostart: false,
      disable_keyboard: true,
      disable_mouse: true,
      disable_speaker: true,
      ...(state ? { initial_state: { buffer: state.buffer } } : boot),
    };
    /** @type {any} with its devices, which the types leave out */
    const v86 = new V86(options);
    this.v86 = v86;
    this.ready = new Promise((resolve) => v86.add_listener("emulator-ready", () => resolve(this.#prepare())));
    v86.add_listener("virtio-console0-output-bytes", this.#noting(receive));
    if (onSerial) v86.add_listener("serial0-output-byte", onSerial);
  }

  /** The device of the console. */
  get #console() {
    return this.v86.v86.cpu.devices.virtio_console;
  }

  /** The bytes of memory that it takes. */
  get memory() {
    return this.v86.v86.cpu.wasm_memory.buffer.byteLength;
  }

  #prepare() {
    this.#pace();
    this.#passFlushes();
    this.v86.v86.cpu.set_jit_config(SETTING_MAX_PAGES, 1);
    const device = this.#console;
    const send = device.SendEvent;
    // The guest would make a terminal of a console port, which changes bytes. Without this event it is a plain device.
    device.SendEvent = (/** @type {number} */ port, /** @type {number} */ event, /** @type {number} */ value) => {
      if (event !== CONSOLE_PORT_EVENT) send.call(device, port, event, value);
    };
  }

  /** Flush the disk when the guest flushes its cache; v86 only answers the command. */
  #passFlushes() {
    const drives = Object.getPrototypeOf(this.v86.v86.cpu.devices.ide.secondary.master);
    const run = drives.ata_command;
    drives.ata_command = function (/** @type {number} */ command) {
      if (FLUSHES.includes(command)) this.buffer?.flush();
      run.call(this, command);
    };
  }

  /** Call `listener`, and note that the guest is active. @param {(bytes: Uint8Array) => void} listener */
  #noting(listener) {
    return (/** @type {Uint8Array} */ bytes) => {
      this.#active = performance.now();
      listener(bytes);
    };
  }

  /** Run the guest in turns of the event loop. v86's own timers need a worker of a blob: address or cost more. */
  #pace() {
    // In Node messages would keep WebAssembly's compiler from its turns; v86's own timers don't.
    if ("setImmediate" in globalThis) return;
    const { v86 } = this.v86;
    const turns = new MessageChannel();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    turns.port1.onmessage = ({ data }) => v86.yield_callback(data);
    v86.yield = (/** @type {number} */ wait, /** @type {number} */ tick) => {
      clearTimeout(timer);
      // It waits for nothing while it calculates.
      if (wait <= 0) return turns.port2.postMessage(tick);
      const quiet = performance.now() - this.#active > QUIET_MS;
      timer = setTimeout(() => v86.yield_callback(tick), quiet ? IDLE_MS : wait);
    };
  }

  run() {
    this.#active = performance.now();
    this.v86.run();
  }

  /** @returns {Promise<{ buffer: ArrayBuffer, clock: number }>} */
  async save() {
    const clock = performance.now();
    return { buffer: await this.v86.save_state(), clock };
  }

  /** Send bytes to the guest's console. @param {Uint8Array} bytes */
  send(bytes) {
    this.#active = performance.now();
    for (let at = 0; at < bytes.length; at += CONSOLE_BUFFER) this.#unsent.push(bytes.subarray(at, at + CONSOLE_BUFFER));
    this.#sendUnsent();
  }

  /** v86 drops what the guest has no buffer for. */
  #sendUnsent() {
    const queue = this.#console.virtio.queues[0];
    while (this.#unsent.length && queue.has_request()) this.v86.bus.send("virtio-console0-input-bytes", this.#unsent.shift());
    if (!this.#unsent.length || this.#sending) return;
    this.#sending = setTimeout(() => {
      this.#sending = undefined;
      this.#sendUnsent();
    }, 1);
  }
}
