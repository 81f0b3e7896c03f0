// `seq` of whole numbers: just-bash's makes a list of all of them first, and a long one ends the whole worker.

import { LINES } from "./internal.js";

/** @typedef {import("./builtins.js").Result} Result */

const MOST_BYTES = 16 << 20;
const CHUNK = 10_000;

/** @param {string[]} args @param {any} context @returns {Promise<Result>} */
export async function seq(args, context) {
  const numbers = args.map(Number);
  const whole = args.length > 0 && args.length < 4 && args.every((word) => /^-?\d+$/.test(word));
  if (!whole || !numbers.every(Number.isSafeInteger)) return context.origCommand(args);
  const [first = 1, step = 1, last = 1] =
    args.length === 1 ? [1, 1, numbers[0]] : args.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (step === 0) return { stdout: "", stderr: "seq: invalid Zero increment value: '0'\n", exitCode: 1 };
  let left = Number(context.env.get(LINES) ?? Infinity);
  let stdout = "";
  let next = first;
  while (left > 0 && (step > 0 ? next <= last : next >= last)) {
    const chunk = [];
    for (; left > 0 && chunk.length < CHUNK && (step > 0 ? next <= last : next >= last); next += step, left--) chunk.push(next);
    stdout += `${chunk.join("\n")}\n`;
    // In a pipe the reader comes only after all is written; it may well have asked for one line.
    if (stdout.length > MOST_BYTES) return { stdout, stderr: `seq: stopped after ${MOST_BYTES} bytes\n`, exitCode: 1 };
  }
  return { stdout, stderr: "", exitCode: 0 };
}
