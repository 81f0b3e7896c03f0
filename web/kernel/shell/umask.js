// `umask`: the permissions that new files don't get.
import { parseOptions } from "./builtin_options.js";

/** @typedef {{ stdout: string, stderr: string, exitCode: number }} Result */

const SHIFTS = { u: 6, g: 3, o: 0 };
/** @type {Record<string, number>} */
const BITS = { r: 4, w: 2, x: 1 };

/** @param {string} stdout @returns {Result} */
const done = (stdout) => ({ stdout, stderr: "", exitCode: 0 });
/** @param {string} complaint @returns {Result} */
const failed = (complaint) => ({ stdout: "", stderr: `bash: umask: ${complaint}\n`, exitCode: 1 });

/** @param {number} mask */
function symbolic(mask) {
  const clauses = Object.entries(SHIFTS).map(([who, shift]) => {
    const allowed = ~(mask >> shift);
    return `${who}=${Object.keys(BITS).filter((letter) => allowed & (BITS[letter] ?? 0)).join("")}`;
  });
  return clauses.join(",");
}

/** @param {string} letters after an operator @param {number} start permissions before this clause */
function bitsOf(letters, start) {
  let bits = 0;
  for (const letter of letters) {
    if (letter in SHIFTS) bits |= (start >> SHIFTS[/** @type {"u" | "g" | "o"} */ (letter)]) & 7;
    else bits |= BITS[letter] ?? 0;
  }
  return bits;
}

/** @param {number} mask @param {string} mode as in `u=rw,g-w` @returns {number | null} null when it makes no sense */
function changed(mask, mode) {
  let permissions = ~mask & 0o777;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=][rwx]*)+)$/.exec(clause);
    if (!match) return null;
    const [, who = "", operations = ""] = match;
    const shifts = who === "" || who.includes("a") ? [6, 3, 0] : [...who].map((one) => SHIFTS[/** @type {"u" | "g" | "o"} */ (one)]);
    for (const [operator = "", ...letters] of operations.match(/[-+=][rwxugo]*/g) ?? []) {
      const bits = bitsOf(letters.join(""), permissions);
      for (const shift of shifts) {
        if (operator === "=") permissions &= ~(7 << shift);
        permissions = operator === "-" ? permissions & ~(bits << shift) : permissions | (bits << shift);
      }
    }
  }
  return ~permissions & 0o777;
}

/** @param {string[]} args @param {{ umask: number }} files @returns {Result} */
export function umask(args, files) {
  const { flags: given, operands } = parseOptions("umask", args, "Sp");
  const flags = [...given];
  const [mode] = operands;
  if (mode === undefined) {
    const text = flags.includes("S") ? symbolic(files.umask) : files.umask.toString(8).padStart(4, "0");
    return done(`${flags.includes("p") ? `umask ${flags.includes("S") ? "-S " : ""}` : ""}${text}\n`);
  }
  if (/^\d/.test(mode)) {
    if (!/^0*[0-7]{1,4}$/.test(mode)) return failed(`${mode}: octal number out of range`);
    files.umask = parseInt(mode, 8) & 0o777;
  } else {
    const mask = changed(files.umask, mode);
    if (mask === null) {
      const copied = /[-+=]([ugo])/.exec(mode)?.[1];
      return failed(copied ? `\`${copied}': invalid symbolic mode character` : `\`${mode}': invalid symbolic mode operator`);
    }
    files.umask = mask;
  }
  return done(flags.includes("S") ? `${symbolic(files.umask)}\n` : "");
}
