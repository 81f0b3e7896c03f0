// Short names for elements: `e1`, `e2`, … A ref belongs to its element until the element is destroyed; it is never
// reused.

/** the last known description of a ref's element */
type Memory = { role: string; name: string };

// The memory of a removed element helps to find its replacement. The limit bounds the space.
const MAX_MEMORIES = 20_000;

/** The refs of a page. */
export class Refs {
  names = new WeakMap<Element, string>();
  elements = new Map<string, WeakRef<Element>>();
  memories = new Map<string, Memory>();
  last = 0;
  most = MAX_MEMORIES;

  /** Return the element's ref, or a new one. */
  of(element: Element) {
    const known = this.names.get(element);
    if (known !== undefined) return known;
    const ref = `e${++this.last}`;
    this.names.set(element, ref);
    this.elements.set(ref, new WeakRef(element));
    return ref;
  }

  /** Return the element's ref, or undefined. */
  known(element: Element) {
    return this.names.get(element);
  }

  /** Return the element, attached or not, or undefined if it no longer exists. */
  element(ref: string) {
    return this.elements.get(ref)?.deref();
  }

  /** Return whether the ref was ever issued. */
  wasIssued(ref: string) {
    return /^e[1-9]\d*$/.test(ref) && Number(ref.slice(1)) <= this.last;
  }

  /** Save an element's description. */
  remember(ref: string, role: string, name: string) {
    this.memories.set(ref, { role, name });
    if (this.memories.size > this.most) this.forgetDead();
  }

  /** Return the last known description of an element. */
  memory(ref: string): Memory | undefined {
    return this.memories.get(ref);
  }

  /** Forget the older half of the elements that no longer exist. */
  forgetDead() {
    const dead = [...this.elements].filter(([, weak]) => weak.deref() === undefined).map(([ref]) => ref);
    for (const ref of dead) this.elements.delete(ref);
    const removed = [...this.memories.keys()].filter((ref) => !this.elements.has(ref));
    for (const ref of removed.slice(0, removed.length >> 1)) this.memories.delete(ref);
    // Wait until the number has doubled, so that many living elements don't cause frequent scans.
    this.most = Math.max(MAX_MEMORIES, 2 * this.memories.size);
  }
}
