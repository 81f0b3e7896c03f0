/**
 * What a person can do here. Python knows which tool each action calls.
 *
 * @import { Blobs } from "../kernel/blobs.js"
 * @import { ChatAttachment, Completions, Exported, Failure, Imported, Looked, OpenedChat, PlanStep, RunSteps, SearchResults, Used, Wire } from "./types.js"
 * @import { Ceiling, ModelTickets } from "./models/tickets.js"
 */

import { ask, isFailure } from "./call.js";
import { AGENT } from "./models/tickets.js";

const SHOWN_BYTES = 512 * 1024;

/** @typedef {{success: boolean, files_count: number}} Navigated */
/** @typedef {{content: string, size: number, truncated: boolean, encoding: string}} FileContent */
/** @typedef {{where: "list" | "editor" | "preview", path: string}} ShownFile */
/** @typedef {{path: string, content: string, version: string, line_ending: string, bom: boolean}} EditorText */
/** @typedef {{version: string, size: number}} SavedText */
/** @typedef {{blob: Blob, name: string, bytes: number}} Offered */
/** @typedef {{path: string, file: Blob}} Upload */
/** @typedef {{id: string, caller: string, run: string | null, about: string | null, changed: number, files: number}} CheckpointRow `about` is what it took back */
/** @typedef {{path: string, change: string, size: number, same: boolean, kept: boolean, by: string[], now_at: string | null}} ChangedFile */
/** @typedef {{restored: string[], changed_since: string[], failed: {path: string, why: string}[], undo: string}} Restored */
/** @typedef {"refuse" | "keep_both" | "replace"} IfThere */
/** @typedef {{terminal_id: string}} CreatedTerminal */
/** @typedef {{chat_id: string, message_id: string}} AskedChat where an answer is to come */
/** @typedef {{provider: string, base_url?: string, api?: string, key?: string}} ModelPlace where a model is asked */
/** @typedef {{result: unknown, stdout: string, stderr: string}} PythonOutcome */

