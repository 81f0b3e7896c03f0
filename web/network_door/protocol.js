// The headers between the kernel's requests and the door; py/gemini_companion/network/door.py has the same.

export const REQUEST = "X-Network-Request";
export const ANSWER = "X-Network-Answer";
// The door's address below a service worker's scope; the key of the page to ask follows.
export const PATH = "network/worker/";

export const PROBLEM = "X-Network-Problem";
