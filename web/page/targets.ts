// Resolves `{element}`, `{ref}`, `{selector}` or `{x, y}` to an element, or to an error with similar elements.

import { elementAt, frameDocument, isAttached, isFrame, rootsBelow } from "./composed.ts";
import * as dom from "./dom.ts";
import { CrossOrigin, InvalidArguments, NotFound, StaleRef } from "./errors.ts";
import type { Refs } from "./refs.ts";

/** points are in pixels of the top document's viewport */
export type Target = { element?: Element; ref?: string; selector?: string; x?: number; y?: number };

export type Candidate = { ref: string; role: string; name: string };

const MAX_CANDIDATES = 5;

/** A resolver of targets. */
export class Targets {
  refs: Refs;
  candidates: () => Candidate[];

  /** @param candidates - returns the elements that the page has now */
  constructor(refs: Refs, candidates: () => Candidate[]) {
    this.refs = refs;
    this.candidates = candidates;
  }

  /**
   * Return the target's element.
   * Throws InvalidArguments, StaleRef, NotFound or CrossOrigin.
   */
  resolve(target: Target): Element {
    const { element, ref, selector, x, y } = target ?? {};
    if (element !== undefined) return this.attached(element);
    if (ref !== undefined) return this.byRef(ref);
    if (selector !== undefined) return this.bySelector(selector);
    if (x !== undefined && y !== undefined) return this.byPoint(x, y);
    throw new InvalidArguments("The target is missing.", { hint: "Pass ref, selector, or x and y." });
  }

  attached(element: Element) {
    if (!dom.isElement(element)) throw new InvalidArguments("`element` is not a DOM element.");
    if (isAttached(element)) return element;
    throw new NotFound("The element is not in the page.", { hint: "Take a new snapshot." });
  }

  byRef(ref: string) {
    const element = this.refs.element(ref);
    if (element && isAttached(element)) return element;
    if (this.refs.wasIssued(ref)) throw this.stale(ref);
    throw new NotFound(`There is no ref ${JSON.stringify(ref)}.`, {
      hint: "Refs look like e12 and come from a snapshot of this page; take one.",
    });
  }

  stale(ref: string) {
    const memory = this.refs.memory(ref);
    if (!memory) {
      return new StaleRef(`The element of ${ref} has left the page.`, { hint: "Take a new snapshot." });
    }
    const [match] = closest(this.candidates(), words(memory.name), (one) => one.role === memory.role);
    const was = `${memory.role} ${JSON.stringify(memory.name)}`;
    return new StaleRef(`The element of ${ref}, ${was}, has left the page.`, {
      hint: match ? `The most similar one now is ${line(match)}.` : "Take a new snapshot.",
      data: { ref, was: memory, match: match ?? null },
    });
  }

  bySelector(selector: string) {
    let found;
    try {
      found = dom.querySelector(document, selector);
      if (!found) {
        for (const root of rootsBelow(document)) if ((found = dom.querySelector(root, selector))) break;
      }
    } catch {
      throw new InvalidArguments(`${JSON.stringify(selector)} is not a CSS selector.`, {
        hint: "Pass a selector such as #save, button.primary or input[name=q], or a ref.",
      });
    }
    if (found) return found;
    const candidates = closest(this.candidates(), words(selector), () => true);
    throw new NotFound(`No element matches ${JSON.stringify(selector)}.`, {
      hint: candidates.length ? `Similar elements are ${candidates.map(line).join(", ")}.` : "Take a snapshot.",
      data: { selector, candidates },
    });
  }

  byPoint(x: number, y: number) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new InvalidArguments("x and y must be numbers of pixels.");
    let left = x;
    let top = y;
    let found = elementAt(document, left, top);
    while (found && isFrame(found)) {
      const inner = frameDocument(found);
      if (!inner) {
        throw new CrossOrigin(`The document at ${x},${y} has another origin.`, {
          hint: "It can't be read or acted on from here; open it in its own tab.",
        });
      }
      const box = dom.getBoundingClientRect(found);
      left -= box.left + dom.clientLeft(found);
      top -= box.top + dom.clientTop(found);
      found = elementAt(inner, left, top);
    }
    if (found) return found;
    throw new NotFound(`There is nothing at ${x},${y}.`, {
      hint: `The viewport is ${innerWidth}x${innerHeight}; scroll first.`,
    });
  }
}

const line = ({ ref, role, name }: Candidate) => `[${ref}] ${role} ${JSON.stringify(name)}`;

const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Return the candidates that fit and share the most words, at most five. */
function closest(candidates: Candidate[], wanted: Set<string>, fits: (candidate: Candidate) => boolean): Candidate[] {
  return candidates
    .filter(fits)
    .map((candidate) => ({ candidate, score: similarity(words(`${candidate.role} ${candidate.name}`), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ candidate: { ref, role, name } }) => ({ ref, role, name }));
}

/** Return the Jaccard index of two sets of words. */
function similarity(some: Set<string>, others: Set<string>) {
  let common = 0;
  for (const word of others) if (some.has(word)) common++;
  return common / (some.size + others.size - common || 1);
}
