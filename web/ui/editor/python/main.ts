/** The editor's additions for Python files. */

import { completing } from "./completing.js";
import { atNames } from "./keys.js";
import { problems } from "./problems.js";
import { signature } from "./signature.js";

/** @type {import("@codemirror/state").Extension} */
export const pythonTools = [completing, signature, atNames, problems];
