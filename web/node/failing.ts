// Errors that nothing catches, and stacks without the frames of this worker.
import { process } from "./base.ts";
import { sources } from "./source.ts";
import { inspect } from "./util/index.ts";

// Names of modules in stacks: paths, file URLs and `[eval]`.
const PLACE = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^\s()]*|\[[\w-]+\]):(\d+):(\d+)\)?$/;
const OWN = /node_worker\.mjs|^native |node_worker/;

/**
 * @param text - a frame
 * @returns with the column in the program's own text
 */
const corrected = (text: string): string =>
  text.replace(/((?:file:\/\/)?\/[^\s()]*|\[[\w-]+\]):1:(\d+)/, (whole, name, column) => {
    const before = sources.get(name)?.before ?? 0;
    return Number(column) > before ? `${name}:1:${Number(column) - before}` : whole;
  });

/** A frame as Node writes it, where modules aren't evaluated strings. */
const named = (text: string) =>
  text.replace(/^((?:async )?)eval \((.*)\)$/, "$1$2").replace(/^((?:async )?\w+)\.eval \(/, "$1.<anonymous> (");

/** Have stacks show the program's frames only. */
export function trimStacks() {
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (error: unknown, frames: NodeJS.CallSite[]) => {
    const own = frames.filter(
      (frame) => !OWN.test(String(frame.getScriptNameOrSourceURL() ?? "native ")) && !frame.isNative?.(),
    );
    return [headOf(error), ...own.slice(0, 10).map((frame) => `    at ${corrected(named(String(frame)))}`)].join("\n");
  };
}

function headOf(error: unknown) {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return "Error";
  }
}

/** The place in the program that an error comes from, as Node shows it. */
function placeOf(error: Error) {
  for (const line of String(error.stack ?? "").split("\n")) {
    const [, name = "", row = "", column = ""] = PLACE.exec(line) ?? [];
    const source = sources.get(name)?.text.split("\n")[Number(row) - 1];
    if (source === undefined) continue;
    const mark = Number(column) <= source.length ? `\n${" ".repeat(Number(column) - 1)}^` : "";
    return `${name}:${row}\n${source}${mark}\n\n`;
  }
  return "";
}

/** @param rejected - whether a promise was rejected with it */
export function describe(error: unknown, rejected: boolean) {
  const colors = process.stderr.isTTY === true;
  const version = `\n\nNode.js ${process.version}\n`;
  if (error instanceof Error) return `${placeOf(error)}${inspect(error, { colors })}${version}`;
  if (!rejected) {
    return `Uncaught:\n${inspect(error, { colors })}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)${version}`;
  }
  const how =
    "either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch()";
  const text = `[UnhandledPromiseRejection: This error originated ${how}. The promise rejected with the reason "${inspect(error)}".]`;
  return `${text} {\n  code: 'ERR_UNHANDLED_REJECTION'\n}${version}`;
}
