/** The folder of Python's runtime, relative to the bundle. The build inserts it. */
declare const PYODIDE_FOLDER: string;
