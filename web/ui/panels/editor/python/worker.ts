/** The worker that checks and formats Python code with ruff. A text that ruff can't finish ends this worker, not the page. */

import start, { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-web";

let workspace: Promise<Workspace> | null = null;

async function load() {
  await start();
  // ruff's own default rules, for the Python of the page.
  return new Workspace({ "target-version": "py314" }, PositionEncoding.Utf16);
}

self.onmessage = async ({ data: { id, wanted, text } }) => {
  try {
    workspace ??= load();
    const ruff = await workspace;
    self.postMessage({ id, result: wanted === "check" ? ruff.check(text) : ruff.format(text) });
  } catch (error) {
    // A trap leaves ruff's memory in any state.
    self.postMessage({ id, error: String(error), broken: error instanceof WebAssembly.RuntimeError });
  }
};
