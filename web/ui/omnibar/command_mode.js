/**
 * Commands, panels and tools, by the letters of their names.
 *
 * @import { Command } from "../commands.js"
 * @import { Store } from "../store.js"
 * @import { Mode, Suggestion } from "./mode.js"
 * @import { Destinations } from "./omnibar.js"
 */

import { commands } from "../commands.js";
import { fuzzy } from "./fuzzy.js";
import { plain } from "./mode.js";

const MOST = 50;
// A word that isn't the name is a weaker sign.
const BY_KEYWORD = 0.4;
// Who types a few letters wants to do something more often than to read about a tool.
const COMMAND_FIRST = 25;

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
        fitting(text, name, "", { kind: "tool", detail: plain(description), run: () => to.showTool(name) }));
      const found = [...commands.available.map((command) => ofCommand(text, command)), ...tools];
      const items = found.filter((each) => each !== null).sort((one, other) => other.score - one.score);
      return {
        items: items.slice(0, MOST).map(({ item }) => item),
        note: items.length === 0 ? "No matching commands." : undefined,
      };
    },
  };
}

/** @param {string} text @param {Command} command */
function ofCommand(text, { title, keywords = "", shortcut, run }) {
  return fitting(text, title, keywords, { kind: "command", hint: shortcut, run });
}

/**
 * @param {string} text
 * @param {string} title
 * @param {string} keywords
 * @param {Omit<Suggestion, "title">} rest
 * @returns {{score: number, item: Suggestion} | null}
 */
function fitting(text, title, keywords, rest) {
  if (text.trim() === "") return { score: rest.kind === "command" ? 1 : 0, item: { title: plain(title), ...rest } };
  const first = rest.kind === "command" ? COMMAND_FIRST : 0;
  const byTitle = fuzzy(text, title);
  if (byTitle) return { score: byTitle.score + first, item: { title: byTitle.pieces, ...rest } };
  const byKeyword = keywords === "" ? null : fuzzy(text, keywords);
  return byKeyword && { score: byKeyword.score * BY_KEYWORD, item: { title: plain(title), ...rest } };
}
