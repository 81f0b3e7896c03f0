// The worker of `jq` and `yq`, so that a filter without an end can be ended.
import { runJq } from "./jq.js";
import { runYq } from "./yq.js";

/** @type {Record<string, (call: any) => Promise<any>>} */
const COMMANDS = { jq: runJq, yq: runYq };

self.onmessage = async ({ data }) => {
  const { name, ...call } = data;
  self.postMessage(await COMMANDS[name]?.(call));
};
