// How control leaves a command otherwise than at its end. These are thrown, and are no errors.

/** `break` and `continue`: how many loops are still to be left. */
export class LoopExit {
  /** @param {"break" | "continue"} kind @param {number} levels @param {number} [status] of the loop */
  constructor(kind, levels, status = 0) {
    this.kind = kind;
    this.levels = levels;
    this.status = status;
  }
}

/** `return` from a function or a sourced file. */
export class Return {
  /** @param {number} status */
  constructor(status) {
    this.status = status;
  }
}

/** The shell ends: `exit`, `set -e`, `set -u`. */
export class Exit {
  /** @param {number} status */
  constructor(status) {
    this.status = status;
  }
}

/** A signal without a trap, a timeout or an interrupt ends the task. */
export class Killed {
  /** @param {string} signal */
  constructor(signal) {
    this.signal = signal;
  }
}

/** A pipe has no reader. */
export class BrokenPipe {}

/** A command fails with a message. */
export class CommandError {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 1) {
    this.message = message;
    this.status = status;
  }
}

/**
 * An expansion or an assignment fails. Bash abandons the line that is executed; in a subshell, all of it
 * (Bash manual, 3.7.1; division by zero, assignment to a read-only variable).
 */
export class LineError extends CommandError {}

/** An expansion fails that ends a shell which isn't interactive: an unset variable with `set -u`, `${x:?}`, `${x&}`. */
export class FatalError extends CommandError {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 127) {
    super(message, status);
  }
}

/** A builtin has too many arguments or a wrong one, for which bash abandons the line. */
export class MisuseError extends LineError {
  /** @param {string} message @param {number} [status] */
  constructor(message, status = 1) {
    super(message, status);
  }
}
