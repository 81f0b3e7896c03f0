// Prints the ids of a JSON list of lines by the worker's tokenizer: `meaning_tokens.mjs VOCABULARY LINES`.
import { readFileSync } from "node:fs";
import { WordPiece } from "../web/meaning/wordpiece.ts";

const [vocabulary, lines] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
const words = new WordPiece(vocabulary);
console.log(JSON.stringify(JSON.parse(lines).map((line) => words.encode(line, Number.POSITIVE_INFINITY))));
