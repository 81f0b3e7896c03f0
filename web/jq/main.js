// The worker of `jq` and `yq`, so that a filter without an end can be ended.
import { setZone } from "../kernel/clock.js";
import { runJq } from "./jq.js";
import { runYq } from "./yq.js";

/** @type {Record<string, (call: any) => Promise<any>>} */
const COMMANDS = { jq: runJq, yq: runYq };

// jq's own exit code for errors of the system.
const FAILED = 2;

self.onmessage = async ({ data }) => {
  const { name, zone, ...call } = data;
  setZone(zone ?? null);
  try {
    self.postMessage(await COMMANDS[name]?.(call));
  } catch (error) {
    // Of the memory or the stack of WebAssembly, or of a path that is no file.
    const text = `${name}: ${error instanceof Error ? error.message : "a file that is named can't be passed on"}\n`;
    self.postMessage({ exitCode: FAILED, stdout: new Uint8Array(), stderr: new TextEncoder().encode(text) });
  }
};
