/** Syntax highlighting outside the editor, with classes such as `tok-keyword`. */

import { Language, LanguageSupport } from "@codemirror/language";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { languageOf } from "./languages.ts";

/** Common language names, as file extensions. */
const EXTENSIONS: Record<string, string> = {
  python: "py",
  python3: "py",
  javascript: "js",
  typescript: "ts",
  shell: "sh",
  console: "sh",
  rust: "rs",
  ruby: "rb",
  csharp: "cs",
  "c#": "cs",
  "c++": "cpp",
  kotlin: "kt",
  golang: "go",
  perl: "pl",
  docker: "dockerfile",
};

/**
 * @param name - of its language, as in a Markdown fence
 * @returns null if the language is unknown
 */
export function highlight(code: string, name: string): DocumentFragment | null {
  const language = languageIn(languageOf(EXTENSIONS[name.toLowerCase()] ?? name));
  if (!language) return null;
  const shown = document.createDocumentFragment();
  highlightCode(
    code,
    language.parser.parse(code),
    classHighlighter,
    (text, classes) => {
      if (classes === "") return shown.append(text);
      const token = document.createElement("span");
      token.className = classes;
      token.textContent = text;
      shown.append(token);
    },
    () => shown.append("\n"),
  );
  return shown;
}

function languageIn(extension: unknown): Language | null {
  if (extension instanceof Language) return extension;
  if (extension instanceof LanguageSupport) return extension.language;
  if (!Array.isArray(extension)) return null;
  return extension.map(languageIn).find((found) => found !== null) ?? null;
}
