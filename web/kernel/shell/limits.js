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
    "maxArrayElements",
    "maxBraceExpansionResults",
  ].map((name) => [name, Number.MAX_SAFE_INTEGER]),
);
// Deeper recursion would end in the JavaScript engine's own stack overflow.
export const LIMITS = { ...UNLIMITED, maxCallDepth: 400 };
