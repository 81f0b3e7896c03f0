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
    "maxAwkIterations",
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
  // Deeper recursion would end in the JavaScript engine's own stack overflow.
  maxCallDepth: 400,
};
