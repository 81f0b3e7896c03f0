// Names of colors and attributes in formats and settings (git-config(1), "Values", "color").
import { tableOf } from "../../tables.ts";

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white", "", "default"];
const ATTRIBUTES: Record<string, number> = tableOf({
  bold: 1,
  dim: 2,
  italic: 3,
  ul: 4,
  blink: 5,
  reverse: 7,
  strike: 9,
});
const [TEXT, BACKGROUND, BRIGHT] = [30, 40, 60];

/** Return the SGR sequence of a color, such as `bold red`, or "" for one that isn't known. */
export function colorSequence(name: string): string {
  const attributes: number[] = [];
  const colors: string[] = [];
  for (const word of name
    .replace(/^(always|auto),/, "")
    .split(/\s+/)
    .filter(Boolean)) {
    if (word === "reset") return "\x1b[m";
    const attribute = ATTRIBUTES[word];
    if (attribute !== undefined) attributes.push(attribute);
    else {
      const code = word === "normal" ? "" : colorCode(word, colors.length === 0 ? TEXT : BACKGROUND);
      if (code === null) return "";
      colors.push(code);
    }
  }
  const all = [...attributes, ...colors.filter(Boolean)];
  return all.length ? `\x1b[${all.join(";")}m` : "";
}

function colorCode(word: string, base: number): string | null {
  const [, red, green, blue] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(word) ?? [];
  const long = base + 8;
  if (red && green && blue) return `${long};2;${[red, green, blue].map((part) => Number.parseInt(part, 16)).join(";")}`;
  if (/^\d{1,3}$/.test(word)) return `${long};5;${word}`;
  const isBright = word.startsWith("bright");
  const index = COLORS.indexOf(word.replace(/^bright/, ""));
  return index < 0 || word === "" ? null : String(base + index + (isBright ? BRIGHT : 0));
}
