// An error of syntax, in bash's words.

export class SyntaxProblem extends Error {
  line: number;
  text: string | null;
  incomplete: boolean;
  status: number | null;

  /**
   * @param message - as bash prints it after the name of the script and the line
   * @param place - `text`: the source line, which bash prints after an unexpected token; `incomplete`: whether more
   * text could make the script valid; `status`: the exit code, null for the previous command's
   */
  constructor(
    message: string,
    {
      line,
      text = null,
      incomplete = false,
      status = 2,
    }: {
      line: number;
      text?: string | null;
      incomplete?: boolean;
      status?: number | null;
    },
  ) {
    super(message);
    this.line = line;
    this.text = text;
    this.incomplete = incomplete;
    this.status = status;
  }
}
