import * as dom from "../../page/dom.ts";

/**
 * The bar in a shared tab: who uses it, and a button that ends this. It is in a closed root, and only presses of the
 * person count. The page can't change its content; if the page removes, covers or disables it, the bar returns, and if
 * that doesn't help, the tab is no longer shared.
 */

const STYLE = `
  :host { all: initial; }
  .bar { display: flex; gap: 12px; align-items: center; box-sizing: border-box; padding: 4px 6px 4px 14px;
    border: 2px solid #c0a3f5; border-radius: 8px; background: #2a2140; color: #fff; font: 14px/1.4 system-ui, sans-serif;
    box-shadow: 0 4px 16px rgb(0 0 0 / 40%); }
  .dot { width: 9px; height: 9px; border-radius: 50%; background: #c0a3f5; }
  .working .dot { background: #f0b860; }
  button { all: unset; box-sizing: border-box; padding: 4px 12px; border-radius: 6px; background: #ff8f85; color: #1b1020;
    font-weight: 600; cursor: pointer; }
  button:focus-visible { outline: 3px solid #fff; outline-offset: 2px; }`;
// Above the page, in the middle. The page's style sheets have no effect on important inline styles.
const PLACE = {
  all: "initial",
  position: "fixed",
  inset: "8px auto auto 50%",
  transform: "translateX(-50%)",
  display: "block",
  margin: "0",
  padding: "0",
  border: "0",
  background: "transparent",
  overflow: "visible",
  opacity: "1",
  visibility: "visible",
  "pointer-events": "auto",
  "z-index": "2147483647",
  width: "max-content",
  height: "max-content",
};
// How often the bar looks whether it is reachable. A page that has taken it away this often won't stop; each time that it
// is there makes up for a part of one.
const LOOK_MS = 500;
const PATIENCE = 5;
const FORGIVEN = 0.25;

export class Bar {
  host = dom.createElement(document, "div");
  #root = this.host.attachShadow({ mode: "closed" });
  #words = dom.createElement(document, "span");
  #bar = dom.createElement(document, "div");
  #port: chrome.Port | null = null;
  /** Counts the times that the page has taken it away, less those forgiven. */
  #taken = 0;
  #attributes = "";
  #looking: ReturnType<typeof setInterval> | undefined;
  /** False while something is drawn above it, as the browser says, also what lets presses through. */
  #isSeen = true;
  #watch: IntersectionObserver;

  constructor() {
    const dot = dom.createElement(document, "span");
    const button = dom.createElement(document, "button");
    // The page's policy may forbid style elements.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    this.#root.adoptedStyleSheets = [sheet];
    dot.className = "dot";
    this.#bar.className = "bar";
    this.#bar.setAttribute("role", "region");
    this.#bar.setAttribute("aria-label", "Control surface");
    button.textContent = "Stop";
    button.title = "Take this tab back";
    button.addEventListener("click", ({ isTrusted }) => isTrusted && this.#port?.postMessage("stop"));
    this.#bar.append(dot, this.#words, button);
    this.#root.append(this.#bar);
    for (const [name, value] of Object.entries(PLACE)) this.host.style.setProperty(name, value, "important");
    this.host.setAttribute("popover", "manual");
    this.#attributes = attributesOf(this.host);
    // https://w3c.github.io/IntersectionObserver/v2/
    const tracking: IntersectionObserverInit & { trackVisibility: boolean; delay: number } = {
      trackVisibility: true,
      delay: 100,
    };
    this.#watch = new IntersectionObserver((entries) => {
      const entry: (IntersectionObserverEntry & { isVisible?: boolean }) | undefined = entries.at(-1);
      this.#isSeen = entry?.isVisible !== false;
    }, tracking);
  }

  /**
   * Show the bar while `port` is connected.
   * @param port - receives `{who, working}`, sends "stop" or "taken"
   */
  attach(port: chrome.Port) {
    this.#port?.disconnect();
    this.#port = port;
    port.onMessage.addListener((state: { who: string; working: boolean }) => this.#draw(state));
    port.onDisconnect.addListener(() => this.#port === port && this.#remove());
    this.#looking ??= setInterval(() => this.#look(), LOOK_MS);
    this.#watch.observe(this.#bar);
    this.#place();
  }

  #draw({ who, working }: { who: string; working: boolean }) {
    this.#words.textContent = working ? `${who} is using this tab` : `This tab is shared with ${who}`;
    this.#bar.classList.toggle("working", working);
  }

  #remove() {
    this.#port = null;
    clearInterval(this.#looking);
    this.#watch.disconnect();
    this.#isSeen = true;
    this.#looking = undefined;
    this.host.remove();
  }

  /** Put the bar above everything, also above modal dialogs, outside of which nothing can be pressed. */
  #place() {
    const modal = [...dom.querySelectorAll(document, "dialog:modal")].at(-1);
    dom.append(modal ?? dom.documentElement(document), this.host);
    if (this.host.matches(":popover-open")) this.host.hidePopover();
    this.host.showPopover();
  }

  #look() {
    if (dom.visibilityState(document) !== "visible") return;
    if (this.#isReachable()) {
      this.#taken = Math.max(0, this.#taken - FORGIVEN);
      return;
    }
    this.#taken += 1;
    if (this.#taken >= PATIENCE) return void this.#port?.postMessage("taken");
    for (const { name } of [...this.host.attributes])
      if (name !== "style" && name !== "popover") this.host.removeAttribute(name);
    this.host.setAttribute("popover", "manual");
    for (const [name, value] of Object.entries(PLACE)) this.host.style.setProperty(name, value, "important");
    this.#place();
  }

  /** Return whether the user sees and can press it: nothing is above its middle and its ends. */
  #isReachable() {
    if (!this.#isSeen || !this.host.isConnected || attributesOf(this.host) !== this.#attributes) return false;
    const { left, right, top, bottom } = this.#bar.getBoundingClientRect();
    const middle = (top + bottom) / 2;
    const points = [left + 6, (left + right) / 2, right - 6];
    return (
      right > left &&
      points.every((x) => dom.elementFromPoint(document, x, middle) === this.host) &&
      isOpaque(this.host)
    );
  }
}

function attributesOf(element: Element) {
  return [...element.attributes]
    .map(({ name, value }) => `${name}=${value}`)
    .sort()
    .join("\n");
}

/** Return whether no element around it makes it transparent or unpressable. */
function isOpaque(element: Element) {
  return (
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest("[inert]") === null &&
    Number(getComputedStyle(dom.documentElement(document)).opacity) > 0.5
  );
}
