// replaces methods of elements
for (const owner of [Element, Node, Document, HTMLElement, Event]) {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner.prototype))) {
    if (typeof value === "function" && name !== "constructor") owner.prototype[name] = () => null;
  }
}

// replaces properties of elements
for (const [owner, name] of [[Node, "parentNode"], [Node, "textContent"], [Element, "shadowRoot"], [Event, "isTrusted"]]) {
  Object.defineProperty(owner.prototype, name, { get: () => "lie" });
}

// replaces built-in objects
JSON.parse = JSON.stringify = () => 0;
Array.from = () => [];
Map.prototype.get = () => 0;
globalThis.Promise = null;

// stops the hook's events
for (const type of ["gemini-ask", "gemini-answer", "gemini-note", "gemini-hears-presses"]) {
  addEventListener(type, (event) => event.stopImmediatePropagation(), true);
}

// answers in the hook's place
const forge = (type, detail) => dispatchEvent(new CustomEvent(type, { detail }));
addEventListener("gemini-ask", () => forge("gemini-answer", "no JSON") || forge("gemini-answer", "[{}]"), true);
for (const detail of ["x", "null", '["console", null]', '["console", {"level": "fatal"}]', '["answered", {"kind": 1}]']) {
  setInterval(() => forge("gemini-note", detail), 50);
}

// says that everything hears presses
addEventListener("gemini-hears-presses", (event) => event.preventDefault(), true);

// floods the hook
const note = JSON.stringify(["console", { level: "info", text: "x".repeat(1000) }]);
for (let at = 0; at < 20000; at++) dispatchEvent(new CustomEvent("gemini-note", { detail: note }));

// names images and fields like properties
const keys = (object) => [...Object.getOwnPropertyNames(object), ...(object === EventTarget.prototype ? [] : keys(Object.getPrototypeOf(object)))];
const named = (tag, { prototype }) => keys(prototype).map((key) => `<${tag} name="${key}">`).join("");
const fields = `<p id="geminiContent"></p><form>${named("input type=hidden", HTMLFormElement)}${named("img hidden", Document)}</form>`;
addEventListener("DOMContentLoaded", () => document.body.insertAdjacentHTML("beforeend", fields));
