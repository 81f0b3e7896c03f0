/**
 * The types of the page's own state, and of the protocol between the kernel and the page. What the kernel lists is declared in
 * Python; its types are generated.
 *
 * @import {
 *   CallRow, ChatMessageChanged, ChatMessageRow, ChatRow, ChatStreamed, ConsoleRow, ErrorRow, KernelEvent, ModelsRow, OpenChatResult,
 *   OpenFilesRow, RunRow, SettingsRow, ShownFiles, Snapshot, SourceControlRow, SurfaceRow, TabRow, TerminalRow, ToolRow,
 * } from "../generated/types.js"
 * @import { Registered } from "../../webmcp_bridge.js"
 *
 * @typedef {"read" | "write" | "outside" | "spend"} Effect
 * @typedef {object} CompanionState
 * @property {"none" | "connecting" | "connected" | "lost" | "refused"} state
 * @property {string | null} reason for a refusal
 * @property {string | null} name of this page in the companion
 * @property {{allowed: boolean, directories: string[]} | null} host the computer's folders that pages may use
 * @property {{on: boolean, git?: number} | null} mcp whether it answers MCP clients, and the number of changes of git credentials
 * @typedef {"booting" | "ready" | "failed" | "elsewhere"} KernelState elsewhere: another tab has the surface
 * @typedef {"native" | "polyfill" | "missing"} WebMcpMode
 * @typedef {"stdout" | "stderr"} Stream
 *
 * @typedef {{text: string, kind: string, signature: string | null}} Candidate
 * @typedef {{start: number, candidates: Candidate[], call: string | null}} Completions `start` counts code points, not UTF-16
 *
 * @typedef {object} StorageUse one kind of stored data
 * @property {string} what
 * @property {string} path
 * @property {number} entries
 * @property {number} bytes
 *
 * @typedef {object} Exported everything as one file
 * @property {Blob} blob
 * @property {string} name
 * @property {number} bytes
 *
 * @typedef {object} ArchiveSummary the contents of an archive, before anything is imported
 * @property {string} made ISO 8601
 * @property {number} entries files, directories and links
 * @property {number} bytes
 * @property {{name: string, label: string, lines: string[]}[]} powers permissions, imported only if the person selects them
 *
 * @typedef {object} Imported the result of an import
 * @property {string} made ISO 8601
 * @property {number} entries files, directories and links
 * @property {number} bytes
 * @property {string} before the path of an export of the previous contents
 *
 * @typedef {object} OpenChat the chat shown
 * @property {string} id
 * @property {ChatMessageRow[]} messages
 * @property {number | null} seq the event number at which they were read; null: they must be read
 * @property {ChatEvent[]} waiting events to apply once they are read
 *
 * @typedef {ChatMessageChanged | ChatStreamed} ChatEvent
 *
 * @typedef {object} Batch consecutive events, without those that a later one supersedes
 * @property {number} first the number of the first event
 * @property {number} last
 * @property {KernelEvent[]} events
 *
 * @typedef {{type: "snapshot", snapshot: Snapshot}
 *   | {type: "events", batch: Batch}
 *   | {type: "disconnected"}
 *   | {type: "progress", stage: string, fraction: number}
 *   | {type: "silent", silent: boolean}
 *   | {type: "kernel", kernel: KernelState, reason: string | null}
 *   | {type: "files_problem", problem: string}
 *   | {type: "kernel_place", apart: boolean}
 *   | {type: "tools", tools: ToolRow[]}
 *   | {type: "measured", measured: Measured}
 *   | {type: "companion", companion: CompanionState}
 *   | {type: "chat_opening", id: string | null}
 *   | {type: "chat_opened", opened: OpenChatResult}
 *   | {type: "webmcp", mode: WebMcpMode}
 *   | {type: "registered", registered: Registered}} PageEvent
 *
 * @typedef {object} Measured in bytes; null if the browser doesn't report it
 * @property {number | null} memory of Python
 * @property {number} machines memory of the Linux machines
 * @property {number | null} used storage
 * @property {number | null} quota
 *
 * @typedef {object} State
 * @property {KernelState} kernel
 * @property {string | null} reason for the kernel's failure
 * @property {boolean} silent whether the kernel is ready, but too busy to answer
 * @property {string | null} filesProblem why files aren't saved, or which are damaged
 * @property {string} stage
 * @property {number} fraction of the boot, 0 to 1
 * @property {WebMcpMode} webmcp
 * @property {Registered | null} registered the tools that agents in the browser see
 * @property {CompanionState} companion
 * @property {boolean | null} kernelApart whether the kernel has its own origin; null until known
 * @property {Measured | null} measured
 * @property {ToolRow[]} tools
 * @property {number} connections how often the kernel was lost: terminals attach again after each loss
 * @property {number | null} seq of the last event applied; null before the first snapshot
 * @property {boolean} stale whether events are missing, so that a snapshot is needed
 * @property {Batch[]} pending batches that wait for the snapshot
 * @property {TerminalRow[]} terminals
 * @property {ShownFiles | null} files
 * @property {OpenFilesRow | null} editors
 * @property {TabRow[]} tabs
 * @property {CallRow[]} calls oldest first
 * @property {SurfaceRow | null} surface
 * @property {SettingsRow | null} settings
 * @property {ConsoleRow} console
 * @property {RunRow[]} runs by start time, newest last
 * @property {ModelsRow} models
 * @property {ChatRow[]} chats
 * @property {SourceControlRow | null} sourceControl
 * @property {number} memories the event that changed them last
 * @property {number} teams the event that changed them last
 * @property {number} skills the event that changed them last
 * @property {number} automations the event that changed them last
 * @property {number} schedules the event that changed them last
 * @property {number} inbox the event that changed it last
 * @property {{due: number | null, busy: boolean} | null} clock the next slot of all schedules, in seconds since 1970, and whether a
 *   run of one works
 * @property {{brief: string, status: string} | null} scheduleEnded the run of a schedule that has ended last
 * @property {OpenChat | null} chat null if none is open, or a new one
 *
 * @typedef {{isError: true, error: ErrorRow}} Failure
 *
 * @typedef {object} Wire the part of a JSON-RPC connection that the page uses
 * @property {(method: string, params: object, options?: {signal?: AbortSignal}) => Promise<any>} request
 * @property {(method: string, listener: (params: any) => void) => unknown} on
 */

export {};
