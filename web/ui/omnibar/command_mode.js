/**
 * Command mode: fuzzy search of commands, panels and tools.
 *
 * @import { Command } from "../commands.js"
 * @import { Store } from "../store.js"
 * @import { Mode, Suggestion } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { commands } from "../commands.js";
import { fuzzyMatch } from "./fuzzy.js";
import { plain } from "./mode.js";

const MAX_ITEMS = 50;
// A keyword match is weaker than a title match.
const KEYWORD_WEIGHT = 0.4;
// A few letters more often mean a command than a tool.
const COMMAND_BONUS = 25;

/**
 * @param {Store} store
 * @param {Destinations} to
 * @returns {Mode}
 */
export function commandMode(store, to) {
  return {
    id: "command",
    label: "Command",
    placeholder: "Panels, tools, settings",
    prefix: ">",
    wait: 0,
    suggest(text) {
      const tools = store.state.tools.map(({ name, description }) =>
        ranked(text, name, "", { kind: "tool", detail: plain(description), run: () => to.showTool(name) }));
      const found = [...commands.available.map((command) => rankedCommand(text, command)), ...tools];
      const items = found.filter((each) => each !== null).sort((left, right) => right.score - left.score);
      return {
        items: items.slice(0, MAX_ITEMS).map(({ item }) => item),
        note: items.length === 0 ? "No matching commands." : undefined,
      };
    },
  };
}

/** @param {string} text @param {Command} command */
function rankedCommand(text, { title, keywords = "", shortcut, run }) {
  return ranked(text, title, keywords, { kind: "command", hint: shortcut, run });
}

/**
 * @param {string} text
 * @param {string} title
 * @param {string} keywords
 * @param {Omit<Suggestion, "title">} rest
 * @returns {{score: number, item: Suggestion} | null}
 */
function ranked(text, title, keywords, rest) {
  if (text.trim() === "") return { score: rest.kind === "command" ? 1 : 0, item: { title: plain(title), ...rest } };
  const bonus = rest.kind === "command" ? COMMAND_BONUS : 0;
  const byTitle = fuzzyMatch(text, title);
  if (byTitle) return { score: byTitle.score + bonus, item: { title: byTitle.pieces, ...rest } };
  const byKeyword = keywords === "" ? null : fuzzyMatch(text, keywords);
  return byKeyword && { score: byKeyword.score * KEYWORD_WEIGHT, item: { title: plain(title), ...rest } };
}
