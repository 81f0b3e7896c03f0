/** The items of the status line: a short label each, and an explanation. */

import { bytes, counted } from "../lib/format.ts";
import { everyCommand } from "../lib/serving.ts";
import { UNCONNECTED } from "../companion/unconnected.ts";
import { statusLabel } from "../panels/source_control/labels.ts";
import type { State } from "../state/types.ts";

export interface StatusItem {
  id: string;
  label: string;
  /** whether something is missing or limited */
  lacking?: boolean;
  /** of the explanation */
  title: string;
  /** paragraphs */
  text: string[];
  action?: { label: string; run: () => unknown };
  /** acts at a press, without an explanation */
  run?: () => unknown;
}

export interface Callbacks {
  open: (panel: string) => unknown;
  restart: () => unknown;
  /** opens the dialog that connects a language model */
  setUpModel: () => unknown;
  /** asks the companion to connect this browser */
  connectBrowser: () => unknown;
  /** stops a terminal's command */
  interrupt: (terminalId: string) => unknown;
  /** the user's own code in the console */
  console: { readonly running: boolean; stop(): unknown };
}

export function statusItems(state: State, callbacks: Callbacks): StatusItem[] {
  return [
    ...model(state, callbacks),
    ...branch(state, callbacks),
    memory(state, callbacks),
    isolation(state),
    webmcp(state),
    tools(state, callbacks),
    storage(state, callbacks),
    companion(state, callbacks),
  ];
}

function model({ kernel, models }: State, { setUpModel, open }: Callbacks): StatusItem[] {
  if (kernel !== "ready" || !models) return [];
  if (models.chosen === null) {
    const title = "Connect a language model for chats and agents";
    return [{ id: "model", label: "Connect a model", title, text: [], run: setUpModel }];
  }
  const label = models.choices.find(({ id }) => id === models.chosen)?.label ?? models.chosen;
  return [{ id: "model", label, title: "The model of chats and agents", text: [], run: () => open("settings") }];
}

/** @returns none without a repository */
function branch({ sourceControl }: State, { open }: Callbacks): StatusItem[] {
  if (sourceControl === null || sourceControl.root === null) return [];
  const label = statusLabel(sourceControl);
  return [
    {
      id: "branch",
      label,
      lacking: sourceControl.problem !== null,
      title: `Open Source Control: ${sourceControl.root}`,
      text: [],
      run: () => open("source-control"),
    },
  ];
}

function memory({ kernel, measured }: State, { restart }: Callbacks): StatusItem {
  const size = measured?.memory ?? null;
  const machines = measured?.machines ?? 0;
  const linux = machines ? ` · Linux ${bytes(machines)}` : "";
  return {
    id: "memory",
    label: kernel === "ready" && size !== null ? `Python ${bytes(size)}${linux}` : "Python",
    title: machines ? "The memory of Python and Linux" : "Python's memory",
    text: [
      "Python runs in this page, in its own thread. Terminals, open files and everything that scripts create share its " +
        "memory, which grows when needed and doesn't shrink. Its limit is 2 GB, or less if the browser allows less.",
      ...(machines ? ["The Linux has memory of its own, in a thread of its own."] : []),
      "Restarting Python frees memory, and ends the effect of text from outside on permissions. Files and terminals stay; running programs " +
        "end, the console is empty, and functions and variables of terminals are gone.",
    ],
    action: kernel === "ready" ? { label: "Restart Python", run: restart } : undefined,
  };
}

function isolation({ surface }: State): StatusItem {
  const isolated = surface?.isolated ?? crossOriginIsolated;
  return {
    id: "isolation",
    label: isolated ? "Isolated" : "Not isolated",
    lacking: !isolated,
    title: isolated ? "The page is isolated" : "The page isn't isolated",
    text: isolated
      ? [
          "No other origin shares this page's process, so its threads can share memory: Ctrl-C stops code that never pauses.",
        ]
      : [
          "Other origins may share this page's process, so its threads can't share memory. Stopping code that never pauses " +
            "needs a restart of Python.",
          "A server that sends Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp " +
            "isolates the page, as python3 build.py serve does.",
        ],
  };
}

