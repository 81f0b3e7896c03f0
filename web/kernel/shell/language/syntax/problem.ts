// An error of syntax, in bash's words.

export class SyntaxProblem extends Error {
  line: number;
  /** The source line, which bash prints after an unexpected token. */
  text: string | null = null;
  /** True if more text could make the script valid. */
  incomplete = false;
  /** The exit code, null for the previous command's. */
  status: number | null = 2;

  /** @param message - as bash prints it after the name of the script and the line */
  constructor(
    message: string,
    { line, ...more }: Pick<SyntaxProblem, "line"> & Partial<Pick<SyntaxProblem, "text" | "incomplete" | "status">>,
  ) {
    super(message);
    this.line = line;
    Object.assign(this, more);
  }
}
