// The patterns of `case`: just-bash takes a quoted `[` and a quoted `]` in one pattern for a set of characters, so each of the
// two becomes a set that has only itself.

/** @typedef {import("./nodes.js").Node} Node */

/** @param {Node} part @returns {string | null} its text, if it is quoted and nothing in it is expanded */
function quotedText(part) {
  if (part.type === "Escaped" || part.type === "SingleQuoted") return part.value;
  if (part.type !== "DoubleQuoted" || part.parts.length !== 1 || part.parts[0].type !== "Literal") return null;
  return part.parts[0].value;
}

/** @param {Node} pattern a word @returns {Node} */
export const withSets = (pattern) => ({
  ...pattern,
  parts: pattern.parts.flatMap((/** @type {Node} */ part) => {
    const text = quotedText(part);
    if (text === null || !/[[\]]/.test(text)) return [part];
    const pieces = text.split(/([[\]])/).filter(Boolean);
    return pieces.map((piece) =>
      /^[[\]]$/.test(piece) ? { type: "Glob", pattern: `[${piece}]` } : { type: "SingleQuoted", value: piece },
    );
  }),
});
