// The words of a command: what is substituted in them, and what just-bash reads otherwise than bash.
import { computed, eachPart, generated, group, hasDefault, readsFile, shield, statement } from "./nodes.js";
import { intoText } from "./routes.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {import("./rewrite.js").Rewriter} Rewriter
 */

/** @param {Rewriter} rewriter @param {Node} item its words are changed in their places */
export function rewriteWords(rewriter, item) {
  eachPart(item, (part, owner, key) => {
    if (part.type === "ParameterExpansion") {
      if (part.parameter === "!" && !part.operation) owner[key] = lastJob(rewriter);
      else rewriter.references.inExpansion(part);
    } else if (part.type === "DoubleQuoted") {
      if (hasDefault(part)) part.parts.push({ type: "Literal", value: "" });
    } else if (part.type === "SingleQuoted" || part.type === "Literal") {
      // A string ends at a NUL byte, which `$'\\0'` may hold.
      part.value = part.value.replace(/\0.*/s, "");
    } else if (part.body?.statements && !readsFile(part.body.statements)) {
      part.body.statements = substituted(rewriter, part.body);
    }
  });
}

/** @param {Rewriter} rewriter @param {Node} body of a `$(…)` @returns {Node[]} */
function substituted(rewriter, { statements, keeps }) {
  const plain = rewriter.list(statements, { narrow: intoText, subshell: true, keeps });
  // `set -e` isn't inherited there.
  const shielded = [statement(shield(group(plain), statement))];
  return generated(plain, function* () {
    yield* rewriter.errexit && !rewriter.inheritsErrexit ? shielded : plain;
  });
}

/** @param {Rewriter} rewriter */
const lastJob = (rewriter) => computed({ type: "Literal" }, "value", () => String(rewriter.host.lastJob() ?? ""));
