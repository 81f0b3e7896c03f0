/**
 * The events by which the content script asks the hook in the page's own world. A page can forge and read them; they
 * carry only what its own scripts know anyway: its console, its dialogs, which elements listen for presses.
 */

/** A cancelable event at an element; the hook cancels it if the element listens for presses. */
export const HEARS = "gemini-hears-presses";
/** `detail` is JSON, `[method, ...args]`; answered by ANSWER before it returns. */
export const ASK = "gemini-ask";
export const ANSWER = "gemini-answer";
/** `detail` is JSON, `[kind, value]`: a message of the console, or an answered dialog. */
export const NOTE = "gemini-note";

/** The name of the connection that carries requests to the page script. */
export const CONTROL = "gemini-control";
/** The name of the connection by which the content script asks for trusted input. */
export const INPUT = "gemini-input";
/** The name of the connection that carries the state of the bar, and the press of its button. */
export const BAR = "gemini-bar";
