// Keeps the scripts of a page made of files from filling the person's clipboard: no browser policy covers `execCommand`.

import { replaceCall } from "./hooks.js";

const COPYING = new Set(["copy", "cut"]);

/** Refuse what scripts copy. The person's own keys and menus copy as ever. @param {(text: string) => void} report */
export function keepClipboard(report) {
  replaceCall(Document.prototype, "execCommand", (target, self, [command, ...rest]) => {
    // An object could say another name the second time.
    const name = String(command);
    if (!COPYING.has(name.toLowerCase())) return Reflect.apply(target, self, [name, ...rest]);
    report(`Blocked ${name}: a page made of files may not fill the clipboard. Select the text and press Ctrl+C.`);
    return false;
  });
  for (const asked of ["queryCommandSupported", "queryCommandEnabled"]) {
    replaceCall(Document.prototype, asked, (target, self, [command]) => {
      const name = String(command);
      return !COPYING.has(name.toLowerCase()) && Reflect.apply(target, self, [name]);
    });
  }
}
