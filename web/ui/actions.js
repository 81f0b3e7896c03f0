/**
 * What a person can do here: the kernel's actions, some of which pass files or a ticket to a model besides.
 *
 * @import { Blobs } from "../kernel/blobs.js"
 * @import { EditChatGiven, FollowUpGiven, GoOnGiven, RetryChatGiven, SendChatGiven, StartRunGiven, TryModelGiven } from "../generated/actions.js"
 * @import { Completions, Exported, Failure, Imported, Looked, Wire } from "./types.js"
 * @import { Ceiling, ModelTickets } from "./models/tickets.js"
 */

import { kernelActions } from "../generated/actions.js";
import { ask, isFailure } from "./call.js";
import { AGENT } from "./models/tickets.js";

/** @typedef {{blob: Blob, name: string, bytes: number}} Offered */
/** @typedef {{path: string, file: Blob}} Upload */
/** @typedef {import("../generated/actions.js").UploadFilesGiven["if_there"]} IfThere */
/** @typedef {import("../generated/actions.js").StartRunGiven["strategy"]} Strategy */
/** @typedef {ReturnType<typeof createActions>} Actions */

/**
 * @param {Wire} connection
 * @param {Blobs} blobs what page and kernel show each other
 * @param {ModelTickets} tickets
 */
export function createActions(connection, blobs, tickets) {
  const kernel = kernelActions((action, given, signal) => ask(connection, "panel/act", { action, arguments: given }, signal));
  return {
    ...kernel,
    ...filesOf(kernel, connection, passing(blobs)),
    ...paid(kernel, tickets),
    /** @param {string} code @param {number} cursor @returns {Promise<Completions | Failure>} */
    complete: (code, cursor) => ask(connection, "python/complete", { code, cursor }),
    /** Of those that agents can be given. @param {string} name @param {object} given @param {AbortSignal} signal @returns {Promise<unknown>} */
    callTool: (name, given, signal) => ask(connection, "panel/act", { action: "call_tool", arguments: { name, arguments: given } }, signal),
    /** @returns {Promise<Imported | Failure>} */
    resetAll: () => ask(connection, "storage/reset", {}),
    /** Of what a press allows of models. @param {Ceiling} wanted @returns {Promise<object | Failure>} */
    setCeiling: (wanted) => tickets.setCeiling(wanted),
  };
}

/**
 * Actions that pass files, which go beside the call.
 *
 * @param {ReturnType<typeof kernelActions>} kernel
 * @param {Wire} connection
 * @param {ReturnType<typeof passing>} blobs
 */
function filesOf(kernel, connection, { giving, getting }) {
  return {
    /** @param {{directory: string, files: Upload[], folders: string[], if_there: IfThere}} given */
    uploadFiles: ({ files, ...given }) => giving(files, (passed) => kernel.uploadFiles({ ...given, files: passed })),
    /** @param {{files: Upload[]}} given */
    attachChat: ({ files }) => giving(files, (passed) => kernel.attachChat({ files: passed })),
    /** @param {{paths: string[]}} given @returns {Promise<Offered | Failure>} */
    downloadFiles: (given) => getting(kernel.downloadFiles(given)),
    /** @param {{chat_id: string, format: "markdown" | "json"}} given @returns {Promise<Offered | Failure>} */
    exportChat: (given) => getting(kernel.exportChat(given)),
    /** @returns {Promise<Exported | Failure>} */
    exportAll: () => getting(ask(connection, "storage/export", {})),
    /** @param {Blob} file @returns {Promise<Looked | Failure>} */
    lookAtExport: (file) => giving([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/look", { blob })),
    /** `take` names powers of the archive. @param {Blob} file @param {string[]} take @returns {Promise<Imported | Failure>} */
    importAll: (file, take) => giving([{ path: "", file }], ([{ blob }]) => ask(connection, "storage/import", { blob, take })),
  };
}

/**
 * Actions that ask models: the press that does one grants a ticket.
 *
 * @param {ReturnType<typeof kernelActions>} kernel
 * @param {ModelTickets} tickets
 */
function paid(kernel, tickets) {
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
    /** @param {StartRunGiven} given */
    startRun: async (given) => kernel.startRun({ ...given, ...await tickets.grant(AGENT, given.model ?? undefined) }),
    /** @param {FollowUpGiven} given */
    followUp: async (given) => kernel.followUp({ ...given, ...await tickets.grant(AGENT) }),
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
