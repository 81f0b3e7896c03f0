// Signals by name and number, as Linux has them.

export const SIGNALS: Record<string, number> = Object.fromEntries(
  (
    "HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU " +
    "XFSZ VTALRM PROF WINCH IO PWR SYS"
  )
    .split(" ")
    .map((name, at) => [name, at + 1]),
);

export const byNumber = new Map<number, string>(Object.entries(SIGNALS).map(([name, number]) => [number, name]));

const SIGNAL_BASE = 128;

/** The exit code of what a signal has ended. */
export const exitOfSignal = (name: string) => SIGNAL_BASE + (SIGNALS[name] ?? 0);

const EVENTS = new Set(["EXIT", "ERR", "DEBUG", "RETURN"]);

/** The name of a signal or event that was given by name, with or without SIG, or by number. */
export function nameOfSignal(given: string) {
  const upper = given.toUpperCase();
  if (upper === "0") return "EXIT";
  if (/^\d+$/.test(upper)) return byNumber.get(Number(upper)) ?? null;
  const name = upper.replace(/^SIG/, "");
  return name in SIGNALS || EVENTS.has(upper) ? name : null;
}
