// The body of a function that performs one action of a task by the events that a simple script dispatches.

const [action, options] = arguments;

const KEYS = { Enter: 13, ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39, Home: 36 };

function find({ ref, selector, x, y }) {
  if (ref) return geminiPage.element(ref);
  if (selector) return document.querySelector(selector);
  return x === undefined ? document.activeElement : document.elementFromPoint(x, y);
}

function centerOf(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}

function mouse(target, type, [clientX, clientY], detail = 1) {
  const init = { bubbles: true, cancelable: true, view: window, clientX, clientY, detail, buttons: 1 };
  target.dispatchEvent(new MouseEvent(type, init));
}

function press(key) {
  const keyCode = key.length === 1 ? key.toUpperCase().charCodeAt(0) : KEYS[key];
  for (const type of ["keydown", "keypress", "keyup"]) {
    const init = { bubbles: true, cancelable: true, key, keyCode, which: keyCode };
    document.activeElement.dispatchEvent(new KeyboardEvent(type, init));
  }
}

function change(target) {
  for (const type of ["input", "change"]) target.dispatchEvent(new Event(type, { bubbles: true }));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const element = find(options);
const point = options.x === undefined ? centerOf(element) : [options.x, options.y];

const ACTIONS = {
  click() {
    for (const type of ["mouseover", "mousedown"]) mouse(element, type, point);
    element.focus?.();
    for (const type of ["mouseup", "click"]) mouse(element, type, point);
    if (options.double) mouse(element, "dblclick", point, 2);
  },
  hover() {
    for (const type of ["mouseover", "mouseenter", "mousemove"]) mouse(element, type, point);
  },
  type() {
    element.focus();
    if (element.isContentEditable) element.textContent = options.text;
    else element.value = options.text;
    press(options.text.at(-1) ?? " ");
    change(element);
  },
  select() {
    const wanted = [options.option].flat();
    for (const option of element.options) option.selected = wanted.includes(option.label);
    change(element);
  },
  pressKey: () => press(options.key),
  scroll() {
    element.scrollTop = options.direction === "up" ? 0 : element.scrollHeight;
  },
  async drag() {
    const [x, y] = point;
    const { to, to_x: toX, to_y: toY, dx = 0, dy = 0 } = options;
    const end = to ? centerOf(document.querySelector(to)) : toX === undefined ? [x + dx, y + dy] : [toX, toY];
    let start = point;
    mouse(element, "mousedown", start);
    for (const next of options.path ?? [end]) {
      for (let step = 1; step <= 10; step++) {
        const at = start.map((from, index) => from + ((next[index] - from) * step) / 10);
        mouse(document.elementFromPoint(...at) ?? document.body, "mousemove", at);
        await pause(10);
      }
      start = next;
    }
    mouse(document.elementFromPoint(...start) ?? document.body, "mouseup", start);
  },
};
await ACTIONS[action]();
await pause(50);
return {};
