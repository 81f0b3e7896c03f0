// Starts the surface in a Pyodide under Node, and prints what a terminal prints: node start_in_node.mjs <folder>
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const pyodide = await loadPyodide();
await pyodide.loadPackage("control-surface", { messageCallback() {} });
const printed = await pyodide.runPythonAsync(`
import gemini
await gemini.start()
terminal = gemini.create_terminal()
result = await terminal.execute("cd /project && python report.py | head -n 1; echo $((6 * 7)); jq -n '[1]' -c")
result.output
`);
console.log(printed);
process.exit();