function webmcp({ webmcp }: State): StatusItem {
  const by: Record<State["webmcp"], { label: string; text: string[] }> = {
    native: { label: "WebMCP native", text: ["The browser has WebMCP: its agent sees this page's tools."] },
    polyfill: {
      label: "WebMCP polyfill",
      text: [
        "This browser has no WebMCP, so a script replaces it. Agents that use document.modelContext in the page find " +
          "the tools; the browser's own agent doesn't.",
        "To use WebMCP in Chromium, turn on chrome://flags/#enable-webmcp-testing.",
      ],
    },
    missing: {
      label: "No WebMCP",
      text: [
        "Agents in the browser can't see the tools: there is no WebMCP, and its polyfill could not start. Open the page " +
          "over https or on localhost.",
      ],
    },
    unkeyed: {
      label: "No WebMCP",
      text: [
        "Agents in the browser can't see the tools: there is no WebMCP, and its polyfill needs pages that are served with " +
          "Origin-Agent-Cluster: ?1.",
      ],
    },
  };
  return {
    id: "webmcp",
    lacking: webmcp === "missing" || webmcp === "unkeyed",
    title: "Tools for agents in the browser",
    ...by[webmcp],
  };
}

function tools({ tools, settings }: State, { open }: Callbacks): StatusItem {
  // Extra groups are off until the user wants them, so they aren't worth a word.
  const groups = settings?.groups_off.filter((name) => !settings.groups_extra.includes(name)) ?? [];
  const off = settings?.tools_off.filter(({ group }) => groups.includes(group ?? "")).length ?? 0;
  return {
    id: "tools",
    label: `${counted(tools.length, "tool")}${off > 0 ? `, ${off} off` : ""}`,
    title: "Tools",
    text: [
      `Agents can call ${counted(tools.length, "tool")}. Activity lists each call, and calls that reach outside ask you first.`,
      ...(off > 0 ? [`You turned off: ${groups.join(", ")}.`] : []),
    ],
    action: { label: "Open Tools", run: () => open("tools") },
  };
}

function storage({ measured, filesProblem }: State, { open }: Callbacks): StatusItem {
  const { used = null, quota = null } = measured ?? {};
  const known = used !== null && quota !== null;
  return {
    id: "storage",
    label: used === null ? "Storage" : `${bytes(used)} stored`,
    lacking: filesProblem !== null,
    title: "Storage",
    text: [
      "This browser stores files, the activity log and settings, for this address only.",
      ...(known ? [`The page uses ${bytes(used)} of ${bytes(quota)} that the browser allows.`] : []),
      ...(filesProblem === null ? [] : [`Not everything is saved: ${filesProblem}`]),
    ],
    action: { label: "Open Settings", run: () => open("settings") },
  };
}

function companion(
  { companion: { state, reason, name, mcp } }: State,
  { open, connectBrowser }: Callbacks,
): StatusItem {
  const about =
    "The companion is a small program on your computer. It offers these tools to MCP clients outside the " +
    "browser, such as Claude Desktop, Claude Code and Cursor.";
  const settings = { label: "Open Settings", run: () => open("settings") };
  const connect = { label: "Connect this browser", run: connectBrowser };
  const item = (label: string, title: string, text: string[], action?: StatusItem["action"]) => ({
    id: "companion",
    label,
    title,
    text: [about, ...text],
    action,
  });
  if (state === "connected" && mcp?.on === false) {
    const text = "MCP was turned off in Settings. Clients get an error until it is turned on again.";
    return { ...item("Companion, MCP off", "MCP is off", [text], settings), lacking: true };
  }
  switch (state) {
    case "connected":
      return item("Companion", "The companion is connected", [`Its name for this page is ${name}.`], settings);
    case "none":
      return item("No companion", "No companion", [
        `No companion runs here. To start one, run ${everyCommand("serve")}, and open the address that it prints.`,
        "Without it there are no terminals, models or files of your computer, no web search, and the network reaches " +
          "only servers that allow pages of other origins.",
      ]);
    case "unconnected":
      return { ...item("Not connected", "This browser isn't connected", [UNCONNECTED], connect), lacking: true };
    case "refused":
      return {
        ...item("Companion refused", "The companion refused this browser", [reason ?? ""], connect),
        lacking: true,
      };
    default: {
      const text = `It has stopped, or is busy. This page keeps trying to connect. To start it again, run ${everyCommand("serve")}.`;
      return { ...item("Companion offline", "The companion doesn't respond", [text]), lacking: true };
    }
  }
}
