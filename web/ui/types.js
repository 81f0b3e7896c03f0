/**
 * The JSON shapes that the kernel and the page exchange.
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
 *
 * @typedef {object} ToolRow
 * @property {string} name
 * @property {string} description
 * @property {object} inputSchema
 * @property {Record<string, boolean>} [annotations]
 * @property {Effect} [effect]
 * @property {string} [group]
 * @property {string} [interrupts] the argument that names a terminal whose command it interrupts
 *
 * @typedef {object} TerminalRow
 * @property {string} id
 * @property {string} [title]
 * @property {string} working_dir
 * @property {boolean} focused
 * @property {string} backend
 * @property {boolean} busy
 * @property {string | null} running the running command
 * @property {string | null} caller of the running command; null if the person typed it
 * @property {number} x CSS pixels from the left of the workbench, and y from its top
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {boolean} floating
 *
 * @typedef {object} FileEntry
 * @property {string} name
 * @property {string} type
 * @property {number} size bytes
 * @property {string} color a CSS color
 * @property {string} path
 * @property {string} permissions as `rwxr-xr-x`
 * @property {string} modified ISO 8601
 * @property {number} x the position on the map, in CSS pixels
 * @property {number} y
 * @property {string} [link_target] the target of a symbolic link
 * @property {boolean} [broken] whether the link's target is missing
 *
 * @typedef {object} ShownFiles
 * @property {string} path
 * @property {FileEntry[]} entries
 * @property {boolean} [truncated]
 *
 * @typedef {object} OpenFile a file that is open in the editor
 * @property {number} id
 * @property {string} path
 * @property {string | null} stamp changes whenever the file is written; null if it was deleted
 *
 * @typedef {object} Editors
 * @property {OpenFile[]} files
 * @property {number | null} active the id of the file in front
 * @property {number | null} line to scroll to, from 1
 * @property {number} opened the number of files opened so far
 *
 * @typedef {object} TabRow
 * @property {string} id `page`, or the id of a tab
 * @property {string} url
 * @property {string} title
 * @property {boolean} active
 * @property {boolean} loading
 * @property {boolean} readable
 * @property {string} [why] the reason that it isn't readable
 *
 * @typedef {object} Call the last three are null while it runs
 * @property {number} id
 * @property {string} tool
 * @property {string} caller
 * @property {Effect} effect
 * @property {unknown} arguments
 * @property {string} started ISO 8601
 * @property {boolean | null} ok
 * @property {string | null} result_preview JSON text, cut at 2,000 characters
 * @property {number | null} duration_ms
 *
 * @typedef {object} Missing
 * @property {string} what
 * @property {string} why
 * @property {string} how
 *
 * @typedef {object} Surface
 * @property {boolean} isolated
 * @property {Missing[]} missing
 *
 * @typedef {object} Settings the person's settings for tools
 * @property {string[]} groups_off
 * @property {ToolRow[]} tools_off of these groups
 *
 * @typedef {"stdout" | "stderr"} Stream
 * @typedef {{stream: Stream, text: string} | {stream: "value", display: Display}} Printed text, or a value among it
 *
 * @typedef {{kind: "text", text: string, total: number}
 *   | {kind: "table", columns: string[], rows: string[][], total: number}
 *   | {kind: "html", html: string}
 *   | {kind: "markdown", text: string}
 *   | {kind: "latex", text: string}
 *   | {kind: "audio", media_type: string, data: string}
 *   | {kind: "image", media_type: string, data: string}} Display a value's representation; `total` counts characters or rows
 *
 * @typedef {object} ConsoleEntry
 * @property {number} id
 * @property {string} code
 * @property {string} caller
 * @property {string | null} source the file name in tracebacks
 * @property {string} started ISO 8601
 * @property {boolean} running
 * @property {Printed[]} output
 * @property {Display | null} display
 * @property {ErrorDetails | null} error
 *
 * @typedef {object} Console
 * @property {ConsoleEntry[]} entries oldest first
 * @property {string[]} inputs the person's inputs, oldest first
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
 * @typedef {{id: string, label: string, provider: string, model: string, base_url: string, ready: boolean, why: string | null}} ModelChoice
 *
 * @typedef {object} Models language models
 * @property {string | null} chosen the model that is asked by default, if it is ready
 * @property {string | null} why none is ready, and what to do
 * @property {string | null} default the person's choice, ready or not
 * @property {ModelChoice[]} choices
 * @property {Record<string, string>} agents model ids by agent
 * @property {string} prompt the person's custom instructions
 * @property {{name: string, ready: boolean, why: string | null}[]} providers of the companion
 * @property {string} builtin the availability of the browser's own model, as `LanguageModel.availability()` returns it
 * @property {{done: number, total: number} | null} loading of packages
 *
 * @typedef {object} PlanStep
 * @property {string} what
 * @property {string} [tool]
 * @property {"waiting" | "running" | "done" | "failed" | "skipped"} status
 * @property {string} [why]
 *
 * @typedef {"running" | "waiting" | "paused" | "done" | "failed" | "budget" | "cancelled" | "unfinished"} RunStatus
 *
 * @typedef {object} RunRow an agent's run
 * @property {string} id
 * @property {string} task
 * @property {string} agent
 * @property {string} strategy
 * @property {string} model
 * @property {boolean} demo whether a script plays the model
 * @property {string | null} continues the id of the previous run
 * @property {RunStatus} status `unfinished`: its page was closed while it ran
 * @property {number} steps the number of finished steps
 * @property {number} tokens
 * @property {number | null} cost in US dollars
 * @property {number} seconds
 * @property {number} began seconds since the epoch
 * @property {string | null} result shortened
 * @property {string | null} reason
 * @property {string | null} question
 * @property {PlanStep[] | null} plan
 * @property {boolean} busy whether a step is running
 * @property {boolean} held whether the next step waits until the run is resumed
 * @property {boolean} taken_over
 * @property {{thought: string, text: string, calls: string} | null} stream the model's output so far
 *
 * @typedef {object} RunCall
 * @property {string} id
 * @property {string} tool
 * @property {string} arguments JSON text
 * @property {string} result JSON text
 * @property {boolean} failed
 * @property {boolean} refused
 * @property {{argument: string, text: string, origin: string}[]} origins
 * @property {number} seconds
 *
 * @typedef {object} RunStep
 * @property {number} number
 * @property {string} thought
 * @property {string} text
 * @property {string} seen
 * @property {RunCall[]} calls
 * @property {string[]} notes
 * @property {{input: number, output: number, cached: number}} usage
 * @property {number | null} cost
 * @property {string} started ISO 8601
 * @property {number} seconds
 * @property {number | null} before the number of a screenshot
 * @property {number | null} after
 *
 * @typedef {{steps: RunStep[], plan: PlanStep[] | null, result: string | null}} RunSteps
 *
 * @typedef {object} ChatRow
 * @property {string} id
 * @property {string} title
 * @property {string | null} current the last message of the path shown
 * @property {boolean} tools whether the model may call tools
 * @property {boolean} busy whether an answer is being generated
 * @property {string} created ISO 8601
 * @property {string} updated ISO 8601
 *
 * @typedef {object} ChatCall a tool call of the model; `result` is null while it runs
 * @property {string} id
 * @property {string} tool
 * @property {string} arguments JSON text
 * @property {string | null} result
 * @property {boolean} failed
 *
 * @typedef {{text: string, call: ChatCall | null}} ChatPart
 *
 * @typedef {object} ChatAttachment
 * @property {string} id
 * @property {string} name
 * @property {string} media_type
 * @property {number} bytes
 * @property {string} [data] an image in base64
 *
 * @typedef {object} ChatMessage
 * @property {string} id
 * @property {string | null} parent messages with the same parent are branches
 * @property {"user" | "assistant"} role
 * @property {ChatPart[]} parts
 * @property {string} thought
 * @property {ChatAttachment[]} attachments
 * @property {"streaming" | "done" | "stopped" | "failed"} status
 * @property {{message: string, hint?: string | null} | null} error
 * @property {{input: number, output: number, cached: number}} usage in tokens
 * @property {string | null} model
 * @property {string} created ISO 8601
 *
 * @typedef {object} OpenedChat as of event number `seq`
 * @property {number} seq
 * @property {ChatRow} chat
 * @property {ChatMessage[]} messages of all branches, in order of creation
 *
 * @typedef {object} OpenChat the chat shown
 * @property {string} id
 * @property {ChatMessage[]} messages
 * @property {number | null} seq the event number at which they were read; null: they must be read
 * @property {ChatEvent[]} waiting events to apply once they are read
 *
 * @typedef {{type: "chat_message_changed", seq: number, chat_id: string, message: ChatMessage}
 *   | {type: "chat_streamed", seq: number, chat_id: string, message_id: string, text: string}} ChatEvent
 *
 * @typedef {object} SourceControl the repository that the Source Control panel shows
 * @property {string} folder where a repository can be initialized
 * @property {string[]} roots of the repositories to choose from
 * @property {string | null} root of the repository; null if there is none
 * @property {{branch: string | null, upstream: string | null, ahead: number, behind: number}} head
 * @property {string | null} commit the short id, if HEAD is detached
 * @property {{path: string, letter: string}[]} staged the first of them
 * @property {{path: string, letter: string}[]} changes the first of them
 * @property {number} staged_count
 * @property {number} changes_count
 * @property {string | null} problem git's error, instead of a state
 * @property {string} stamp changes whenever a changed file or the index is written
 *
 * @typedef {object} Snapshot
 * @property {number} seq
 * @property {TerminalRow[]} terminals
 * @property {ShownFiles | null} files
 * @property {Editors} editors
 * @property {TabRow[]} tabs
 * @property {Call[]} calls
 * @property {Surface} surface
 * @property {Settings} settings
 * @property {Console} console
 * @property {Models} models
 * @property {RunRow[]} runs
 * @property {ChatRow[]} chats
 * @property {SourceControl} source_control
 *
 * @typedef {{type: "terminal_created", seq: number, terminal: TerminalRow}
 *   | {type: "terminal_changed", seq: number, terminal: TerminalRow}
 *   | {type: "terminal_closed", seq: number, terminal_id: string}
 *   | ({type: "files_shown", seq: number} & ShownFiles)
 *   | {type: "editors_changed", seq: number, editors: Editors}
 *   | {type: "source_control_changed", seq: number, source_control: SourceControl}
 *   | {type: "tab_changed", seq: number, tab: TabRow}
 *   | {type: "tab_closed", seq: number, tab_id: string}
 *   | {type: "call_changed", seq: number, call: Call}
 *   | {type: "surface_changed", seq: number, surface: Surface}
 *   | {type: "settings_changed", seq: number, settings: Settings}
 *   | {type: "console_changed", seq: number, entry: ConsoleEntry}
 *   | {type: "console_printed", seq: number, entry_id: number, output: Printed[]}
 *   | {type: "console_cleared", seq: number, remaining: number[]}
 *   | {type: "models_changed", seq: number, models: Models}
 *   | {type: "run_changed", seq: number, run: RunRow}
 *   | {type: "run_streamed", seq: number, run_id: string, part: "thought" | "text" | "calls", text: string}
 *   | {type: "run_forgotten", seq: number, run_id: string}
 *   | {type: "chat_changed", seq: number, chat: ChatRow}
 *   | {type: "chat_deleted", seq: number, chat_id: string}
 *   | ChatEvent} KernelEvent
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
 *   | {type: "chat_opened", opened: OpenedChat}
 *   | {type: "webmcp", mode: WebMcpMode}} PageEvent
 *
 * @typedef {object} Measured in bytes; null if the browser doesn't report it
 * @property {number | null} memory of Python
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
 * @property {Editors | null} editors
 * @property {TabRow[]} tabs
 * @property {Call[]} calls oldest first
 * @property {Surface | null} surface
 * @property {Settings | null} settings
 * @property {Console} console
 * @property {RunRow[]} runs by start time, newest last
 * @property {Models} models
 * @property {ChatRow[]} chats
 * @property {SourceControl | null} sourceControl
 * @property {OpenChat | null} chat null if none is open, or a new one
 *
 * @typedef {object} ErrorDetails
 * @property {string} type
 * @property {string} message
 * @property {string | null} [hint]
 * @property {unknown} [data]
 *
 * @typedef {{isError: true, error: ErrorDetails}} Failure
 *
 * @typedef {object} Wire the part of a JSON-RPC connection that the page uses
 * @property {(method: string, params: object, options?: {signal?: AbortSignal}) => Promise<any>} request
 * @property {(method: string, listener: (params: any) => void) => unknown} on
 */

export {};
