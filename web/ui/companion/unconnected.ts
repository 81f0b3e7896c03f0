/** The words for a page whose companion runs, but doesn't know this browser. */

export const LACKING =
  "Until this browser is connected, the network (pip, git, web pages), MCP clients and terminals of this computer don’t work here.";

export const UNCONNECTED = `The companion that this page comes from runs, but this browser isn’t connected to it. Press Connect this browser. ${LACKING}`;
