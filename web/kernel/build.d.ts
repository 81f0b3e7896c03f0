/** Where Python's runtime is, seen from the bundle; the build fills it in. */
declare const PYODIDE_FOLDER: string;
