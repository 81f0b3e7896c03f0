/** The hosts that only work together when packages are installed: the index, its files, and Pyodide's packages. */

const PYODIDE = "https://cdn.jsdelivr.net/pyodide/";
const ORIGINS = ["https://pypi.org", "https://files.pythonhosted.org"];

export const INDEX_NAME = "Python's package index";
export const INDEX = `${INDEX_NAME} (${[...ORIGINS, PYODIDE].join(", ")})`;

/** @param url - as the owner of the network spells it */
export function isOfIndex(url: string): boolean {
  return url.startsWith(PYODIDE) || ORIGINS.some((origin) => url.startsWith(`${origin}/`));
}
