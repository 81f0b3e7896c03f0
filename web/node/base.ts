// What the libraries expect of Node's globals when they are loaded, so this module is imported first.
import { install } from "./timers.ts";

/** The program's `process`; main.ts completes it. */
export const process: any = {
  env: {},
  argv: [],
  version: "v20.20.2",
  versions: { node: "20.20.2" },
  platform: "linux",
  browser: false,
};

Object.assign(globalThis, { process, global: globalThis });
install(process);
