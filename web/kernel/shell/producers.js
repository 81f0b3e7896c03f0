// just-bash runs a pipe's commands one after another, so an endless one in front of a pipe has to end by itself.
import { command, generated, nameOf, statement, textOf } from "./nodes.js";

/** @typedef {import("./nodes.js").Node} Node */

/** How many lines a plain `head` takes. @param {Node} reader @returns {string | null} */
export function linesTaken(reader) {
  if (nameOf(reader) !== "head") return null;
  const words = reader.args.map(textOf).join(" ");
  return words === "" ? "10" : (/^-(?:n ?)?(\d+)$/.exec(words)?.[1] ?? null);
}

export const LOOPS = new Set(["For", "CStyleFor", "While", "Until"]);

const ENOUGH_LOOPS = 2000;
const ENOUGH_MS = 200;

/** @param {Node} item a command in front of a pipe @returns {Node} */
export function bound(item) {
  const [only] = item.type === "Group" ? item.body : [];
  if (only && LOOPS.has(only.pipelines?.[0]?.commands[0]?.type)) bound(only.pipelines[0].commands[0]);
  const endless = item.type === "CStyleFor" ? !item.condition : item.condition && alwaysTrue(item);
  if (!endless) return item;
  const { body } = item;
  let count = 0;
  let since = 0;
  const make = function* () {
    if (count++ === 0) since = performance.now();
    if (count > ENOUGH_LOOPS && performance.now() - since > ENOUGH_MS) {
      count = 0;
      yield statement(command("break"));
    }
    yield* body;
  };
  return Object.defineProperty(item, "body", { value: generated(body, make) });
}

/** @param {Node} item */
function alwaysTrue(item) {
  const tested = item.condition.length === 1 ? nameOf(item.condition[0].pipelines?.[0]?.commands[0] ?? {}) : null;
  return item.type === "While" ? tested === "true" || tested === ":" : item.type === "Until" && tested === "false";
}

