// `umask`: the permissions that new files don't get.
import { parseOptions } from "./builtin_options.ts";
import type { Shell } from "../shell.ts";

const SHIFTS = { u: 6, g: 3, o: 0 };
const BITS: Record<string, number> = { r: 4, w: 2, x: 1 };

async function fail(shell: Shell, complaint: string) {
  await shell.write(2, `bash: umask: ${complaint}\n`);
  return 1;
}

function symbolic(mask: number) {
  const clauses = Object.entries(SHIFTS).map(([who, shift]) => {
    const allowed = ~(mask >> shift);
    return `${who}=${Object.keys(BITS)
      .filter((letter) => allowed & (BITS[letter] ?? 0))
      .join("")}`;
  });
  return clauses.join(",");
}

/**
 * @param letters - after an operator
 * @param start - permissions before this clause
 */
function bitsOf(letters: string, start: number) {
  let bits = 0;
  for (const letter of letters) {
    // `in` doesn't narrow a text.
    if (letter in SHIFTS) bits |= (start >> SHIFTS[letter as "u" | "g" | "o"]) & 7;
    else bits |= BITS[letter] ?? 0;
  }
  return bits;
}

/**
 * @param mode - as in `u=rw,g-w`
 * @returns null when it makes no sense
 */
function changed(mask: number, mode: string): number | null {
  let permissions = ~mask & 0o777;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=][rwx]*)+)$/.exec(clause);
    if (!match) return null;
    const [, who = "", operations = ""] = match;
    // The expression lets no other letters pass.
    const shifts = who === "" || who.includes("a") ? [6, 3, 0] : [...who].map((one) => SHIFTS[one as "u" | "g" | "o"]);
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

export async function umask(shell: Shell, args: string[]): Promise<number> {
  const { flags, operands } = parseOptions("umask", args, "Sp");
  const [mode] = operands;
  if (mode === undefined) {
    const text = flags.has("S") ? symbolic(shell.umask) : shell.umask.toString(8).padStart(4, "0");
    await shell.print(`${flags.has("p") ? `umask ${flags.has("S") ? "-S " : ""}` : ""}${text}\n`);
    return 0;
  }
  if (/^\d/.test(mode)) {
    if (!/^0*[0-7]{1,4}$/.test(mode)) return fail(shell, `${mode}: octal number out of range`);
    shell.umask = parseInt(mode, 8) & 0o777;
  } else {
    const mask = changed(shell.umask, mode);
    if (mask === null) {
      const copied = /[-+=]([ugo])/.exec(mode)?.[1];
      return fail(
        shell,
        copied ? `\`${copied}': invalid symbolic mode character` : `\`${mode}': invalid symbolic mode operator`,
      );
    }
    shell.umask = mask;
  }
  if (flags.has("S")) await shell.print(`${symbolic(shell.umask)}\n`);
  return 0;
}
