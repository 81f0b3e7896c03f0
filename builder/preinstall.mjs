// Runs `main` of a Python program in the shipped Pyodide: `node preinstall.mjs PYODIDE PROGRAM FOLDER`.
// The folder is mounted at /work.
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [runtime, program, folder] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(runtime, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: runtime });
pyodide.FS.mkdir("/work");
pyodide.mountNodeFS("/work", folder);
pyodide.runPython(await readFile(program, "utf-8"), { filename: program });
await pyodide.globals.get("main")();
