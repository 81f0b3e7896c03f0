/**
 * What a person can do here. Python knows which tool each action calls.
 *
 * @import { ChatAttachment, Completions, Exported, Failure, Imported, OpenedChat, PlanStep, RunSteps, SearchResults, Used, Wire } from "./types.js"
 */

import { ask } from "./call.js";

const SHOWN_BYTES = 512 * 1024;

/** @typedef {{success: boolean, files_count: number}} Navigated */
/** @typedef {{content: string, size: number, truncated: boolean, encoding: string}} FileContent */
/** @typedef {{where: "list" | "editor" | "preview", path: string}} ShownFile */
/** @typedef {{path: string, content: string, version: string, line_ending: string, bom: boolean}} EditorText */
/** @typedef {{version: string, size: number}} SavedText */
/** @typedef {{url: string, name: string, bytes: number}} Offered */
/** @typedef {{path: string, url: string}} Upload */
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
 * @property {(backend?: string) => Promise<CreatedTerminal | Failure>} newTerminal
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
 * @property {(allowed: boolean) => Promise<unknown>} letPagesOutside whether pages made of files may reach other origins
 * @property {(name: string, given: object, signal: AbortSignal) => Promise<unknown>} callTool of those that agents can be given
 * @property {(group: string, on: boolean) => Promise<unknown>} switchGroup
 * @property {(action: string, caller: string) => Promise<unknown>} revokeGrant
 * @property {() => Promise<unknown>} revokeAllGrants
 * @property {() => Promise<Used[] | Failure>} storageUsage
 * @property {(place: ModelPlace, model: string) => Promise<{id: string} | Failure>} addModel
 * @property {(id: string) => Promise<object | Failure>} removeModel
 * @property {(id: string | null, agent: string | null) => Promise<unknown>} chooseModel as an agent's, or as the default where that is null
 * @property {(text: string) => Promise<unknown>} instructModels
 * @property {() => Promise<unknown>} refreshModels
 * @property {(place: ModelPlace) => Promise<{models: string[]} | Failure>} listModels
 * @property {(id: string) => Promise<{text: string, ms: number} | Failure>} tryModel
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
 * @property {(url: string) => Promise<Imported | Failure>} importAll from a `blob:` address
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
 * @returns {Actions}
 */
export function createActions(connection) {
  /** @type {(action: string, given: object, signal?: AbortSignal) => Promise<any>} */
  const act = (action, given, signal) => ask(connection, "panel/act", { action, arguments: given }, signal);
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
      act("upload_files", { directory, files, folders, if_there: ifThere }),
    downloadFiles: (paths) => act("download_files", { paths }),
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
    letPagesOutside: (allowed) => ask(connection, "site/outside", { allowed }),
    callTool: (name, given, signal) => act("call_tool", { name, arguments: given }, signal),
    switchGroup: (group, on) => act("switch_group", { group, on }),
    revokeGrant: (action, caller) => act("revoke_grant", { action, caller }),
    revokeAllGrants: () => act("revoke_all_grants", {}),
    addModel: (place, model) => act("add_model", { ...place, model }),
    removeModel: (id) => act("remove_model", { id }),
    chooseModel: (id, agent) => act("choose_model", { id, agent }),
    instructModels: (text) => act("instruct_models", { text }),
    refreshModels: () => act("refresh_models", {}),
    listModels: (place) => act("list_models", place),
    tryModel: (id) => act("try_model", { id }),
    startRun: (task, strategy, more = {}) => act("start_run", { task, strategy, ...more }),
    startDemo: () => act("start_demo", {}),
    controlRun: (id, action) => act("control_run", { run_id: id, action }),
    answerRun: (id, text) => act("answer_run", { run_id: id, text }),
    editPlan: (id, steps) => act("edit_plan", { run_id: id, steps }),
    followUp: (id, task) => act("follow_up", { run_id: id, task }),
    goOn: (id) => act("go_on", { run_id: id }),
    forgetRun: (id) => act("forget_run", { run_id: id }),
    runSteps: (id, after) => act("run_steps", { run_id: id, after }),
    runPicture: (picture) => act("run_picture", { picture }),
    storageUsage: () => act("storage_usage", {}),
    openChat: (id) => act("open_chat", { chat_id: id }),
    sendChat: (chat, text, attachments, tools) => act("send_chat", { chat_id: chat, text, attachments, tools }),
    attachChat: (files) => act("attach_chat", { files }),
    stopChat: (chat) => act("stop_chat", { chat_id: chat }),
    retryChat: (chat, message) => act("retry_chat", { chat_id: chat, message_id: message }),
    editChat: (chat, message, text) => act("edit_chat", { chat_id: chat, message_id: message, text }),
    branchChat: (chat, message) => act("branch_chat", { chat_id: chat, message_id: message }),
    changeChat: (chat, change) => act("change_chat", { chat_id: chat, ...change }),
    deleteChat: (chat) => act("delete_chat", { chat_id: chat }),
    exportChat: (chat, format) => act("export_chat", { chat_id: chat, format }),
    exportAll: () => ask(connection, "storage/export", {}),
    importAll: (url) => ask(connection, "storage/import", { url }),
    resetAll: () => ask(connection, "storage/reset", {}),
  };
}
