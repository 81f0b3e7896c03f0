// Pyodide stands beside the bundle at run time; its types come from the npm package.
export { loadPyodide } from "pyodide";
