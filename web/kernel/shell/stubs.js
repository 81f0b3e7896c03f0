// The files in /bin and /usr/bin that stand for programs, which scripts look for.
import { programNames } from "./programs.js";

/** @typedef {import("./host.js").Host} Host */

const FOLDERS = ["/bin", "/usr/bin"];
/** Filesystems that have these files. @type {WeakSet<object>} */
const furnished = new WeakSet();

/** Write the files that a filesystem lacks. @param {Host} host */
export function furnish(host) {
  const { FS } = host.files;
  if (furnished.has(FS)) return;
  furnished.add(FS);
  for (const folder of FOLDERS) {
    FS.mkdirTree(folder);
    for (const name of programNames(host)) writeStub(FS, `${folder}/${name}`, name);
  }
}

/** @param {any} FS @param {string} path @param {string} name */
function writeStub(FS, path, name) {
  if (FS.analyzePath(path).exists) return;
  FS.writeFile(path, `#!/bin/bash\n# Built into the shell: ${name}\n`);
  FS.chmod(path, 0o755);
}
