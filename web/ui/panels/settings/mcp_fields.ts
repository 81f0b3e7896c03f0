/** Reads the fields of the form for an MCP server. */

/**
 * Return the words of a command line, as a shell separates them, without expanding anything.
 * @returns or why there are none
 */
export function programOf(line: string): string[] | string {
  const words: string[] = [];
  // A word is a series of quoted parts, escaped characters and plain ones.
  const word = /\s*((?:'[^']*'|"(?:\\["\\$`]|[^"])*"|\\.|[^\s'"\\])+)/y;
  while (word.lastIndex < line.trimEnd().length) {
    const found = word.exec(line);
    if (found === null) return "A quotation mark of the command line has no second one.";
    words.push(plain(found[1] as string));
  }
  return words.length === 0 ? "Enter a command line or an address." : words;
}

function plain(word: string) {
  return word.replace(
    /'([^']*)'|"((?:\\["\\$`]|[^"])*)"|\\(.)/g,
    (_, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped,
  );
}

/**
 * Return the values of `NAME=value` lines by name. A header's may be written `Name: value`.
 * @returns or the number of the line that is none
 */
export function named(lines: string): Record<string, string> | string {
  const values: Record<string, string> = {};
  for (const [index, line] of lines.split("\n").entries()) {
    if (line.trim() === "") continue;
    const found = /^\s*([^\s=:]+)\s*[=:]\s*(.*?)\s*$/.exec(line);
    // The line itself may be a secret.
    if (found === null) return `Line ${index + 1} of the variables isn’t NAME=value.`;
    values[found[1] as string] = found[2] as string;
  }
  return values;
}

/**
 * Return the lines of variables or headers with a secret, and what to select in them.
 * @param caret - where the user writes: at the end of a line that has a name and no value yet, the secret is its value
 * @param address - whether the lines are headers
 */
export function withSecret(lines: string, caret: number, secret: string, address: boolean) {
  const start = lines.lastIndexOf("\n", caret - 1) + 1;
  const end = lines.indexOf("\n", caret) < 0 ? lines.length : lines.indexOf("\n", caret);
  const line = lines.slice(start, end);
  if (/^\s*[^\s=:]+\s*[=:]\s*(Bearer\s+)?$/i.test(line)) {
    const at = end + `secret:${secret}`.length;
    return { text: `${lines.slice(0, end)}secret:${secret}${lines.slice(end)}`, start: at, end: at };
  }
  const before = lines.trimEnd() === "" ? "" : `${lines.trimEnd()}\n`;
  const name = address ? "Authorization" : "TOKEN";
  const text = `${before}${name}=${address ? "Bearer " : ""}secret:${secret}`;
  return { text, start: before.length, end: before.length + name.length };
}
