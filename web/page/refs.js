// Names for elements: `e1`, `e2`, … One belongs to its element for as long as that lives, and is never given again.

/** @typedef {{ role: string, name: string }} Memory what a ref's element was when it was last seen */

// The memory of an element that is gone helps to find what took its place; that of very many is only weight.
const MOST_MEMORIES = 20_000;

export class Refs {
  constructor() {
    /** @type {WeakMap<Element, string>} */
    this.names = new WeakMap();
    /** @type {Map<string, WeakRef<Element>>} */
    this.elements = new Map();
    /** @type {Map<string, Memory>} */
    this.memories = new Map();
    this.last = 0;
    this.most = MOST_MEMORIES;
  }

  /** The element's ref, a new one where it has none. @param {Element} element */
  of(element) {
    const known = this.names.get(element);
    if (known !== undefined) return known;
    const ref = `e${++this.last}`;
    this.names.set(element, ref);
    this.elements.set(ref, new WeakRef(element));
    return ref;
  }

  /** The ref that the element has, if any. @param {Element} element */
  known(element) {
    return this.names.get(element);
  }

  /** The element, attached or not; undefined where it no longer lives. @param {string} ref */
  element(ref) {
    return this.elements.get(ref)?.deref();
  }

  /** Whether the ref was ever given. @param {string} ref */
  wasGiven(ref) {
    return /^e[1-9]\d*$/.test(ref) && Number(ref.slice(1)) <= this.last;
  }

  /** Keep what the element was. @param {string} ref @param {string} role @param {string} name */
  remember(ref, role, name) {
    this.memories.set(ref, { role, name });
    if (this.memories.size > this.most) this.forgetDead();
  }

  /** What the element was when it was last seen. @param {string} ref @returns {Memory | undefined} */
  memory(ref) {
    return this.memories.get(ref);
  }

  /** Make room: of elements that are gone, the latest half is kept. */
  forgetDead() {
    const dead = [...this.elements].filter(([, weak]) => weak.deref() === undefined).map(([ref]) => ref);
    for (const ref of dead) this.elements.delete(ref);
    const gone = [...this.memories.keys()].filter((ref) => !this.elements.has(ref));
    for (const ref of gone.slice(0, gone.length >> 1)) this.memories.delete(ref);
    // Not again before as many have come, however many live.
    this.most = Math.max(MOST_MEMORIES, 2 * this.memories.size);
  }
}
