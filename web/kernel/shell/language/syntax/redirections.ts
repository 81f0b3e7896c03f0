// Redirections and here-documents (Bash manual, 3.6).
import type { Node } from "../../shell.ts";
import { Input } from "./input.ts";
import { readQuotedText, readWord } from "./words.ts";

const REDIRECTION = /(?:(\d+)|\{([A-Za-z_]\w*(?:\[[^\]]*\])?)\})?(&>>|&>|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)/y;

/** @returns null if no redirection is next */
export function readRedirection(input: Input): Node | null {
  const [whole = "", digits, variable, operator = ""] = input.match(REDIRECTION) ?? [];
  if (!operator || (operator.startsWith("&") && (digits ?? variable) !== undefined)) return null;
  // `<(` and `>(` begin a word.
  if ((operator === "<" || operator === ">") && input.peek(whole.length) === "(") {
    if (digits === undefined && variable === undefined) return null;
  }
  input.at += whole.length;
  input.skipBlanks();
  const redirection = {
    type: "Redirection",
    fd: digits === undefined ? null : Number(digits),
    operator,
    ...(variable ? { fdVariable: variable } : {}),
  };
  if (input.ended) throw input.unexpected("newline");
  if (/[\n;&|)]/.test(input.peek()) || (/[<>(]/.test(input.peek()) && input.peek(1) !== "(")) throw input.unexpected();
  if (operator === "<<" || operator === "<<-")
    return { ...redirection, target: readDelimiter(input, operator === "<<-") };
  return { ...redirection, target: readWord(input, { braces: false }) };
}

/** Read all redirections that are next. */
export function readRedirections(input: Input): Node[] {
  const redirections: Node[] = [];
  for (;;) {
    input.skipBlanks();
    const redirection = readRedirection(input);
    if (!redirection) return redirections;
    redirections.push(redirection);
  }
}

/** @returns a here-document whose body is read after the line */
function readDelimiter(input: Input, stripTabs: boolean): Node {
  const word = readWord(input, { braces: false, tilde: false, globs: false });
  const text = String(word.text).replaceAll("\\\n", "");
  const quoted = /["'\\]/.test(text);
  const delimiter = withoutQuotes(text);
  const target = {
    type: "HereDoc",
    delimiter,
    content: { type: "Word", parts: [] },
    stripTabs,
    quoted,
    terminated: false,
  };
  input.pending.push({ target, delimiter });
  return target;
}

const withoutQuotes = (text: string): string =>
  text
    .replace(/\$(?=["'])/g, "")
    .replace(
      /\\([^])|"((?:[^"\\]|\\[^])*)"|'([^']*)'/g,
      (_, escaped, double, single) => escaped ?? single ?? double.replace(/\\(["\\$`])/g, "$1"),
    );

/** Read the bodies that begin after a line. */
export function readPendingBodies(input: Input) {
  const { pending } = input;
  if (pending.length === 0) return;
  input.pending = [];
  for (const { target, delimiter } of pending) readHereText(input, target, delimiter);
}

function readHereText(input: Input, target: Node, delimiter: string) {
  const line = input.line() - Number(input.text[input.at - 1] === "\n");
  let body = "";
  for (;;) {
    if (input.ended) {
      input.opensHereDoc = true;
      const last = input.line() - Number(input.text.endsWith("\n"));
      const message = `here-document at line ${line} delimited by end-of-file (wanted \`${delimiter}')`;
      input.warnings.push({ line: last, message });
      break;
    }
    const end = input.text.indexOf("\n", input.at);
    let text = input.text.slice(input.at, end < 0 ? input.text.length : end);
    input.at = end < 0 ? input.text.length : end + 1;
    if (target.stripTabs) text = text.replace(/^\t+/, "");
    if (text === delimiter) {
      target.terminated = true;
      break;
    }
    // A line that is continued is one with the next, also where that would end the text.
    while (!target.quoted && /(?<!\\)(?:\\\\)*\\$/.test(text) && !input.ended) {
      const next = input.text.indexOf("\n", input.at);
      const more = input.text.slice(input.at, next < 0 ? input.text.length : next);
      text = text.slice(0, -1) + (target.stripTabs ? more.replace(/^\t+/, "") : more);
      input.at = next < 0 ? input.text.length : next + 1;
    }
    body += `${text}\n`;
  }
  target.source = body;
  if (target.quoted) target.content.parts = body ? [{ type: "Literal", value: body }] : [];
  else {
    const text = new Input(body, input.dialect, line);
    text.isHereDoc = true;
    target.content.parts = readQuotedText(text, "");
  }
}
