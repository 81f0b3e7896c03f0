// The worker of `jq` and `yq`, so that a filter without an end can be ended.
import { setZone } from "../kernel/clock.ts";
import { runJq, type Call, type Result } from "./jq.ts";
import { runYq } from "./yq.ts";

const COMMANDS: Record<string, (call: Call) => Promise<Result>> = { jq: runJq, yq: runYq };

// jq's own exit code for errors of the system.
const FAILED = 2;

/**
 * Run a command.
 * @param request - its name and its call
 * @returns its result
 */
export async function answer({ name, ...call }: Call & { name: string }): Promise<Result | undefined> {
  try {
    return await COMMANDS[name]?.(call);
  } catch (error) {
    // Of the memory or the stack of WebAssembly, or of a path that is no file.
    const text = `${name}: ${error instanceof Error ? error.message : "a file that is named can't be passed on"}\n`;
    return { exitCode: FAILED, stdout: new Uint8Array(), stderr: new TextEncoder().encode(text) };
  }
}

// The shell imports the module where it has no worker of that name.
if (globalThis.name === "jq") {
  self.onmessage = async ({ data: request }) => {
    setZone(request.zone ?? null);
    self.postMessage(await answer(request));
  };
}
