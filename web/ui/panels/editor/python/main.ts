/** The editor's additions for Python files. */

import type { Extension } from "@codemirror/state";
import { completing } from "./completing.ts";
import { atNames } from "./keys.ts";
import { problems } from "./problems.ts";
import { signature } from "./signature.ts";

export const pythonTools: Extension = [completing, signature, atNames, problems];
