// `stat -c`: what the filesystem knows of a file or, as GNU's does without `-L`, of a link itself.
import { parseOptions } from "./options.js";
import { shellQuote } from "./quoting.js";

/** @typedef {import("./shell.js").Shell} Shell */

const TYPE_MASK = 0o170000;
/** @type {Record<number, [string, string]>} */
const TYPES = {
  0o100000: ["-", "regular file"],
  0o040000: ["d", "directory"],
  0o120000: ["l", "symbolic link"],
  0o020000: ["c", "character special file"],
  0o010000: ["p", "fifo"],
};

/** @param {number} mode @returns {string} as `ls -l` writes it */
function modeText(mode) {
  const bits = [...(mode & 0o777).toString(2).padStart(9, "0")].map((bit, at) => (bit === "1" ? "rwx".charAt(at % 3) : "-"));
  return (TYPES[mode & TYPE_MASK]?.[0] ?? "?") + bits.join("");
}

/** @param {Date} time */
const timeText = (time) => `${time.toISOString().replace("T", " ").replace("Z", "")}000000 +0000`;

/** @param {string} path @param {any} stat @param {string | null} target of a link @returns {Record<string, string>} by the letters of a format */
function valuesOf(path, stat, target) {
  const { mode, size, mtime, atime, ctime } = stat;
  const seconds = (/** @type {Date} */ time) => String(Math.floor(Number(time) / 1000));
  const type = TYPES[mode & TYPE_MASK]?.[1] ?? "weird file";
  return {
    n: path,
    N: shellQuote(path) + (target === null ? "" : ` -> ${shellQuote(target)}`),
    s: String(target === null ? size : target.length),
    F: type === "regular file" && size === 0 ? "regular empty file" : type,
    a: (mode & 0o7777).toString(8),
    A: modeText(mode),
    f: mode.toString(16),
    u: "1000",
    g: "1000",
    U: "user",
    G: "user",
    h: "1",
    i: String(stat.ino),
    d: String(stat.dev),
    b: String(Math.ceil(size / 512)),
    B: "512",
    o: "4096",
    X: seconds(atime),
    Y: seconds(mtime),
    Z: seconds(ctime),
    x: timeText(atime),
    y: timeText(mtime),
    z: timeText(ctime),
    "%": "%",
  };
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number | null>} null for a call without a format, which is just-bash's */
export async function stat(shell, args) {
  const words = args.map((word) => word.replace(/^--format=/, "-c").replace(/^--dereference$/, "-L"));
  if (words.some((word) => word.startsWith("--"))) return null;
  const { flags, values, operands } = parseOptions("stat", words, "c:Lft");
  const format = values.c;
  if (format === undefined || flags.has("f") || flags.has("t")) return null;
  const { FS } = shell.files;
  let status = 0;
  for (const path of operands) {
    const place = shell.files.place(shell.files.resolvePath(shell.cwd, path));
    if (!shell.files.linkExists(place) || (flags.has("L") && !FS.analyzePath(place).exists)) {
      await shell.write(2, `stat: cannot statx '${path}': No such file or directory\n`);
      status = 1;
      continue;
    }
    const found = flags.has("L") ? FS.stat(place) : FS.lstat(place);
    const known = valuesOf(path, found, FS.isLink(found.mode) ? FS.readlink(place) : null);
    await shell.print(`${format.replace(/%([a-zA-Z%])/g, (whole, letter) => known[letter] ?? whole)}\n`);
  }
  return status;
}
