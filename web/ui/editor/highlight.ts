/** Syntax highlighting outside the editor, with classes such as `tok-keyword`. */

import { Language, LanguageSupport } from "@codemirror/language";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { languageOf } from "./languages.js";

/** Common language names, as file extensions. @type {Record<string, string>} */
const EXTENSIONS = {
  python: "py", python3: "py", javascript: "js", typescript: "ts", shell: "sh", console: "sh", rust: "rs", ruby: "rb",
  csharp: "cs", "c#": "cs", "c++": "cpp", kotlin: "kt", golang: "go", perl: "pl", docker: "dockerfile",
};

/**
 * @param {string} code
 * @param {string} name of its language, as in a Markdown fence
 * @returns {DocumentFragment | null} null if the language is unknown
 */
export function highlight(code, name) {
  const language = languageIn(languageOf(EXTENSIONS[name.toLowerCase()] ?? name));
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
