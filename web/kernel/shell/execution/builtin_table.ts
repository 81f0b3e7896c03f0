// The shell's own words. builtins.ts fills the table: builtins run commands, and commands look for builtins.

import type { Assignment } from "../language/assignments.ts";
import type { Shell } from "../shell.ts";

/** an argument; `declare` and its like get assignments, too */
export type Field = string | Assignment;

/** returns the exit code */
export type Builtin = (shell: Shell, args: string[]) => Promise<number> | number;

export const KEYWORDS = new Set(
  "if then else elif fi case esac for select while until do done in function time { } ! [[ ]] coproc".split(" "),
);

/** The builtins whose arguments are assignments. */
export const DECLARERS = new Set(["declare", "typeset", "local", "export", "readonly"]);

export const BUILTINS = new Map<string, Builtin>();
