// The programs of the shell that are written in JavaScript. utilities.ts fills the table, since some of them run programs.

import type { Shell } from "../shell.ts";
import { tableOf } from "../../tables.ts";

/** returns the exit code, or null to leave the call to Python */
export type Utility = (shell: Shell, args: string[]) => Promise<number | null>;

export const UTILITIES: Record<string, Utility> = tableOf({});
