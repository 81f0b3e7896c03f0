// The event loop's bookkeeping: a program ends when nothing is pending. nextTick's queue runs before promises do.
const TICKS_AFTER = 1000;

const ticks: (() => void)[] = [];
let pending = 0;
let scheduled = false;
const hooks: { fail: (error: unknown) => void; idle: () => void } = { fail: () => {}, idle: () => {} };
const later = new MessageChannel();
const turns: (() => void)[] = [];
const { setTimeout: sleep } = globalThis;

later.port1.onmessage = () => {
  runTicks();
  turns.shift()?.();
};

/** @param given - `fail` takes an error that nothing caught, `idle` is called when nothing is pending */
export const useHooks = (given: Partial<typeof hooks>) => Object.assign(hooks, given);

/**
 * Something is pending.
 * @returns ends it
 */
export function hold(): () => void {
  pending++;
  let held = true;
  return () => {
    if (held) pending--;
    held = false;
    checkSoon();
  };
}

/** Call a function in a separate turn. */
export function inTurn(action: () => void) {
  turns.push(action);
  later.port2.postMessage(null);
}

/** Run code of the program as a turn of the event loop. */
export function run(action: () => void) {
  runTicks();
  try {
    action();
  } catch (error) {
    hooks.fail(error);
  }
  runTicks();
  checkSoon();
}

export function nextTick(action: (...args: unknown[]) => void, ...args: unknown[]) {
  ticks.push(() => action(...args));
  // For ticks that promises ask for: they come after all promises that are settled, and before timers.
  if (ticks.length === 1) inTurn(() => {});
}

function runTicks() {
  for (let count = 0; ticks.length; count++) {
    try {
      ticks.shift()?.();
    } catch (error) {
      hooks.fail(error);
    }
    if (count % TICKS_AFTER === TICKS_AFTER - 1) break;
  }
  if (ticks.length) inTurn(() => {});
}

/** Look, once promises had their turn and rejections were reported, whether anything is pending. */
function checkSoon() {
  if (scheduled) return;
  scheduled = true;
  sleep(() =>
    inTurn(() => {
      scheduled = false;
      if (pending === 0 && ticks.length === 0) hooks.idle();
    }),
  );
}
