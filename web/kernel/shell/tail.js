// `tail -f`, and `tail -n +N` in streams. The other forms are Python's (py/gemini_userland/tail.py).
import { CommandError } from "./control.js";
import { openPath } from "./redirections.js";
import { eachFile } from "./utilities.js";

/**
 * @typedef {import("./shell.js").Shell} Shell
 * @typedef {import("./open_files.js").OpenFile} OpenFile
 *
 * @typedef {object} TailOptions
 * @property {string} sign `+` counts from the beginning
 * @property {number} count
 * @property {boolean} bytes whether bytes are counted instead of lines
 * @property {"" | "descriptor" | "name"} follows whether what is appended is printed, also if the file is replaced (`name`)
 * @property {number} interval in milliseconds
 * @property {string[]} paths
 */

const CHUNK = 1 << 16;
const NEWLINE = 10;

/** @param {string[]} args @returns {TailOptions | null} null for options that are Python's */
function parse(args) {
  /** @type {TailOptions} */
  const options = { sign: "", count: 10, bytes: false, follows: "", interval: 500, paths: [] };
  const setCount = (/** @type {string} */ text, /** @type {boolean} */ bytes) => {
    const number = /^([-+]?)(\d+)$/.exec(text);
    if (number) Object.assign(options, { sign: number[1], count: Number(number[2]), bytes });
    return number !== null;
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    const old = at === 0 && args.length <= 2 ? /^([-+])(\d+)(f?)$/.exec(word) : null;
    const [, flags, letter, text = ""] = /^-([fFq]*)([ncs]?)(.*)$/s.exec(word) ?? [];
    const [, name, value] = /^--(lines|bytes|follow|sleep-interval)(?:=(.*))?$/s.exec(word) ?? [];
    if (old) {
      setCount(`${old[1] === "+" ? "+" : ""}${old[2]}`, false);
      if (old[3]) options.follows = "descriptor";
    } else if (word === "--") {
      options.paths.push(...args.slice(at + 1));
      break;
    } else if (name === "follow") options.follows = value === "name" ? "name" : "descriptor";
    else if (name === "sleep-interval") options.interval = Number(value ?? args[++at]) * 1000;
    else if (name) {
      if (!setCount(value ?? args[++at] ?? "", name === "bytes")) return null;
    } else if (word === "-" || !word.startsWith("-")) options.paths.push(word);
    else if (flags === undefined || (!letter && text)) return null;
    else {
      if (/f/i.test(flags)) options.follows = flags.includes("F") ? "name" : "descriptor";
      const given = letter ? text || (args[++at] ?? "") : "";
      if (letter === "s") options.interval = Number(given) * 1000;
      else if (letter && !setCount(given, letter === "c")) return null;
    }
  }
  return Number.isFinite(options.interval) ? options : null;
}

/** @param {Shell} shell @param {string[]} args @returns {Promise<number | null>} null to leave the call to Python */
export async function tail(shell, args) {
  const options = parse(args);
  if (!options || options.paths.length > 1) return null;
  const [path = "-"] = options.paths;
  if (options.follows && path !== "-") return follow(shell, path, options);
  if (options.sign !== "+") return null;
  return eachFile(shell, "tail", options.paths, (file) => skip(shell, file, Math.max(0, options.count - 1), options.bytes));
}

/** Print what follows so many lines or bytes. @param {Shell} shell @param {OpenFile} file @param {number} left @param {boolean} bytes */
async function skip(shell, file, left, bytes) {
  for (;;) {
    if (file.isEndless) shell.descriptors.get(1).markEndless();
    const chunk = await file.read(CHUNK, shell.task);
    if (chunk.length === 0) return;
    let start = 0;
    if (bytes) {
      start = Math.min(left, chunk.length);
      left -= start;
    }
    for (; !bytes && left > 0 && start < chunk.length; left--) {
      const at = chunk.indexOf(NEWLINE, start);
      start = at < 0 ? chunk.length : at + 1;
      if (at < 0) break;
    }
    await shell.write(1, chunk.subarray(start));
    await shell.host.breathe(shell.task);
  }
}

/** The part of a file that `tail` prints first. @param {Uint8Array} data @param {TailOptions} options */
function lastPart(data, { sign, count, bytes }) {
  if (bytes) return data.subarray(sign === "+" ? Math.max(0, count - 1) : Math.max(0, data.length - count));
  if (sign === "+") {
    let start = 0;
    for (let left = count - 1; left > 0 && start < data.length; left--) start = data.indexOf(NEWLINE, start) + 1 || data.length;
    return data.subarray(start);
  }
  if (count === 0) return data.subarray(data.length);
  let start = data.length;
  for (let left = count + (data.at(-1) === NEWLINE ? 1 : 0); left > 0 && start > 0; left--) start = data.lastIndexOf(NEWLINE, start - 1);
  return data.subarray(start < 0 ? 0 : start + 1);
}

/**
 * Print the end of a file and then what is appended, until a signal comes.
 * @param {Shell} shell @param {string} path @param {TailOptions} options
 * @returns {Promise<number>}
 */
async function follow(shell, path, options) {
  const { FS } = shell.files;
  const whole = shell.files.resolvePath(shell.cwd, path);
  const find = () => (FS.analyzePath(whole).exists && !FS.isDir(FS.stat(whole).mode) ? openPath(shell, path, "<").retain() : null);
  let file = find();
  if (file === null) {
    const problem = FS.analyzePath(whole).exists ? `error reading '${path}': Is a directory` : `cannot open '${path}' for reading: No such file or directory`;
    if (options.follows === "descriptor") throw new CommandError(`tail: ${problem}`);
    await shell.write(2, `tail: ${problem}\n`);
  }
  shell.descriptors.get(1).markEndless();
  let node = file ? FS.lookupPath(whole, { follow: true }).node : null;
  let seen = 0;
  try {
    if (file) {
      const data = await file.readAll(shell.task);
      seen = data.length;
      await shell.write(1, lastPart(data, options));
    }
    for (;;) {
      await shell.task.sleep(options.interval);
      const present = FS.analyzePath(whole).exists ? FS.lookupPath(whole, { follow: true }).node : null;
      if (options.follows === "name" && present && present !== node) {
        await shell.write(2, `tail: '${path}' has ${node ? "been replaced" : "appeared"};  following new file\n`);
        file?.release();
        [file, node, seen] = [find(), present, 0];
      }
      if (!file) continue;
      if (node === present && FS.stat(whole).size < seen) {
        await shell.write(2, `tail: ${path}: file truncated\n`);
        file.release();
        [file, seen] = [openPath(shell, path, "<").retain(), 0];
      }
      const data = await file.readAll(shell.task);
      seen += data.length;
      await shell.write(1, data);
    }
  } finally {
    file?.release();
  }
}
