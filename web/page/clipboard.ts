// Keeps the scripts of a page made of files from filling the user's clipboard: no browser policy covers `execCommand`.

import { replaceCall } from "./hooks.ts";

const COPYING = new Set(["copy", "cut"]);

/** Refuse what scripts copy. The user's own keys and menus copy as ever. */
export function keepClipboard(report: (text: string) => void) {
  for (const method of ["execCommand", "queryCommandSupported", "queryCommandEnabled"] as const) {
    replaceCall(Document.prototype, method, (target, self, [command, ...rest]) => {
      // An object could say another name the second time.
      const name = String(command);
      if (!COPYING.has(name.toLowerCase())) return Reflect.apply(target, self, [name, ...rest]);
      if (method === "execCommand") report(`Blocked ${name}. Press Ctrl+C instead.`);
      return false;
    });
  }
}
