// The text that the parser reads, and its position in it.
import type { Node } from "../../shell.ts";
import { SyntaxProblem } from "./problem.ts";

type PendingHereDoc = { target: Node; delimiter: string };

/** the changes of the language by the shell's options and aliases */
export interface Dialect {
  extglob: boolean;
  aliases: ReadonlyMap<string, string>;
}

const BLANK = /[ \t]/;
/** The characters that end a word (POSIX, 2.3). */
export const META = new Set([" ", "\t", "\n", ";", "&", "|", "(", ")", "<", ">"]);
const NONE: ReadonlyMap<string, string> = new Map();
export const PLAIN: Dialect = { extglob: false, aliases: NONE };

export class Input {
  /** The here-documents whose bodies begin at the next line. */
  pending: PendingHereDoc[] = [];
  /** Warnings, which are no errors. */
  warnings: { line: number; message: string }[] = [];
  /** True if the text is the body of a here-document, where `$'` begins no quote. */
  isHereDoc = false;
  /** True if the text ended within a here-document. */
  opensHereDoc = false;
  /** The positions of braces that stand for themselves. */
  plainBraces = new Set<number>();
  /** The aliases whose text is being read, and where each ends. */
  aliasing: { name: string; end: number }[] = [];
  #counted = { at: 0, line: 1 };
  text: string;
  dialect: Dialect;
  at = 0;

  /** @param line - of the first character */
  constructor(text: string, dialect: Dialect, line = 1) {
    this.text = text;
    this.dialect = dialect;
    this.#counted.line = line;
  }

  /** The line of a position, the current one by default. */
  line(at = this.at) {
    const counted = this.#counted;
    if (at < counted.at) return counted.line - occurrences(this.text, at, counted.at);
    counted.line += occurrences(this.text, counted.at, at);
    counted.at = at;
    return counted.line;
  }

  peek(ahead = 0) {
    return this.text.charAt(this.at + ahead);
  }

  get ended() {
    return this.at >= this.text.length;
  }

  startsWith(text: string) {
    return this.text.startsWith(text, this.at);
  }

  /** Read `text` if it is next. */
  take(text: string) {
    if (!this.startsWith(text)) return false;
    this.at += text.length;
    return true;
  }

  /** @param pattern - sticky, matched at the current position */
  match(pattern: RegExp) {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  /** Skip blanks, continued lines and, at its start, a comment. */
  skipBlanks() {
    for (;;) {
      const character = this.peek();
      if (BLANK.test(character)) this.at++;
      else if (character === "\\" && this.peek(1) === "\n") this.at += 2;
      else break;
    }
    if (this.peek() === "#") {
      const end = this.text.indexOf("\n", this.at);
      this.at = end < 0 ? this.text.length : end;
    }
  }

  /** Replace the text from `start` to the current position by an alias's. */
  splice(start: number, name: string, value: string) {
    const grown = value.length - (this.at - start);
    for (const alias of this.aliasing) alias.end += grown;
    this.line(start);
    this.text = this.text.slice(0, start) + value + this.text.slice(this.at);
    this.at = start;
    this.aliasing = [...this.aliasing.filter(({ end }) => end > start), { name, end: start + value.length }];
    this.plainBraces.clear();
  }

  /** The error for the next token. */
  unexpected(token: string = this.token()): SyntaxProblem {
    if (token === "") {
      // Bash counts the line that would follow.
      const line = this.line() + Number(!this.text.endsWith("\n"));
      return new SyntaxProblem("syntax error: unexpected end of file", { line, incomplete: true });
    }
    const place = { line: this.line(), text: this.lineOfText() };
    return new SyntaxProblem(`syntax error near unexpected token \`${token}'`, place);
  }

  lineOfText() {
    const start = this.text.lastIndexOf("\n", this.at - 1) + 1;
    const end = this.text.indexOf("\n", start);
    return this.text.slice(start, end < 0 ? undefined : end);
  }

  /** @param at - where the construct opens */
  unclosed(closing: string, at: number = this.at): SyntaxProblem {
    return this.missing(`matching \`${closing}'`, this.line(at));
  }

  /** @param what - the text ends before */
  missing(what: string, line: number, status = 2): SyntaxProblem {
    return new SyntaxProblem(`unexpected EOF while looking for ${what}`, { line, incomplete: true, status });
  }

  /** The text of the next token, as an error names it. */
  token() {
    this.skipBlanks();
    if (this.ended) return "";
    if (this.peek() === "\n") return "newline";
    const [operator] = OPERATOR.exec(this.text.slice(this.at, this.at + 3)) ?? [];
    if (operator) return operator;
    let end = this.at;
    while (end < this.text.length && !META.has(this.text.charAt(end))) end++;
    return this.text.slice(this.at, end);
  }
}

const OPERATOR = /^(?:;;&|;;|;&|;|&&|&>>|&>|&|\|\||\|&|\||<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|\(|\))/;

function occurrences(text: string, from: number, to: number) {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
