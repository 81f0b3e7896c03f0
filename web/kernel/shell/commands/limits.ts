// `ulimit` (Bash manual, 4.2): limits are remembered, and limit nothing.
import { CommandError } from "../control.ts";
import { invalidOption } from "./help.ts";
import type { Shell } from "../shell.ts";

/** For each letter: the limited resource, its unit, and the limit of a new shell. */
const LIMITS = new Map<string, [string, string, string]>(
  Object.entries({
    R: ["real-time non-blocking time", "microseconds, ", "unlimited"],
    c: ["core file size", "blocks, ", "0"],
    d: ["data seg size", "kbytes, ", "unlimited"],
    e: ["scheduling priority", "", "0"],
    f: ["file size", "blocks, ", "unlimited"],
    i: ["pending signals", "", "unlimited"],
    l: ["max locked memory", "kbytes, ", "8192"],
    m: ["max memory size", "kbytes, ", "unlimited"],
    n: ["open files", "", "1024"],
    p: ["pipe size", "512 bytes, ", "8"],
    q: ["POSIX message queues", "bytes, ", "819200"],
    r: ["real-time priority", "", "0"],
    s: ["stack size", "kbytes, ", "8192"],
    t: ["cpu time", "seconds, ", "unlimited"],
    u: ["max user processes", "", "unlimited"],
    v: ["virtual memory", "kbytes, ", "unlimited"],
    x: ["file locks", "", "unlimited"],
  }),
);

function shown({ limits }: Shell, letter: string, titled: boolean) {
  const [name = "", unit = "", standard = ""] = LIMITS.get(letter) ?? [];
  const value = limits[letter] ?? standard;
  return titled ? `${name.padEnd(20)} ${`(${unit}-${letter}) `.padStart(20)}${value}\n` : `${value}\n`;
}

export async function ulimit(shell: Shell, args: string[]) {
  const options = args.filter((word) => /^-./.test(word));
  const [value] = args.filter((word) => !/^-./.test(word));
  const letters = options.join("").replace(/[-HS]/g, "") || "f";
  for (const letter of letters.replaceAll("a", "")) {
    if (!LIMITS.has(letter)) throw invalidOption("ulimit", `-${letter}`);
  }
  const chosen = letters.includes("a") ? [...LIMITS.keys()] : [...letters];
  if (value === undefined || letters.includes("a")) {
    for (const letter of chosen) await shell.print(shown(shell, letter, chosen.length > 1));
    return 0;
  }
  if (!/^(\d+|unlimited|hard|soft)$/.test(value)) throw new CommandError(`ulimit: ${value}: invalid number`);
  for (const letter of chosen) shell.limits[letter] = /^\d|unl/.test(value) ? value : (LIMITS.get(letter)?.[2] ?? "");
  return 0;
}
