// Keeps the scripts of a page made of files from filling the person's clipboard: no browser policy covers `execCommand`.

import { replaceCall } from "./hooks.js";

const COPYING = new Set(["copy", "cut"]);

/** Refuse what scripts copy. The person's own keys and menus copy as ever. @param {(text: string) => void} report */
export function keepClipboard(report) {
  for (const method of /** @type {const} */ (["execCommand", "queryCommandSupported", "queryCommandEnabled"])) {
    replaceCall(Document.prototype, method, (target, self, [command, ...rest]) => {
      // An object could say another name the second time.
      const name = String(command);
      if (!COPYING.has(name.toLowerCase())) return Reflect.apply(target, self, [name, ...rest]);
      if (method === "execCommand") report(`Blocked ${name}. Press Ctrl+C instead.`);
      return false;
    });
  }
}
