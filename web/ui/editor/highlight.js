/** Code outside of the editor, in its languages; the colours are classes (`tok-keyword` and its like). */

import { Language, LanguageSupport } from "@codemirror/language";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { languageOf } from "./languages.js";

/** The names that people give languages, as endings of files. @type {Record<string, string>} */
const ENDINGS = {
  python: "py", python3: "py", javascript: "js", typescript: "ts", shell: "sh", console: "sh", rust: "rs", ruby: "rb",
  csharp: "cs", "c#": "cs", "c++": "cpp", kotlin: "kt", golang: "go", perl: "pl", docker: "dockerfile",
};

/**
 * @param {string} code
 * @param {string} name of its language, as in a fence of Markdown
 * @returns {DocumentFragment | null} null where the language isn't known
 */
export function highlight(code, name) {
  const language = languageIn(languageOf(ENDINGS[name.toLowerCase()] ?? name));
  if (!language) return null;
  const shown = document.createDocumentFragment();
  highlightCode(code, language.parser.parse(code), classHighlighter, (text, classes) => {
    if (classes === "") return shown.append(text);
    const token = document.createElement("span");
    token.className = classes;
    token.textContent = text;
    shown.append(token);
  }, () => shown.append("\n"));
  return shown;
}

/** @param {unknown} extension @returns {Language | null} */
function languageIn(extension) {
  if (extension instanceof Language) return extension;
  if (extension instanceof LanguageSupport) return extension.language;
  if (!Array.isArray(extension)) return null;
  return extension.map(languageIn).find((found) => found !== null) ?? null;
}
