// Where a command's output goes while a script runs: straight to the terminal, or back to just-bash, which puts it
// into a pipe, a file or a variable.
//
// just-bash gives a command's output when the whole script has ended. So what goes to the terminal gets redirections to
// two pseudo files (files.js), which pass on at once what is written to them. Which of them a command gets is known only
// when it runs, because a function may be called in a pipe, with a redirection, or plainly.
import { STDERR_TAP, STDOUT_TAP } from "./files.js";
import { computed, literal } from "./nodes.js";

/** @typedef {import("./nodes.js").Node} Node */

/**
 * @typedef {number} Route one of the six ways: `out` is 1 when stdout goes to the terminal; `err` is KEPT, TAPPED or MERGED
 */
export const KEPT = 0;
export const TAPPED = 1;
// stderr goes wherever stdout goes, so that the two keep their order.
export const MERGED = 2;

/** @param {0 | 1} out @param {0 | 1 | 2} err @returns {Route} */
export const route = (out, err) => out + 2 * err;
/** @param {Route} way */
export const outOf = (way) => /** @type {0 | 1} */ (way & 1);
/** @param {Route} way */
export const errOf = (way) => /** @type {0 | 1 | 2} */ (way >> 1);

export const TERMINAL = route(1, TAPPED);
export const CAPTURED = route(0, KEPT);

const OUT = { type: "Redirection", fd: 1, operator: ">>", target: literal(STDOUT_TAP) };
const ERR = { type: "Redirection", fd: 2, operator: ">>", target: literal(STDERR_TAP) };
const TO_OUT = { type: "Redirection", fd: 2, operator: ">&", target: literal("1") };

/** Redirections for each route, to stand before a command's own, which therefore win. @type {Node[][]} */
export const TAPS = [0, 1, 2, 3, 4, 5].map((way) => {
  const taps = outOf(way) ? [OUT] : [];
  if (errOf(way) === TAPPED) taps.push(ERR);
  if (errOf(way) === MERGED) taps.push(TO_OUT);
  return taps;
});

/** The way of all but the last command of a pipeline. @param {Route} way @param {boolean} withStderr as in `a |& b` */
export const intoPipe = (way, withStderr) => route(0, withStderr ? MERGED : errOf(way));

/** The way inside of `$(…)`: its stderr must not get into the text. @param {Route} way */
export const intoText = (way) => route(0, errOf(way) === TAPPED ? TAPPED : KEPT);

/** @param {Node} redirection */
const descriptorOf = ({ fd, operator, fdVariable }) =>
  fdVariable ? -1 : (fd ?? (operator.startsWith("<") ? 0 : 1));

/**
 * How redirections on a function's call or on a compound command change the way for what runs inside.
 * @param {Node[]} redirections
 * @returns {((way: Route) => Route) | null} null when they don't
 */
export function narrowing(redirections) {
  /** @type {0 | 1} */
  let out = 1;
  /** @type {0 | 1 | 2 | null} */
  let err = null;
  for (const redirection of redirections) {
    const fd = descriptorOf(redirection);
    const { operator } = redirection;
    if (fd === 0) continue;
    const both = operator === "&>" || operator === "&>>";
    const target = operator === ">&" ? textOfTarget(redirection) : null;
    if (both) [out, err] = [0, MERGED];
    else if (fd === 2 && target === "1") err = MERGED;
    else if (target !== null || (fd !== 1 && fd !== 2) || (fd === 1 && err === MERGED)) return () => CAPTURED;
    else if (fd === 1) out = 0;
    else err = KEPT;
  }
  if (out === 1 && err === null) return null;
  return (way) => route(/** @type {0 | 1} */ (out & outOf(way)), err ?? errOf(way));
}

/** @param {Node} redirection @returns {string} */
const textOfTarget = ({ target }) => target?.parts?.[0]?.value ?? "";

/**
 * The same, and whoever opens their targets hears of it before.
 * @param {Node[]} redirections
 * @param {{ noteRedirection: () => void }} files
 */
export const announced = (redirections, files) =>
  redirections.map((one) => {
    const { operator } = one;
    // The interpreter reads it last before it opens the target.
    const read = () => {
      files.noteRedirection();
      return operator;
    };
    return operator.includes(">") ? computed({ ...one }, "operator", read) : one;
  });

/** Whether a command reads something else than the terminal. @param {Node[]} redirections */
export const redirectsInput = (redirections) => redirections.some((one) => descriptorOf(one) === 0);