/**
 * @typedef {object} Actions
 * @property {(path: string) => Promise<Navigated | Failure>} navigate
 * @property {(path: string) => Promise<FileContent | Failure>} readFile
 * @property {(path: string, line?: number) => Promise<ShownFile | Failure>} openFile in the list or the editor, or says that it is for the preview
 * @property {(path: string) => Promise<{path: string} | Failure>} editFile in the editor, whatever it holds
 * @property {(path: string) => Promise<object | Failure>} closeFile in the editor
 * @property {(path: string) => Promise<EditorText | Failure>} readText
 * @property {(text: Omit<EditorText, "version"> & {version: string | null}) => Promise<SavedText | Failure>} saveText over the version that was read
 * @property {(path: string, kind: "file" | "directory") => Promise<{path: string} | Failure>} makeFile
 * @property {(path: string, to: string) => Promise<{path: string} | Failure>} moveFile
 * @property {(paths: string[]) => Promise<{ids: string[]} | Failure>} deleteFiles to the trash
 * @property {(ids: string[]) => Promise<{paths: string[]} | Failure>} restoreFiles from there
 * @property {(directory: string, files: Upload[], folders: string[], ifThere: IfThere) => Promise<{paths: string[]} | Failure>} uploadFiles
 * @property {(paths: string[]) => Promise<Offered | Failure>} downloadFiles
 * @property {() => Promise<CheckpointRow[] | Failure>} listCheckpoints newest first
 * @property {(checkpoint: string) => Promise<ChangedFile[] | Failure>} listChanges
 * @property {(checkpoint: string, path: string) => Promise<{before: string | null, now: string | null} | Failure>} changeTexts
 * @property {(checkpoint: string, paths?: string[]) => Promise<Restored | Failure>} takeBack
 * @property {(limits: Record<string, number>) => Promise<Record<string, number> | Failure>} limitHistory none says what they are
 * @property {(backend?: string) => Promise<CreatedTerminal | Failure>} newTerminal
 * @property {(press: string) => Promise<CreatedTerminal | Failure>} newOwnTerminal of this computer, by a press
 * @property {(id: string) => Promise<unknown>} focusTerminal
 * @property {(id: string) => Promise<unknown>} closeTerminal
 * @property {(code: string, signal: AbortSignal) => Promise<PythonOutcome | Failure>} runPython
 * @property {(code: string, cursor: number) => Promise<Completions | Failure>} complete
 * @property {(id: number) => Promise<string | Failure>} wholeValue of an entry of the console
 * @property {() => Promise<unknown>} clearConsole
 * @property {(url: string) => Promise<unknown>} openPage in the tab in front, or in a new one where that is the page itself
 * @property {(action: string, tab?: string) => Promise<unknown>} tabs open, focus, close, back, forward, reload
 * @property {(id: string, text: string) => Promise<unknown>} typeInTerminal
 * @property {(text: string, kinds: string[] | undefined, signal: AbortSignal) => Promise<SearchResults | Failure>} search
 * @property {(path: string, signal: AbortSignal) => Promise<string[] | Failure>} completePath
 * @property {(name: string, given: object, signal: AbortSignal) => Promise<unknown>} callTool of those that agents can be given
 * @property {(group: string, on: boolean) => Promise<unknown>} switchGroup
 * @property {() => Promise<Used[] | Failure>} storageUsage
 * @property {(place: ModelPlace, model: string) => Promise<{id: string} | Failure>} addModel
 * @property {(id: string) => Promise<object | Failure>} removeModel
 * @property {(id: string | null, agent: string | null) => Promise<unknown>} chooseModel as an agent's, or as the default where that is null
 * @property {(text: string) => Promise<unknown>} instructModels
 * @property {() => Promise<unknown>} refreshModels
 * @property {(place: ModelPlace) => Promise<{models: string[]} | Failure>} listModels
 * @property {(id: string) => Promise<{text: string, ms: number} | Failure>} tryModel
 * @property {(wanted: Ceiling) => Promise<object | Failure>} setCeiling of what a press allows of models
 * @property {(id: string) => Promise<OpenedChat | Failure>} openChat
 * @property {(chat: string | null, text: string, attachments: string[], tools: boolean) => Promise<AskedChat | Failure>} sendChat null begins one
 * @property {(files: Upload[]) => Promise<ChatAttachment[] | Failure>} attachChat
 * @property {(chat: string) => Promise<unknown>} stopChat
 * @property {(chat: string, message: string) => Promise<AskedChat | Failure>} retryChat
 * @property {(chat: string, message: string, text: string) => Promise<AskedChat | Failure>} editChat
 * @property {(chat: string, message: string) => Promise<unknown>} branchChat
 * @property {(chat: string, change: {title?: string, tools?: boolean}) => Promise<unknown>} changeChat
 * @property {(chat: string) => Promise<unknown>} deleteChat
 * @property {(chat: string, format: "markdown" | "json") => Promise<Offered | Failure>} exportChat
 * @property {() => Promise<Exported | Failure>} exportAll
 * @property {(file: Blob) => Promise<Looked | Failure>} lookAtExport
 * @property {(file: Blob, take: string[]) => Promise<Imported | Failure>} importAll `take` names powers of the archive
 * @property {() => Promise<Imported | Failure>} resetAll
 * @property {(task: string, strategy: string, more?: {tools?: string[], model?: string, budget?: Record<string, number>}) => Promise<{run_id: string} | Failure>} startRun
 * @property {() => Promise<{run_id: string} | Failure>} startDemo
 * @property {(id: string, action: string) => Promise<unknown>} controlRun pause, resume, step, take_over, give_back, cancel
 * @property {(id: string, text: string) => Promise<unknown>} answerRun
 * @property {(id: string, steps: Partial<PlanStep>[]) => Promise<unknown>} editPlan in the place of the steps that wait
 * @property {(id: string, task: string) => Promise<{run_id: string} | Failure>} followUp
 * @property {(id: string) => Promise<{run_id: string} | Failure>} goOn with a run that was cut off
 * @property {(id: string) => Promise<unknown>} forgetRun
 * @property {(id: string, after: number) => Promise<RunSteps | Failure>} runSteps
 * @property {(picture: number) => Promise<{data: string} | Failure>} runPicture a JPEG in base64
 */

/**
 * @param {Wire} connection
 * @param {Blobs} blobs what page and kernel show each other
 * @param {ModelTickets} tickets
 * @returns {Actions}
 */
