// The machine: v86 with the options that its saved states depend on, and the console that carries the frames of
// channel.ts. The build runs this module in Node, to make the first state (builder/linux/state.mjs).
import { continueAt } from "./clock.ts";
import { V86 } from "v86";
import type { Disk } from "./disk/disk.ts";

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

/** answers a 9P message */
type ServeFiles = (request: Uint8Array, reply: (answer: Uint8Array) => void) => void;

interface Start {
  /** the address of v86's binary */
  wasm?: string | undefined;
  /** loads it instead */
  wasmFunction?: (imports: WebAssembly.Imports) => Promise<WebAssembly.Exports>;
  /** a saved machine, and `performance.now()` when it was saved */
  state?: { buffer: ArrayBuffer; clock: number };
  /** v86's options for a cold start: BIOS, kernel, command line */
  boot?: object;
  disks?: { system: Disk; changes: Disk };
  serveFiles: ServeFiles;
  /** receives the guest's console output */
  receive: (bytes: Uint8Array) => void;
  onSerial?: (byte: number) => void;
}

export class Emulator {
  /** Bytes for the guest's console that it has no buffers for yet. */
  #unsent: Uint8Array[] = [];
  #sending: ReturnType<typeof setTimeout> | undefined;
  #active = 0;
  // biome-ignore lint/suspicious/noExplicitAny: v86 has types for its API only, and the devices are behind it.
  v86: any;
  ready;

  constructor({ wasm, wasmFunction, state, boot, disks, serveFiles, receive, onSerial }: Start) {
    if (state) continueAt(state.clock);
    const options = {
      wasm_path: wasm,
      wasm_fn: wasmFunction,
      memory_size: MEMORY,
      vga_memory_size: 2 * 1024 * 1024,
      filesystem: {
        handle9p: (request: Uint8Array, reply: (answer: Uint8Array) => void) =>
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
    // Its types leave out some options and the devices.
    this.v86 = Reflect.construct(V86, [options]);
    const { v86 } = this;
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
    device.SendEvent = (port: number, event: number, value: number) => {
      if (event !== CONSOLE_PORT_EVENT) send.call(device, port, event, value);
    };
  }

  /** Flush the disk when the guest flushes its cache; v86 only answers the command. */
  #passFlushes() {
    const drives = Object.getPrototypeOf(this.v86.v86.cpu.devices.ide.secondary.master);
    const run = drives.ata_command;
    drives.ata_command = function (command: number) {
      if (FLUSHES.includes(command)) this.buffer?.flush();
      run.call(this, command);
    };
  }

  /** Call `listener`, and note that the guest is active. */
  #noting(listener: (bytes: Uint8Array) => void) {
    return (bytes: Uint8Array) => {
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    turns.port1.onmessage = ({ data }) => v86.yield_callback(data);
    v86.yield = (wait: number, tick: number) => {
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

  async save(): Promise<{ buffer: ArrayBuffer; clock: number }> {
    const clock = performance.now();
    return { buffer: await this.v86.save_state(), clock };
  }

  /** Send bytes to the guest's console. */
  send(bytes: Uint8Array) {
    this.#active = performance.now();
    for (let at = 0; at < bytes.length; at += CONSOLE_BUFFER)
      this.#unsent.push(bytes.subarray(at, at + CONSOLE_BUFFER));
    this.#sendUnsent();
  }

  /** v86 drops bytes for which the guest has no buffer. */
  #sendUnsent() {
    const queue = this.#console.virtio.queues[0];
    while (this.#unsent.length && queue.has_request())
      this.v86.bus.send("virtio-console0-input-bytes", this.#unsent.shift());
    if (!this.#unsent.length || this.#sending) return;
    this.#sending = setTimeout(() => {
      this.#sending = undefined;
      this.#sendUnsent();
    }, 1);
  }
}
