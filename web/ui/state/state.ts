/**
 * The page's state, as a pure function of snapshots, ordered events and its own notices.
 *
 * Events are numbered. Events already applied are dropped. A batch after a gap waits in `pending` and marks the state
 * as stale until a snapshot closes the gap.
 */

import type { KernelEvent, Snapshot } from "../../generated/types.ts";
import { applyToRuns } from "./runs.ts";
import { applyToChat, applyToChats, forgetChat, openedChat, openingChat } from "./chats.ts";
import { applyToConsole } from "./console.ts";
import type { Batch, PageEvent, State } from "./types.ts";

export const MAX_CALLS = 500;

export const initialState: Readonly<State> = Object.freeze({
  kernel: "booting",
  reason: null,
  silent: false,
  filesProblem: null,
  kernelApart: null,
  stage: "Starting",
  fraction: 0,
  webmcp: "missing",
  registered: null,
  companion: { state: "none", reason: null, name: null, host: null, mcp: null, version: null } as const,
  measured: null,
  tools: [],
  connections: 0,
  seq: null,
  stale: true,
  pending: [],
  terminals: [],
  files: null,
  editors: null,
  tabs: [],
  calls: [],
  surface: null,
  settings: null,
  console: { entries: [], inputs: [] },
  models: {
    chosen: null,
    why: null,
    default: null,
    choices: [],
    agents: {},
    prompt: "",
    providers: [],
    builtin: "unknown",
    loading: null,
    embedding: null,
    device: false,
  },
  runs: [],
  chats: [],
  sourceControl: null,
  memories: 0,
  teams: 0,
  skills: 0,
  automations: 0,
  schedules: 0,
  inbox: 0,
  clock: null,
  scheduleEnded: null,
  chat: null,
});

/**
 * Return the state after an event. Arguments aren't modified; parts that an event doesn't change keep their identity.
 */
export function reduce(state: State, event: PageEvent): State {
  switch (event.type) {
    case "events":
      return receive(state, event.batch);
    case "snapshot":
      return restore(state, event.snapshot);
    case "disconnected":
      return disconnect(state);
    case "progress":
      return { ...state, stage: event.stage, fraction: event.fraction };
    case "silent":
      return { ...state, silent: event.silent };
    case "kernel":
      return {
        ...state,
        kernel: event.kernel,
        reason: event.reason,
        fraction: event.kernel === "booting" ? 0 : state.fraction,
      };
    case "files_problem":
      return { ...state, filesProblem: event.problem };
    case "kernel_place":
      return { ...state, kernelApart: event.apart };
    case "tools":
      return { ...state, tools: event.tools };
    case "measured":
      return { ...state, measured: event.measured };
    case "companion":
      return { ...state, companion: event.companion };
    case "chat_opening":
      return { ...state, chat: openingChat(event.id) };
    case "chat_opened":
      return { ...state, chat: openedChat(state.chat, event.opened) };
    case "webmcp":
      return { ...state, webmcp: event.mode };
    case "registered":
      return { ...state, registered: event.registered };
  }
}

function receive(state: State, batch: Batch): State {
  const { seq } = state;
  if (seq === null || batch.first > seq + 1) return { ...state, stale: true, pending: [...state.pending, batch] };
  if (batch.last <= seq) return state;
  return { ...batch.events.filter((event) => event.seq > seq).reduce(apply, state), seq: batch.last };
}

function restore(state: State, snapshot: Snapshot): State {
  const {
    seq,
    terminals,
    files,
    editors,
    tabs,
    calls,
    surface,
    settings,
    console,
    models,
    runs,
    chats,
    source_control: sourceControl,
  } = snapshot;
  const waiting = [...state.pending].sort((left, right) => left.first - right.first);
  const restored: State = {
    ...state,
    seq,
    terminals,
    files,
    editors,
    tabs,
    surface,
    settings,
    console,
    models,
    runs,
    chats,
    sourceControl,
    memories: seq,
    teams: seq,
    skills: seq,
    automations: seq,
    schedules: seq,
    inbox: seq,
    chat: forgetChat(state.chat),
    calls: calls.slice(-MAX_CALLS),
    stale: false,
    pending: [],
  };
  return waiting.reduce(receive, restored);
}

function disconnect(state: State): State {
  return {
    ...state,
    connections: state.connections + 1,
    seq: null,
    stale: true,
    pending: [],
    terminals: [],
    filesProblem: null,
    chat: forgetChat(state.chat),
  };
}

function apply(state: State, event: KernelEvent): State {
  switch (event.type) {
    case "terminal_created":
    case "terminal_changed":
      return { ...state, terminals: placed(state.terminals, event.terminal) };
    case "terminal_closed":
      return { ...state, terminals: state.terminals.filter(({ id }) => id !== event.terminal_id) };
    case "files_shown":
      return { ...state, files: { path: event.path, entries: event.entries, truncated: event.truncated } };
    case "editors_changed":
      return { ...state, editors: event.editors };
    case "automations_changed":
      return { ...state, automations: event.seq };
    case "skills_changed":
      return { ...state, skills: event.seq };
    case "teams_changed":
      return { ...state, teams: event.seq };
    case "schedules_changed":
      return { ...state, schedules: event.seq, clock: { due: event.due, busy: event.busy } };
    case "schedule_ended":
      return { ...state, scheduleEnded: event };
    case "inbox_changed":
      return { ...state, inbox: event.seq };
    case "memories_changed":
      return { ...state, memories: event.seq };
    case "source_control_changed":
      return { ...state, sourceControl: event.source_control };
    case "tab_changed":
      return { ...state, tabs: placed(state.tabs, event.tab) };
    case "tab_closed":
      return { ...state, tabs: state.tabs.filter(({ id }) => id !== event.tab_id) };
    case "call_changed":
      return { ...state, calls: placed(state.calls, event.call).slice(-MAX_CALLS) };
    case "surface_changed":
      return { ...state, surface: event.surface };
    case "settings_changed":
      return { ...state, settings: event.settings };
    case "console_changed":
    case "console_printed":
    case "console_cleared":
      return { ...state, console: applyToConsole(state.console, event) };
    case "models_changed":
      return { ...state, models: event.models };
    case "run_changed":
    case "run_streamed":
    case "run_forgotten":
      return { ...state, runs: applyToRuns(state.runs, event) };
    case "chat_changed":
    case "chat_deleted":
      return { ...state, chats: applyToChats(state.chats, event) };
    case "chat_message_changed":
    case "chat_streamed":
      return { ...state, chat: applyToChat(state.chat, event) };
    default:
      return state;
  }
}

/** Return the rows with one replaced, or appended if new. */
function placed<Row extends { id: string | number }>(rows: Row[], row: Row): Row[] {
  const index = rows.findIndex(({ id }) => id === row.id);
  return index < 0 ? [...rows, row] : rows.with(index, row);
}
