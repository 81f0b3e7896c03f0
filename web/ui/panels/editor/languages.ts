/** The languages of files, by name. */

import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { yaml } from "@codemirror/lang-yaml";
import { indentUnit, StreamLanguage, type StreamParser } from "@codemirror/language";
import { c, cpp, csharp, java, kotlin, scala } from "@codemirror/legacy-modes/mode/clike";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { perl } from "@codemirror/legacy-modes/mode/perl";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { r } from "@codemirror/legacy-modes/mode/r";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { xml } from "@codemirror/legacy-modes/mode/xml";
import type { Extension } from "@codemirror/state";
import { closingTags } from "./closing_tags.ts";

const LANGUAGES: [string, () => Extension][] = [
  ["py pyi pyw", () => [python(), indentUnit.of("    ")]],
  ["js mjs cjs jsx", () => [javascript({ jsx: true }), closingTags]],
  ["ts mts cts", () => javascript({ typescript: true })],
  ["tsx", () => javascript({ jsx: true, typescript: true })],
  ["json ipynb webmanifest jsonl ndjson", () => json()],
  ["html htm xhtml vue svelte", () => [html(), closingTags]],
  ["css scss less", () => css()],
  ["md markdown mdx", () => markdown()],
  ["yaml yml", () => yaml()],
  ["sh bash zsh ksh profile bashrc .bashrc .profile .bash_profile", () => stream(shell)],
  ["toml", () => stream(toml)],
  ["ini cfg conf properties env .env .editorconfig .gitconfig .npmrc", () => stream(properties)],
  ["xml svg xsd plist", () => stream(xml)],
  ["sql", () => stream(standardSQL)],
  ["c h", () => stream(c)],
  ["cc cpp cxx hh hpp cu", () => stream(cpp)],
  ["cs", () => stream(csharp)],
  ["java", () => stream(java)],
  ["kt kts", () => stream(kotlin)],
  ["scala", () => stream(scala)],
  ["go", () => [stream(go), indentUnit.of("\t")]],
  ["rs", () => [stream(rust), indentUnit.of("    ")]],
  ["rb gemfile rakefile", () => stream(ruby)],
  ["lua", () => stream(lua)],
  ["pl pm", () => stream(perl)],
  ["r", () => stream(r)],
  ["diff patch", () => stream(diff)],
  ["dockerfile containerfile", () => stream(dockerFile)],
  // Recipes must start with a tab.
  ["makefile gnumakefile mk", () => indentUnit.of("\t")],
];
const BY_NAME = new Map(LANGUAGES.flatMap(([names, create]) => names.split(" ").map((name) => [name, create])));

/** @returns empty if the language is unknown */
export function languageOf(name: string): Extension {
  const lowered = name.toLowerCase();
  const create = BY_NAME.get(lowered) ?? BY_NAME.get(lowered.slice(lowered.lastIndexOf(".") + 1));
  return create?.() ?? [];
}

function stream<State>(parser: StreamParser<State>) {
  return StreamLanguage.define(parser);
}
