// The programs of the shell that are written in JavaScript. utilities.js fills the table, since some of them run programs.

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {(shell: Shell, args: string[]) => Promise<number | null>} Utility returns the exit code, or null to leave the call to Python
 */

/** @type {Record<string, Utility>} */
export const UTILITIES = {};
