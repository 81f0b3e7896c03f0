/**
 * The facts of the status line: what each says in a few words, and what explains it.
 *
 * @import { State } from "../types.js"
 *
 * @typedef {object} Fact
 * @property {string} id
 * @property {string} label
 * @property {boolean} [lacking] whether something is not as it could be
 * @property {string} title of the explanation
 * @property {string[]} text a paragraph each
 * @property {{label: string, run: () => unknown}} [action]
 *
 * @typedef {object} Ways where facts lead to
 * @property {(panel: string) => unknown} open
 * @property {() => unknown} restart
 */

import { bytes, counted } from "../format.js";

/** @param {State} state @param {Ways} ways @returns {Fact[]} */
export function facts(state, ways) {
  return [memory(state, ways), isolation(state), webmcp(state), tools(state, ways), storage(state, ways), companion(state, ways)];
}

/** @param {State} state @param {Ways} ways @returns {Fact} */
function memory({ kernel, measured }, { restart }) {
  const size = measured?.memory ?? null;
  return {
    id: "memory", label: kernel === "ready" && size !== null ? `Python ${bytes(size)}` : "Python",
    title: "Python's memory",
    text: [
      "Python runs in this page, in a thread of its own. Terminals, files in use and everything that scripts make share its "
        + "memory, which grows when it has to and doesn't shrink. Its limit is 2 GB or what the browser allows.",
      "Starting Python again gives memory back. Files and terminals stay; what runs ends, and the console is empty.",
    ],
    action: kernel === "ready" ? { label: "Restart Python", run: restart } : undefined,
  };
}

/** @param {State} state @returns {Fact} */
function isolation({ surface }) {
  const isolated = surface?.isolated ?? crossOriginIsolated;
  return {
    id: "isolation", label: isolated ? "Isolated" : "Not isolated", lacking: !isolated,
    title: isolated ? "The page is isolated" : "The page is not isolated",
    text: isolated
      ? ["No other origin shares this page's process, so its threads may share memory: Ctrl-C stops code that never pauses."]
      : ["Other origins may share this page's process, so its threads can't share memory: code that never pauses is stopped "
          + "by starting Python again.",
        "A server that sends Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp "
          + "isolates the page, as python3 build.py serve does."],
  };
}

/** @param {State} state @returns {Fact} */
function webmcp({ webmcp }) {
  /** @type {Record<State["webmcp"], {label: string, text: string[]}>} */
  const by = {
    native: { label: "WebMCP native", text: ["The browser has WebMCP: an agent in it sees this page's tools by itself."] },
    polyfill: {
      label: "WebMCP by polyfill",
      text: ["This browser has no WebMCP, so a script stands in for it: agents that look for document.modelContext in the "
        + "page find the tools, the browser's own agent doesn't.",
      "Chromium has WebMCP behind chrome://flags/#enable-webmcp-testing."],
    },
    missing: {
      label: "No WebMCP",
      text: ["Agents in the browser can't see the tools: there is no WebMCP, and its polyfill could not start. It needs https "
        + "or localhost."],
    },
  };
  return { id: "webmcp", lacking: webmcp === "missing", title: "Tools for agents in the browser", ...by[webmcp] };
}

/** @param {State} state @param {Ways} ways @returns {Fact} */
function tools({ tools, settings }, { open }) {
  const off = settings?.tools_off.length ?? 0;
  const groups = settings?.groups_off ?? [];
  return {
    id: "tools", label: `${counted(tools.length, "tool")}${off > 0 ? `, ${off} off` : ""}`, title: "Tools",
    text: [
      `Agents can call ${counted(tools.length, "tool")}. Each call is listed under Activity, and those that reach outside ask you first.`,
      ...(off > 0 ? [`You switched off: ${groups.join(", ")}.`] : []),
    ],
    action: { label: "Open Tools", run: () => open("tools") },
  };
}

/** @param {State} state @param {Ways} ways @returns {Fact} */
function storage({ measured, filesProblem }, { open }) {
  const { used = null, quota = null } = measured ?? {};
  const known = used !== null && quota !== null;
  return {
    id: "storage", label: used === null ? "Storage" : `${bytes(used)} stored`, lacking: filesProblem !== null,
    title: "What is stored",
    text: [
      "Files, the activity log and settings are kept by this browser, for this address only.",
      ...(known ? [`The page takes ${bytes(used)} in all, of ${bytes(quota)} that the browser grants it.`] : []),
      ...(filesProblem === null ? [] : [`Not all of it is kept: ${filesProblem}`]),
    ],
    action: { label: "Open Settings", run: () => open("settings") },
  };
}

/** @param {State} state @param {Ways} ways @returns {Fact} */
function companion({ companion: { state, reason, name, mcp } }, { open }) {
  const about = "The companion is a small program on your own computer. It gives these tools to MCP clients outside of the "
    + "browser, such as Claude Desktop, Claude Code and Cursor.";
  const action = { label: "Open Settings", run: () => open("settings") };
  if (state === "connected" && mcp?.on === false) {
    return {
      id: "companion", label: "Companion, MCP off", lacking: true, title: "MCP is off",
      text: [about, "It was turned off in the settings, so clients get an error until it is turned on again there."], action,
    };
  }
  switch (state) {
    case "connected":
      return {
        id: "companion", label: "Companion", title: "The companion is connected",
        text: [about, `It knows this page as ${name}.`], action,
      };
    case "none":
      return {
        id: "companion", label: "No companion", title: "There is no companion",
        text: [
          about,
          "Start it by control-surface serve, and open the address that it tells. Everything else here "
            + "works without it.",
        ],
      };
    case "refused":
      return {
        id: "companion", label: "Companion refused", lacking: true, title: "The companion doesn't let this browser in",
        text: [about, reason ?? ""],
      };
    default:
      return {
        id: "companion", label: "Companion away", lacking: true, title: "The companion doesn't answer",
        text: [about, "It has ended, or is busy. This page goes on trying."],
      };
  }
}
