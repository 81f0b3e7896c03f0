// JSON-RPC 2.0 (https://www.jsonrpc.org/specification) over a MessagePort, with MCP's `notifications/cancelled`.

import { Cancelled, InvalidArguments, PageProblem } from "./errors.ts";

/** gets what the caller sends, which it checks, and a signal; written as a method, because each declares its own params */
type Method = { call(params?: object): unknown }["call"];

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

// A request's start, as Python and `Connection` write it.
const REQUEST = /^\{"jsonrpc":\s?"2\.0",\s?"id":\s?(\d{1,15}),/;

/**
 * Answer the requests that arrive through `port`. Methods receive the params and a `signal` for cancellation.
 * @param longest - characters of a message; a longer one isn't parsed
 */
export function serve(port: MessagePort, methods: Record<string, Method>, longest: number = Infinity) {
  const running = new Map<unknown, AbortController>();
  const send = (answer: object) => port.postMessage(JSON.stringify({ jsonrpc: "2.0", ...answer }));

  const receive = async (text: string) => {
    if (typeof text === "string" && text.length > longest) {
      const [, id = "null"] = REQUEST.exec(text) ?? [];
      return send({
        id: JSON.parse(id),
        error: errorOf(new InvalidArguments(`The message has more than ${longest} characters.`)),
      });
    }
    const message = parse(text);
    if (!message) return send({ id: null, error: failure(PARSE_ERROR, "the message is not a JSON object") });
    const { id, method, params } = message;
    if (method === "notifications/cancelled") {
      return running.get(params?.requestId)?.abort(new Cancelled("The request was cancelled."));
    }
    if (id === undefined || id === null) return;
    if (typeof method !== "string") return send({ id, error: failure(INVALID_REQUEST, "the request has no method") });
    if (!Object.hasOwn(methods, method)) {
      return send({ id, error: failure(METHOD_NOT_FOUND, `there is no method ${JSON.stringify(method)}`) });
    }
    const controller = new AbortController();
    running.set(id, controller);
    try {
      send({ id, result: (await methods[method]({ ...params, signal: controller.signal })) ?? null });
    } catch (error) {
      // Answer every request, because its caller would wait forever.
      send({ id, error: errorOf(error) });
    } finally {
      running.delete(id);
    }
  };
  port.onmessage = (event) => void receive(event.data);
}

function parse(text: unknown) {
  try {
    const message = JSON.parse(String(text));
    return typeof message === "object" && message !== null && !Array.isArray(message) ? message : null;
  } catch {
    return null;
  }
}

function failure(code: number, message: string) {
  return { code, message, data: { type: "ProtocolError", message } };
}

function errorOf(error: unknown) {
  if (error instanceof PageProblem) {
    const { type, message, hint, data } = error;
    return { code: INTERNAL_ERROR, message, data: { type, message, hint, data } };
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { code: INTERNAL_ERROR, message, data: { type: "PageFailure", message } };
}
