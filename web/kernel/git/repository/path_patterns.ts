// Patterns of paths as gitignore(5) and gitattributes(5) write them.
import { CLASSES } from "./regular_expressions.ts";

const SPECIAL = /[.*?+^${}()|[\]\\/]/g;

/** A set such as `[!a-z]` as a regular expression. */
function setOf(set: string) {
  const negated = /^[!^]/.test(set);
  const inner = set.slice(negated ? 1 : 0).replace(/\[:(\w+):\]/g, (_, name) => CLASSES[name] ?? "");
  return `[${negated ? "^/" : ""}${inner.replace(/[\\\]^]/g, "\\$&")}]`;
}

/** @returns the source of a regular expression */
export function globSource(glob: string): string {
  const token = /^\*\*\/|\/\*\*\/|\/\*\*$|\*+|\?|\[!?\]?(?:\[:\w+:\]|[^\]])*\]|\\.|[^]/g;
  return glob.replace(token, (found) => {
    if (found === "**/") return "(?:.*/)?";
    if (found === "/**/") return "/(?:.*/)?";
    if (found === "/**") return "/.*";
    if (found.startsWith("*")) return "[^/]*";
    if (found === "?") return "[^/]";
    if (found.length > 1 && found.startsWith("[")) return setOf(found.slice(1, -1));
    return (found.length === 2 ? found.slice(1) : found).replace(SPECIAL, "\\$&");
  });
}

/** @returns `whole`: it is for the path, not only for the name */
export function pathPattern(text: string): { pattern: RegExp; whole: boolean } {
  const whole = text.includes("/");
  return { pattern: new RegExp(`^${globSource(text.replace(/^\//, ""))}$`, "s"), whole };
}
