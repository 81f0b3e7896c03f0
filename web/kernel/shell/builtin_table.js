// The shell's own words. builtins.js fills the table: builtins run commands, and commands look for builtins.

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {(shell: Shell, args: any[]) => Promise<number> | number} Builtin returns the exit code
 */

export const KEYWORDS = new Set("if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "));

/** @type {Map<string, Builtin>} */
export const BUILTINS = new Map();
