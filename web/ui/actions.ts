/**
 * The actions that a person can take: the kernel's, some with files or a model ticket attached.
 *
 * @import { Blobs } from "../kernel/blobs.js"
 * @import { EditChatGiven, FollowUpGiven, GoOnGiven, ResumeTeamGiven, RetryChatGiven, RetryTaskGiven, RunAutomationGiven, SendChatGiven, StartRunGiven, StartTeamGiven, TryModelGiven } from "../generated/types.js"
 * @import { Completions, Exported, Failure, Imported, ArchiveSummary, Wire } from "./types.js"
 * @import { Ceiling, ModelTickets } from "./models/tickets.js"
 */

import { kernelActions } from "../generated/actions.js";
import { ask, isFailure } from "./call.js";
import { AGENT } from "./models/tickets.js";

/** @typedef {{blob: Blob, name: string, bytes: number}} Download */
/** @typedef {{path: string, file: Blob}} Upload */
/** @typedef {import("../generated/types.js").UploadFilesGiven["if_there"]} IfThere */
/** @typedef {import("../generated/types.js").StartRunGiven["strategy"]} Strategy */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {Wire} connection
 * @param {Blobs} blobs for files passed between page and kernel
 * @param {ModelTickets} tickets
 */
export function createActions(connection, blobs, tickets) {
  const kernel = kernelActions((action, given, signal) => ask(connection, "panel/act", { action, arguments: given }, signal));
  return {
    ...kernel,
    ...fileActions(kernel, connection, blobPassing(blobs)),
    ...paidActions(kernel, tickets),
    /** @param {string} code @param {number} cursor @returns {Promise<Completions | Failure>} */
    complete: (code, cursor) => ask(connection, "python/complete", { code, cursor }),
    /**
     * Ask about the Python code at a position: a line from 1, a column in code points from 0.
     *
     * @param {{about: "complete" | "signature" | "describe" | "define", path: string, text: string, line: number, column: number}} question
     * @returns {Promise<any>} Completions, `{signature}`, `{help}` or `{place}` (py/gemini/code/analysis.py), or a Failure
     */
    askCode: (question) => ask(connection, "code/ask", question),
    /** @param {string} code @returns {Promise<{complete: boolean} | Failure>} */
    isComplete: (code) => ask(connection, "python/is_complete", { code }),
    /** Call a tool that agents can be offered. @param {string} name @param {object} given @param {AbortSignal} signal @returns {Promise<unknown>} */
    callTool: (name, given, signal) => ask(connection, "panel/act", { action: "call_tool", arguments: { name, arguments: given } }, signal),
    /** @returns {Promise<Imported | Failure>} */
    resetAll: () => ask(connection, "storage/reset", {}),
    /** Set the spending limit of one press of Start or Send. @param {Ceiling} wanted @returns {Promise<object | Failure>} */
    setCeiling: (wanted) => tickets.setCeiling(wanted),
  };
}

/**
 * Return the actions that pass files beside the call.
 *
 * @param {ReturnType<typeof kernelActions>} kernel
 * @param {Wire} connection
 * @param {ReturnType<typeof blobPassing>} blobs
 */
