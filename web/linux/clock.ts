// The guest's clocks count the worker's `performance.now`. A restored machine continues at the time of its state: with
// an earlier time its timers would wait for hours, and the kernel would see time run backwards.
const real = performance.now.bind(performance);
let shift = 0;

// v86 binds this function when its module starts, so this module must be imported before it.
performance.now = () => real() + shift;

/** Continue at `ms`, what `performance.now()` was when a state was saved. */
export function continueAt(ms: number) {
  shift = ms - real();
}
