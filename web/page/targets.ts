// Resolves `{element}`, `{ref}`, `{selector}` or `{x, y}` to an element, or to an error with similar elements.

import { elementAt, frameDocument, isAttached, isFrame, rootsBelow } from "./composed.js";
import * as dom from "./dom.js";
import { CrossOrigin, InvalidArguments, NotFound, StaleRef } from "./errors.js";

/**
 * @typedef {{ element?: Element, ref?: string, selector?: string, x?: number, y?: number }} Target points are in pixels
 *   of the top document's viewport
 * @typedef {{ ref: string, role: string, name: string }} Candidate
 * @import { Refs } from "./refs.js"
 */

const MAX_CANDIDATES = 5;

/** A resolver of targets. */
export class Targets {
  /**
   * @param {Refs} refs
   * @param {() => Candidate[]} candidates returns the elements that the page has now
   */
  constructor(refs, candidates) {
    this.refs = refs;
    this.candidates = candidates;
  }

  /**
   * Return the target's element.
   * @param {Target} target
   * @returns {Element}
   * Throws InvalidArguments, StaleRef, NotFound or CrossOrigin.
   */
  resolve(target) {
    const { element, ref, selector, x, y } = target ?? {};
    if (element !== undefined) return this.attached(element);
    if (ref !== undefined) return this.byRef(ref);
    if (selector !== undefined) return this.bySelector(selector);
    if (x !== undefined && y !== undefined) return this.byPoint(x, y);
    throw new InvalidArguments("The target is missing.", { hint: "Pass ref, selector, or x and y." });
  }

  /** @param {Element} element */
  attached(element) {
    if (!dom.isElement(element)) throw new InvalidArguments("`element` is not a DOM element.");
    if (isAttached(element)) return element;
    throw new NotFound("The element is not in the page.", { hint: "Take a new snapshot." });
  }

  /** @param {string} ref */
  byRef(ref) {
    const element = this.refs.element(ref);
    if (element && isAttached(element)) return element;
    if (this.refs.wasIssued(ref)) throw this.stale(ref);
    throw new NotFound(`There is no ref ${JSON.stringify(ref)}.`, {
      hint: "Refs look like e12 and come from a snapshot of this page; take one.",
    });
  }

  /** @param {string} ref */
  stale(ref) {
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

  /** @param {string} selector */
  bySelector(selector) {
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

  /** @param {number} x @param {number} y */
  byPoint(x, y) {
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

/** @param {Candidate} candidate */
const line = ({ ref, role, name }) => `[${ref}] ${role} ${JSON.stringify(name)}`;

/** @param {string} text */
const words = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/**
 * Return the candidates that fit and share the most words, at most five.
 * @param {Candidate[]} candidates
 * @param {Set<string>} wanted
 * @param {(candidate: Candidate) => boolean} fits
 * @returns {Candidate[]}
 */
function closest(candidates, wanted, fits) {
  return candidates
    .filter(fits)
    .map((candidate) => ({ candidate, score: similarity(words(`${candidate.role} ${candidate.name}`), wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_CANDIDATES)
    .map(({ candidate: { ref, role, name } }) => ({ ref, role, name }));
}

/** Return the Jaccard index of two sets of words. @param {Set<string>} some @param {Set<string>} others */
function similarity(some, others) {
  let common = 0;
  for (const word of others) if (some.has(word)) common++;
  return common / (some.size + others.size - common || 1);
}
