// How control leaves a command otherwise than at its end. These are thrown, and are no errors.

/** `break` and `continue`: how many loops are still to be left. */
export class LoopExit {
  kind: "break" | "continue";
  levels: number;
  status: number;

  /** @param status - of the loop */
  constructor(kind: "break" | "continue", levels: number, status = 0) {
    this.kind = kind;
    this.levels = levels;
    this.status = status;
  }
}

class Ending {
  status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** `return` from a function or a sourced file. */
export class Return extends Ending {}

/** The shell ends: `exit`, `set -e`, `set -u`. */
export class Exit extends Ending {}

/** A signal without a trap, a timeout or an interrupt ends the task. */
export class Killed {
  signal: string;

  constructor(signal: string) {
    this.signal = signal;
  }
}

/** A pipe has no reader. */
export class BrokenPipe {}

/** A write to the standard output fails, for example because the disk is full. The message is the reason. */
export class WriteError extends Error {}

/** A command fails with a message. */
export class CommandError {
  message: string;
  status: number;

  constructor(message: string, status = 1) {
    this.message = message;
    this.status = status;
  }
}

/** A command has failed, and its message is written. */
export class ReportedError extends CommandError {
  /** @param status - of the command */
  constructor(status: number) {
    super("", status);
  }
}

/**
 * An expansion or an assignment fails. Bash abandons the line that is executed; in a subshell, all of it
 * (Bash manual, 3.7.1; division by zero, assignment to a read-only variable).
 */
export class LineError extends CommandError {}

/** An expression has an error. */
export class ArithmeticError extends LineError {}

/** The calculation of a subscript or of an integer variable's value fails: no command limits that to itself. */
export class InnerArithmeticError extends LineError {
  /** whether it is a variable's value, for which bash names the builtin */
  isValue: boolean;

  constructor(message: string, isValue: boolean) {
    super(message);
    this.isValue = isValue;
  }
}

/** `$((…))` or `${x:…}` fails, or calls are too deep. In a trap, `set -e` doesn't end the shell for it. */
export class ExpansionError extends LineError {}

/** An expansion fails that ends a shell which isn't interactive: an unset variable with `set -u`, `${x:?}`, `${x&}`. */
export class FatalError extends CommandError {
  constructor(message: string, status = 127) {
    super(message, status);
  }
}

/** Return whether an error costs the command only, and not its line or the shell. */
export const isOfCommand = (error: unknown): error is CommandError =>
  error instanceof CommandError && !(error instanceof LineError) && !(error instanceof FatalError);

/** A builtin has too many arguments or a wrong one, for which bash abandons the line. */
export class MisuseError extends LineError {
  constructor(message: string, status = 1) {
    super(message, status);
  }
}
