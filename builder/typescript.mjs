// Lets Node.js 20 import modules of web/, by `node --import …/typescript.mjs`: esbuild removes their types.
import { register } from "node:module";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const HOOKS = "?hooks";

// Node.js loads this file again for its hooks, in a thread of theirs.
if (!import.meta.url.endsWith(HOOKS)) register(`${import.meta.url}${HOOKS}`);

/** https://nodejs.org/api/module.html#loadurl-context-nextload */
export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const { transform } = await import("../web/node_modules/esbuild/lib/main.js");
  const { code } = await transform(await readFile(fileURLToPath(url), "utf8"), { loader: "ts", target: "es2022" });
  return { format: "module", source: code, shortCircuit: true };
}