export function createActions(connection, blobs, tickets) {
  /** @type {(action: string, given: object, signal?: AbortSignal) => Promise<any>} */
  const act = (action, given, signal) => ask(connection, "panel/act", { action, arguments: given }, signal);
  const { giving, getting } = passing(blobs);
  /** @type {(chat: string | null, action: string, given: object) => Promise<any>} */
  const inChat = async (chat, action, given) => {
    const granted = await tickets.grantChat(chat);
    const answer = await act(action, { ...given, ...granted });
    if (granted.ticket && !isFailure(answer)) tickets.noteChat(answer.chat_id);
    return answer;
  };
  return {
    navigate: (path) => act("navigate", { path }),
    readFile: (path) => act("read_file", { path, max_bytes: SHOWN_BYTES }),
    openFile: (path, line) => act("open_file", line === undefined ? { path } : { path, line }),
    editFile: (path) => act("edit_file", { path }),
    closeFile: (path) => act("close_file", { path }),
    readText: (path) => act("read_text", { path }),
    saveText: (text) => act("save_text", text),
    makeFile: (path, kind) => act("make_file", { path, kind }),
    moveFile: (path, to) => act("move_file", { path, to }),
    deleteFiles: (paths) => act("delete_files", { paths }),
    restoreFiles: (ids) => act("restore_files", { ids }),
    uploadFiles: (directory, files, folders, ifThere) =>
      giving(files, (given) => act("upload_files", { directory, files: given, folders, if_there: ifThere })),
    downloadFiles: (paths) => getting(act("download_files", { paths })),
    listCheckpoints: () => act("list_checkpoints", {}),
    listChanges: (checkpoint) => act("list_changes", { checkpoint }),
    changeTexts: (checkpoint, path) => act("change_texts", { checkpoint, path }),
    takeBack: (checkpoint, paths) => act("take_back", paths === undefined ? { checkpoint } : { checkpoint, paths }),
    limitHistory: (limits) => act("limit_history", limits),
    newOwnTerminal: (press) => act("new_own_terminal", { press }),
    newTerminal: (backend) => act("new_terminal", backend === undefined ? {} : { backend }),
    focusTerminal: (id) => act("focus_terminal", { terminal_id: id }),
    closeTerminal: (id) => act("close_terminal", { terminal_id: id }),
    runPython: (code, signal) => act("run_python", { code }, signal),
    complete: (code, cursor) => ask(connection, "python/complete", { code, cursor }),
    wholeValue: (id) => act("whole_value", { entry_id: id }),
    clearConsole: () => act("clear_console", {}),
    openPage: (url) => act("open_page", { url }),
    tabs: (action, tab) => act("tabs", tab === undefined ? { action } : { action, tab }),
    typeInTerminal: (id, text) => act("type_in_terminal", { terminal_id: id, text }),
    search: (text, kinds, signal) => act("search", { text, kinds }, signal),
    completePath: (path, signal) => act("complete_path", { path }, signal),
    callTool: (name, given, signal) => act("call_tool", { name, arguments: given }, signal),
    switchGroup: (group, on) => act("switch_group", { group, on }),
    addModel: (place, model) => act("add_model", { ...place, model }),
    removeModel: (id) => act("remove_model", { id }),
    chooseModel: (id, agent) => act("choose_model", { id, agent }),
    instructModels: (text) => act("instruct_models", { text }),
    refreshModels: () => act("refresh_models", {}),
    setCeiling: (wanted) => tickets.setCeiling(wanted),
    listModels: (place) => act("list_models", place),
    tryModel: async (id) => act("try_model", { id, ...await tickets.grant("", id) }),
    startRun: async (task, strategy, more = {}) =>
      act("start_run", { task, strategy, ...more, ...await tickets.grant(AGENT, more.model) }),
    startDemo: () => act("start_demo", {}),
    controlRun: (id, action) => act("control_run", { run_id: id, action }),
    answerRun: (id, text) => act("answer_run", { run_id: id, text }),
    editPlan: (id, steps) => act("edit_plan", { run_id: id, steps }),
    followUp: async (id, task) => act("follow_up", { run_id: id, task, ...await tickets.grant(AGENT) }),
    goOn: async (id) => act("go_on", { run_id: id, ...await tickets.grant(AGENT) }),
    forgetRun: (id) => act("forget_run", { run_id: id }),
    runSteps: (id, after) => act("run_steps", { run_id: id, after }),
    runPicture: (picture) => act("run_picture", { picture }),
    storageUsage: () => act("storage_usage", {}),
    openChat: (id) => act("open_chat", { chat_id: id }),
    sendChat: (chat, text, attachments, tools) => inChat(chat, "send_chat", { chat_id: chat, text, attachments, tools }),
    attachChat: (files) => giving(files, (given) => act("attach_chat", { files: given })),
    stopChat: (chat) => act("stop_chat", { chat_id: chat }),
    retryChat: (chat, message) => inChat(chat, "retry_chat", { chat_id: chat, message_id: message }),
    editChat: (chat, message, text) => inChat(chat, "edit_chat", { chat_id: chat, message_id: message, text }),
    branchChat: (chat, message) => act("branch_chat", { chat_id: chat, message_id: message }),
    changeChat: (chat, change) => act("change_chat", { chat_id: chat, ...change }),
    deleteChat: (chat) => act("delete_chat", { chat_id: chat }),
    exportChat: (chat, format) => getting(act("export_chat", { chat_id: chat, format })),
    exportAll: () => getting(ask(connection, "storage/export", {})),
    lookAtExport: (file) => giving([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/look", { blob })),
    importAll: (file, take) => giving([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/import", { blob, take })),
    resetAll: () => ask(connection, "storage/reset", {}),
  };
}

/**
 * Calls that pass files: the kernel has another origin, so they go beside the call, by ids.
 *
 * @param {Blobs} blobs
 */
function passing(blobs) {
  return {
    /**
     * @template Result
     * @param {Upload[]} files
     * @param {(given: {path: string, blob: string}[]) => Promise<Result>} call
     */
    async giving(files, call) {
      const given = files.map(({ path, file }) => ({ path, blob: blobs.offer(file) }));
      try {
        return await call(given);
      } finally {
        for (const { blob } of given) blobs.withdraw(blob);
      }
    },
    /** @param {Promise<any>} called */
    async getting(called) {
      const answer = await called;
      return isFailure(answer) ? answer : { ...answer, blob: await blobs.take(answer.blob) };
    },
  };
}
