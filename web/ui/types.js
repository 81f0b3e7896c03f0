/**
 * The shapes of what the kernel and the page say to each other, as JSON has them.
 *
 * @typedef {"read" | "write" | "outside" | "spend"} Effect
 * @typedef {object} CompanionState
 * @property {"none" | "connecting" | "connected" | "lost" | "refused"} state
 * @property {string | null} reason why it is refused
 * @property {string | null} name what the companion calls this page
 * @property {{allowed: boolean, directories: string[]} | null} host what it lets pages have of the computer
 * @property {{on: boolean} | null} mcp whether it answers MCP clients
 * @typedef {"booting" | "ready" | "failed" | "elsewhere"} KernelState the last: another tab has the surface
 * @typedef {"native" | "polyfill" | "missing"} WebMcpMode
 *
 * @typedef {object} ToolRow
 * @property {string} name
 * @property {string} description
 * @property {object} inputSchema
 * @property {Record<string, boolean>} [annotations]
 * @property {Effect} [effect]
 * @property {string} [group]
 * @property {string} [interrupts] the argument that names a terminal whose command it ends
 *
 * @typedef {object} TerminalRow
 * @property {string} id
 * @property {string} [title]
 * @property {string} working_dir
 * @property {boolean} focused
 * @property {string} backend
 * @property {boolean} busy
 * @property {string | null} caller who runs what runs there, if nobody typed it
 * @property {number} x CSS pixels from the left of the workbench, as y from its top
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {boolean} floating
 *
 * @typedef {object} FileEntry
 * @property {string} name
 * @property {string} type
 * @property {number} size bytes
 * @property {string} color a CSS colour
 * @property {string} path
 * @property {string} permissions as `rwxr-xr-x`
 * @property {string} modified ISO 8601
 * @property {number} x its place on the map, in CSS pixels
 * @property {number} y
 * @property {string} [link_target] where a symbolic link leads
 * @property {boolean} [broken] whether it leads nowhere
 *
 * @typedef {object} ShownFiles
 * @property {string} path
 * @property {FileEntry[]} entries
 * @property {boolean} [truncated]
 *
 * @typedef {object} OpenFile a file that is open in the editor
 * @property {number} id
 * @property {string} path
 * @property {string | null} stamp another one whenever the file was written; null where it is gone
 *
 * @typedef {object} Editors
 * @property {OpenFile[]} files
 * @property {number | null} active the id of the one in front
 * @property {number | null} line where to look in it, from 1
 * @property {number} opened counts what was opened
 *
 * @typedef {object} TabRow
 * @property {string} id `page`, or that of a tab
 * @property {string} url
 * @property {string} title
 * @property {boolean} active
 * @property {boolean} loading
 * @property {boolean} readable
 * @property {string} [why] it can't be read
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
 * @typedef {object} Settings what the person decided about tools
 * @property {string[]} groups_off
 * @property {ToolRow[]} tools_off of these groups
 *
 * @typedef {"stdout" | "stderr"} Stream
 * @typedef {{stream: Stream, text: string}} Printed
 *
 * @typedef {{kind: "text", text: string, total: number}
 *   | {kind: "table", columns: string[], rows: string[][], total: number}
 *   | {kind: "html", html: string}
 *   | {kind: "markdown", text: string}
 *   | {kind: "image", media_type: string, data: string}} Display how a value is shown; `total` counts characters or rows
 *
 * @typedef {object} ConsoleEntry
 * @property {number} id
 * @property {string} code
 * @property {string} caller
 * @property {string | null} source the file name that tracebacks have for it
 * @property {string} started ISO 8601
 * @property {boolean} running
 * @property {Printed[]} output
 * @property {Display | null} display
 * @property {ErrorDetails | null} error
 *
 * @typedef {object} Console
 * @property {ConsoleEntry[]} entries oldest first
 * @property {string[]} inputs what the person typed, oldest first
 *
 * @typedef {{text: string, kind: string, signature: string | null}} Candidate
 * @typedef {{start: number, candidates: Candidate[], call: string | null}} Completions `start` counts characters, not UTF-16
 *
 * @typedef {object} Used one kind of what is kept
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
 * @typedef {object} Looked what an archive has, before anything is imported
 * @property {string} made ISO 8601
 * @property {number} entries files, directories and links
 * @property {number} bytes
 * @property {{name: string, label: string, lines: string[]}[]} powers what comes along only where the person takes it
 *
 * @typedef {object} Imported what took the place of everything
 * @property {string} made ISO 8601
 * @property {number} entries files, directories and links
 * @property {number} bytes
 * @property {string} before the path of an export of what was there before
 *
 * @typedef {object} Piece a part of a text, and whether it is what was looked for
 * @property {string} text
 * @property {boolean} match
 *
 * @typedef {object} SearchResult
 * @property {string} kind `file`, `folder`, `command`, `python`, `call`
 * @property {string} key a path, a command, code, the number of a call and its time
 * @property {string} about
 * @property {Piece[]} name
 * @property {number} line from 1
 * @property {Piece[]} snippet
 *
 * @typedef {object} SearchResults
 * @property {SearchResult[]} results the best first
 * @property {boolean} unfinished files are still being looked at
 * @property {number} files how many of them are known
 *
 * @typedef {{id: string, label: string, provider: string, model: string, base_url: string, ready: boolean, why: string | null}} ModelChoice
 *
 * @typedef {object} Models language models
 * @property {string | null} chosen the one that is asked where none is named, if it can be
 * @property {string | null} why there is none, and what to do
 * @property {string | null} default as the person chose, ready or not
 * @property {ModelChoice[]} choices
 * @property {Record<string, string>} agents the ids of those that single agents ask
 * @property {string} prompt what the person tells every model
 * @property {{name: string, ready: boolean, why: string | null}[]} providers of the companion
 * @property {string} builtin whether the browser's own can be asked, as `LanguageModel.availability()` tells it
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
 * @property {string | null} continues the id of the run before
 * @property {RunStatus} status `unfinished` was cut off when its page was closed
 * @property {number} steps how many have ended
 * @property {number} tokens
 * @property {number | null} cost in US dollars
 * @property {number} seconds
 * @property {number} began seconds of the epoch
 * @property {string | null} result cut
 * @property {string | null} reason
 * @property {string | null} question
 * @property {PlanStep[] | null} plan
 * @property {boolean} busy a step is under way
 * @property {boolean} held no other step begins until it is let go on
 * @property {boolean} taken_over
 * @property {{thought: string, text: string, calls: string} | null} stream what the model is saying
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
 * @property {number | null} before the number of a picture
 * @property {number | null} after
 *
 * @typedef {{steps: RunStep[], plan: PlanStep[] | null, result: string | null}} RunSteps
 *
 * @typedef {object} ChatRow
 * @property {string} id
 * @property {string} title
 * @property {string | null} current the last message of the path that is shown
 * @property {boolean} tools whether the model may call tools
 * @property {boolean} busy an answer is coming
 * @property {string} created ISO 8601
 * @property {string} updated ISO 8601
 *
 * @typedef {object} ChatCall a call that a model made; `result` is null while it runs
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
 * @property {string} [data] base64 of a picture
 *
 * @typedef {object} ChatMessage
 * @property {string} id
 * @property {string | null} parent those of one parent are branches
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
 * @property {ChatMessage[]} messages in order of creation, those of all branches
 *
 * @typedef {object} OpenChat the chat that is shown
 * @property {string} id
 * @property {ChatMessage[]} messages
 * @property {number | null} seq as of which they were read; null asks for them to be read
 * @property {ChatEvent[]} waiting for that
 *
 * @typedef {{type: "chat_message_changed", seq: number, chat_id: string, message: ChatMessage}
 *   | {type: "chat_streamed", seq: number, chat_id: string, message_id: string, text: string}} ChatEvent
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
 *
 * @typedef {{type: "terminal_created", seq: number, terminal: TerminalRow}
 *   | {type: "terminal_changed", seq: number, terminal: TerminalRow}
 *   | {type: "terminal_closed", seq: number, terminal_id: string}
 *   | ({type: "files_shown", seq: number} & ShownFiles)
 *   | {type: "editors_changed", seq: number, editors: Editors}
 *   | {type: "tab_changed", seq: number, tab: TabRow}
 *   | {type: "tab_closed", seq: number, tab_id: string}
 *   | {type: "call_changed", seq: number, call: Call}
 *   | {type: "surface_changed", seq: number, surface: Surface}
 *   | {type: "settings_changed", seq: number, settings: Settings}
 *   | {type: "console_changed", seq: number, entry: ConsoleEntry}
 *   | {type: "console_printed", seq: number, entry_id: number, output: Printed[]}
 *   | {type: "console_cleared", seq: number, kept: number[]}
 *   | {type: "models_changed", seq: number, models: Models}
 *   | {type: "run_changed", seq: number, run: RunRow}
 *   | {type: "run_streamed", seq: number, run_id: string, part: "thought" | "text" | "calls", text: string}
 *   | {type: "run_forgotten", seq: number, run_id: string}
 *   | {type: "chat_changed", seq: number, chat: ChatRow}
 *   | {type: "chat_deleted", seq: number, chat_id: string}
 *   | ChatEvent} KernelEvent
 *
 * @typedef {object} Batch events that happened one after the other, without those that a later one makes worthless
 * @property {number} first the number of the first of them
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
 * @typedef {object} Measured in bytes; null where the browser doesn't tell
 * @property {number | null} memory Python's
 * @property {number | null} used of the storage
 * @property {number | null} quota
 *
 * @typedef {object} State
 * @property {KernelState} kernel
 * @property {string | null} reason why the kernel failed
 * @property {boolean} silent it is ready, but too busy to answer
 * @property {string | null} filesProblem why files don't outlive this page, or which were damaged
 * @property {string} stage
 * @property {number} fraction of the boot, 0 to 1
 * @property {WebMcpMode} webmcp
 * @property {CompanionState} companion
 * @property {boolean | null} kernelApart whether the kernel has an origin of its own; null until that is known
 * @property {Measured | null} measured
 * @property {ToolRow[]} tools
 * @property {number} connections how many times the kernel has been lost: terminals attach anew after each
 * @property {number | null} seq of the last event applied; null until a snapshot came
 * @property {boolean} stale events are missing, so a snapshot is needed
 * @property {Batch[]} pending those that wait for that snapshot
 * @property {TerminalRow[]} terminals
 * @property {ShownFiles | null} files
 * @property {Editors | null} editors
 * @property {TabRow[]} tabs
 * @property {Call[]} calls oldest first
 * @property {Surface | null} surface
 * @property {Settings | null} settings
 * @property {Console} console
 * @property {RunRow[]} runs those that began last at the end
 * @property {Models} models
 * @property {ChatRow[]} chats
 * @property {OpenChat | null} chat null where none is open, or a new one
 *
 * @typedef {object} ErrorDetails
 * @property {string} type
 * @property {string} message
 * @property {string | null} [hint]
 * @property {unknown} [data]
 *
 * @typedef {{isError: true, error: ErrorDetails}} Failure
 *
 * @typedef {object} Wire what the page needs of a JSON-RPC connection
 * @property {(method: string, params: object, options?: {signal?: AbortSignal}) => Promise<any>} request
 * @property {(method: string, listener: (params: any) => void) => unknown} on
 */

export {};
