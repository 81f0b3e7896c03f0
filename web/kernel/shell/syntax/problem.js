// An error of syntax, in bash's words.

export class SyntaxProblem extends Error {
  /**
   * @param {string} message as bash prints it after the name of the script and the line
   * @param {{ line: number, text?: string | null, incomplete?: boolean }} place `text`: the source line, which bash prints
   *   after an unexpected token; `incomplete`: whether more text could make the script valid
   */
  constructor(message, { line, text = null, incomplete = false }) {
    super(message);
    this.line = line;
    this.text = text;
    this.incomplete = incomplete;
  }
}
