// Loops, commands and output are limited by the caller's timeout and output cap, not by the engine.
const UNLIMITED = Object.fromEntries(
  [
    "maxLoopIterations",
    "maxCommandCount",
    "maxExecutionTimeMs",
    "maxOutputSize",
    "maxWorkUnits",
    "maxInputBytes",
    "maxLiveBytes",
    "maxSedIterations",
    "maxJqIterations",
    "maxStringLength",
    "maxHeredocSize",
    "maxTraversalEntries",
    "maxTraversalWork",
    "maxGlobOperations",
    "maxBraceExpansionResults",
  ].map((name) => [name, Number.MAX_SAFE_INTEGER]),
);
export const LIMITS = {
  ...UNLIMITED,
  // just-bash passes this plus one to `String.split`, which counts to 2 ** 32 - 1 and then from 0 again.
  maxArrayElements: 2 ** 32 - 2,
  // More values than these would fill the memory of the page.
  maxQueryElements: 10_000_000,
  maxQueryTokens: 10_000_000,
  // Deeper recursion would end in the JavaScript engine's own stack overflow.
  maxCallDepth: 400,
};

// These are compared in the loops of jq and others that never pause.
const COMPARED = ["maxJqIterations", "maxLoopIterations", "maxGlobOperations"];

/**
 * Limits that are never reached. Each comparison with one calls `watch`, which throws where the command should stop.
 * @param {() => void} watch @returns {Record<string, any>}
 */
export function watchedLimits(watch) {
  const limit = {
    [Symbol.toPrimitive]() {
      watch();
      return Number.MAX_SAFE_INTEGER;
    },
  };
  return Object.fromEntries(COMPARED.map((name) => [name, limit]));
}
