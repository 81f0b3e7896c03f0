/**
 * The types of the page's own state, and of the protocol between the kernel and the page. The kernel's lists are
 * declared in Python; its types are generated.
 */

import type { Registered } from "../../../webmcp_bridge.js";
import type {
  CallRow,
  SaidRow,
  ShownRow,
  ChatMessageChanged,
  ChatMessageRow,
  ChatRow,
  ChatStreamed,
  ConsoleRow,
  ErrorRow,
  KernelEvent,
  ModelsRow,
  OpenChatResult,
  OpenFilesRow,
  RunRow,
  SettingsRow,
  ShownFiles,
  Snapshot,
  SourceControlRow,
  SurfaceRow,
  TabRow,
  TerminalRow,
  ToolRow,
} from "../../generated/types.ts";

export interface CompanionState {
  /** unconnected: the companion that serves this page runs, and doesn't know this browser */
  state: "none" | "unconnected" | "connecting" | "connected" | "lost" | "refused";
  /** for a refusal */
  reason: string | null;
  /** of this page in the companion */
  name: string | null;
  /** the computer's folders that pages may use */
  host: { allowed: boolean; directories: string[] } | null;
  /** whether it answers MCP clients, and the numbers of changes of git credentials and of the user's MCP servers */
  mcp: { on: boolean; git?: number; servers?: number } | null;
  /** its release; null: not connected, or before companions reported it */
  version: string | null;
}

/** elsewhere: another tab has the surface */
export type KernelState = "booting" | "ready" | "failed" | "elsewhere";

export type WebMcpMode = "native" | "polyfill" | "missing" | "unkeyed";
export type Candidate = { text: string; kind: string; signature: string | null };

/** `start` counts code points, not UTF-16 */
export type Completions = { start: number; candidates: Candidate[]; call: string | null };

/** one kind of stored data */
export interface StorageUse {
  what: string;
  path: string;
  entries: number;
  bytes: number;
}

/** everything as one file */
export interface Exported {
  blob: Blob;
  name: string;
  bytes: number;
}

/** the contents of an archive, before anything is imported */
export interface ArchiveSummary {
  /** ISO 8601 */
  made: string;
  /** files, directories and links */
  entries: number;
  bytes: number;
  /** permissions, imported only if the user selects them */
  powers: { name: string; label: string; lines: string[] }[];
}

/** a call of the log as people see it */
export interface SeenCall {
  id: number;
  said: SaidRow;
  shown: ShownRow[];
}

/** the result of an import */
export interface Imported {
  /** ISO 8601 */
  made: string;
  /** files, directories and links */
  entries: number;
  bytes: number;
  /** the path of an export of the previous contents */
  before: string;
}

/** the chat shown */
export interface OpenChat {
  id: string;
  messages: ChatMessageRow[];
  /** the event number at which they were read; null: they must be read */
  seq: number | null;
  /** events to apply once they are read */
  waiting: ChatEvent[];
}

export type ChatEvent = ChatMessageChanged | ChatStreamed;

/** consecutive events, without those that a later one supersedes */
export interface Batch {
  /** the number of the first event */
  first: number;
  last: number;
  events: KernelEvent[];
}

export type PageEvent =
  | { type: "snapshot"; snapshot: Snapshot }
  | { type: "events"; batch: Batch }
  | { type: "disconnected" }
  | { type: "progress"; stage: string; fraction: number }
  | { type: "silent"; silent: boolean }
  | { type: "kernel"; kernel: KernelState; reason: string | null }
  | { type: "files_problem"; problem: string }
  | { type: "kernel_place"; apart: boolean }
  | { type: "tools"; tools: ToolRow[] }
  | { type: "measured"; measured: Measured }
  | { type: "companion"; companion: CompanionState }
  | { type: "chat_opening"; id: string | null }
  | { type: "chat_opened"; opened: OpenChatResult }
  | { type: "webmcp"; mode: WebMcpMode }
  | { type: "registered"; registered: Registered };

/** in bytes; null if the browser doesn't report it */
export interface Measured {
  /** of Python */
  memory: number | null;
  /** memory of the Linux machines */
  machines: number;
  /** storage */
  used: number | null;
  quota: number | null;
}

export interface State {
  kernel: KernelState;
  /** for the kernel's failure */
  reason: string | null;
  /** whether the kernel is ready, but too busy to answer */
  silent: boolean;
  /** why files aren't saved, or which are damaged */
  filesProblem: string | null;
  stage: string;
  /** of the boot, 0 to 1 */
  fraction: number;
  webmcp: WebMcpMode;
  /** the tools that agents in the browser see */
  registered: Registered | null;
  companion: CompanionState;
  /** whether the kernel has its own origin; null until known */
  kernelApart: boolean | null;
  measured: Measured | null;
  tools: ToolRow[];
  /** how often the kernel was lost: terminals attach again after each loss */
  connections: number;
  /** of the last event applied; null before the first snapshot */
  seq: number | null;
  /** whether events are missing, so that a snapshot is needed */
  stale: boolean;
  /** batches that wait for the snapshot */
  pending: Batch[];
  terminals: TerminalRow[];
  files: ShownFiles | null;
  editors: OpenFilesRow | null;
  tabs: TabRow[];
  /** oldest first */
  calls: CallRow[];
  surface: SurfaceRow | null;
  settings: SettingsRow | null;
  console: ConsoleRow;
  /** by start time, newest last */
  runs: RunRow[];
  models: ModelsRow;
  chats: ChatRow[];
  sourceControl: SourceControlRow | null;
  /** the event that changed them last */
  memories: number;
  /** the event that changed them last */
  teams: number;
  /** the event that changed them last */
  skills: number;
  /** the event that changed them last */
  automations: number;
  /** the event that changed them last */
  schedules: number;
  /** the event that changed it last */
  inbox: number;
  /** the next slot of all schedules, in seconds since 1970, and whether a run of one works */
  clock: { due: number | null; busy: boolean } | null;
  /** the run of a schedule that has ended last */
  scheduleEnded: { brief: string; status: string } | null;
  /** null if none is open, or a new one */
  chat: OpenChat | null;
}

export type Failure = { isError: true; error: ErrorRow };

/** the part of a JSON-RPC connection that the page uses */
export interface Wire {
  /** its caller knows the type of the method's result (web/generated) */
  request: <Result>(method: string, params: object, options?: { signal?: AbortSignal }) => Promise<Result>;
  /** written as a method, because each listener knows the notification's params */
  on(method: string, listener: { hear(params: object): void }["hear"]): unknown;
}
