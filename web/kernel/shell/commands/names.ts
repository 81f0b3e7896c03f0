// `basename` and `dirname` without options, which scripts call in loops; Python has the rest (gemini_userland/names.py).

import type { Shell } from "../shell.ts";

/** @returns null if there are options */
function operandsOf(args: string[]): string[] | null {
  if (args[0] === "--") return args.slice(1);
  return args.some((word) => /^-./.test(word)) ? null : args;
}

export async function basename(shell: Shell, args: string[]): Promise<number | null> {
  const operands = operandsOf(args);
  if (operands === null || operands.length < 1 || operands.length > 2) return null;
  const [name = "", suffix = ""] = operands;
  const whole = name.replace(/\/+$/, "");
  const last = whole === "" ? name.slice(0, 1) : whole.slice(whole.lastIndexOf("/") + 1);
  const cut = suffix !== "" && last !== suffix && last.endsWith(suffix) && whole !== "";
  await shell.print(`${cut ? last.slice(0, -suffix.length) : last}\n`);
  return 0;
}

export async function dirname(shell: Shell, args: string[]): Promise<number | null> {
  const operands = operandsOf(args);
  if (operands === null || operands.length === 0) return null;
  const folders = operands.map((path) => {
    const whole = path.replace(/\/+$/, "");
    const slash = whole.lastIndexOf("/");
    return (
      (slash < 0 ? "" : whole.slice(0, slash).replace(/\/+$/, "")) || (slash >= 0 || path.startsWith("/") ? "/" : ".")
    );
  });
  await shell.print(folders.map((folder) => `${folder}\n`).join(""));
  return 0;
}
