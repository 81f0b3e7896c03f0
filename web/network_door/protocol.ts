// The headers of requests to the door and of its answers. py/gemini_companion/network/door.py has the same.

export const REQUEST = "X-Network-Request";
export const ANSWER = "X-Network-Answer";
// The door's path below a service worker's scope. The key of the page to ask follows.
export const PATH = "network/worker/";

export const PROBLEM = "X-Network-Problem";
