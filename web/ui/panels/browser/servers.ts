/** Python's side of the servers in the page. */

import type { Servers } from "./sites.ts";

export function serversOf(request: <Result>(method: string, params: object) => Promise<Result>): Servers {
  // A kernel that was replaced has no answers and no sockets.
  const drop = (method: string, params: object) => void request(method, params).catch(() => {});
  return {
    ask: (sent) => request("server/request", sent),
    more: (stream) => request("server/more", { stream }),
    end: (stream) => drop("server/end", { stream }),
    sockets: {
      open: async (to) => {
        const opened = await request<{ problem?: string; socket: number; protocol: string }>("server/open_socket", to);
        if (opened.problem !== undefined) throw new Error(opened.problem);
        return opened;
      },
      receive: (socket) => request("server/receive", { socket }),
      send: (message) => request("server/send", message),
      close: (end) => request("server/close", end),
      leave: (socket) => drop("server/leave", { socket }),
    },
  };
}