function fileActions(kernel, connection, { withFiles, withBlob }) {
  return {
    /** @param {{directory: string, files: Upload[], folders: string[], if_there: IfThere}} given */
    uploadFiles: ({ files, ...given }) => withFiles(files, (passed) => kernel.uploadFiles({ ...given, files: passed })),
    /** Store a file that a page in a tab has downloaded. @param {{name: string, type: string, file: Blob}} given */
    saveDownload: ({ file, ...given }) => withFiles([{ path: "", file }], ([{ blob }]) => kernel.saveDownload({ ...given, blob })),
    /** @param {{files: Upload[]}} given */
    attachChat: ({ files }) => withFiles(files, (passed) => kernel.attachChat({ files: passed })),
    /** @param {{paths: string[]}} given @returns {Promise<Download | Failure>} */
    downloadFiles: (given) => withBlob(kernel.downloadFiles(given)),
    /** @param {{chat_id: string, format: "markdown" | "json"}} given @returns {Promise<Download | Failure>} */
    exportChat: (given) => withBlob(kernel.exportChat(given)),
    /** @param {{run_id: string, format: "markdown" | "json" | "html"}} given @returns {Promise<Download | Failure>} */
    exportRun: (given) => withBlob(kernel.exportRun(given)),
    /** @param {{machine: string}} given @returns {Promise<Download | Failure>} */
    exportMachine: (given) => withBlob(kernel.exportMachine(given)),
    /** Replace a machine's disk by a file. @param {{machine: string, file: Blob}} given */
    importMachine: ({ machine, file }) => withFiles([{ path: "", file }], ([{ blob }]) => kernel.importMachine({ machine, blob })),
    /** @returns {Promise<Exported | Failure>} */
    exportAll: () => withBlob(ask(connection, "storage/export", {})),
    /** @param {Blob} file @returns {Promise<ArchiveSummary | Failure>} */
    inspectExport: (file) => withFiles([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/look", { blob })),
    /** `take` names the permissions of the archive to import. @param {Blob} file @param {string[]} take @returns {Promise<Imported | Failure>} */
    importAll: (file, take) => withFiles([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/import", { blob, take })),
  };
}

/**
 * Return the actions that ask models. Each press grants a ticket.
 *
 * @param {ReturnType<typeof kernelActions>} kernel
 * @param {ModelTickets} tickets
 */
function paidActions(kernel, tickets) {
  /** @template Result @param {string | null} chat @param {(granted: {ticket?: string}) => Promise<Result>} call */
  const inChat = async (chat, call) => {
    const granted = await tickets.grantChat(chat);
    const answer = await call(granted);
    if (granted.ticket && !isFailure(answer)) tickets.noteChat(/** @type {any} */ (answer).chat_id);
    return answer;
  };
  return {
    /** @param {TryModelGiven} given */
    tryModel: async (given) => kernel.tryModel({ ...given, ...await tickets.grant("", given.id) }),
    tryEmbeddingModel: async () => kernel.tryEmbeddingModel(await tickets.grantEmbedding()),
    /** Search by meaning at a press; `searchByMeaning` goes on. @param {{text: string}} given @param {AbortSignal} signal */
    beginSearchByMeaning: async (given, signal) => kernel.searchByMeaning({ ...given, ...await tickets.grantEmbedding() }, signal),
    /** @param {StartRunGiven} given */
    startRun: async (given) => kernel.startRun({ ...given, ...await tickets.grant(AGENT, given.model ?? undefined) }),
    /** @param {StartTeamGiven} given */
    startTeam: async (given) => kernel.startTeam({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {ResumeTeamGiven} given */
    resumeTeam: async (given) => kernel.resumeTeam({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {RetryTaskGiven} given */
    retryTask: async (given) => kernel.retryTask({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {RunAutomationGiven} given */
    runAutomation: async (given) => kernel.runAutomation({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {FollowUpGiven} given */
    followUp: async (given) => kernel.followUp({ ...given, ...await tickets.grant(AGENT) }),
    /** Ask a model that costs money, at a press; `askFollowUp` asks the others. @param {{message: string}} given */
    payFollowUp: async (given) => kernel.askFollowUp({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {GoOnGiven} given */
    goOn: async (given) => kernel.goOn({ ...given, ...await tickets.grant(AGENT) }),
    /** @param {SendChatGiven} given */
    sendChat: (given) => inChat(given.chat_id ?? null, (granted) => kernel.sendChat({ ...given, ...granted })),
    /** @param {RetryChatGiven} given */
    retryChat: (given) => inChat(given.chat_id, (granted) => kernel.retryChat({ ...given, ...granted })),
    /** @param {EditChatGiven} given */
    editChat: (given) => inChat(given.chat_id, (granted) => kernel.editChat({ ...given, ...granted })),
  };
}

/**
 * Return wrappers for calls that pass files. The kernel has another origin, so files go beside the call, by id.
 *
 * @param {Blobs} blobs
 */
function blobPassing(blobs) {
  return {
    /**
     * @template Result
     * @param {Upload[]} files
     * @param {(given: {path: string, blob: string}[]) => Promise<Result>} call
     */
    async withFiles(files, call) {
      const given = files.map(({ path, file }) => ({ path, blob: blobs.offer(file) }));
      try {
        return await call(given);
      } finally {
        for (const { blob } of given) blobs.withdraw(blob);
      }
    },
    /** @param {Promise<any>} called */
    async withBlob(called) {
      const answer = await called;
      return isFailure(answer) ? answer : { ...answer, blob: await blobs.take(answer.blob) };
    },
  };
}
