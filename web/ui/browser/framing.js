/**
 * Finds out whether a page of another origin forbids being shown in a tab. The browser shows its own error in the frame
 * then, and doesn't say so: Chromium reports violations of `frame-ancestors`, without naming the frame; for
 * `X-Frame-Options`, the companion reads the headers.
 */

export class FrameReports {
  /** @type {any} TypeScript's DOM library has no type for it. */
  #observer;

  /** @param {() => void} onBlocked called when the browser has blocked a frame because of its document's policy */
  constructor(onBlocked) {
    this.onBlocked = onBlocked;
    const { ReportingObserver } = /** @type {any} */ (globalThis);
    if (ReportingObserver === undefined) return;
    this.#observer = new ReportingObserver((/** @type {any[]} */ reports) => this.#read(reports), { types: ["csp-violation"] });
    this.#observer.observe();
  }

  /** Read the reports that the browser would deliver soon. */
  flush() {
    this.#read(this.#observer?.takeRecords() ?? []);
  }

  /** @param {any[]} reports */
  #read(reports) {
    // A violation of this document's own policy is reported to the document around it.
    const isBlocked = reports.some(({ body }) => body.effectiveDirective === "frame-ancestors" && body.disposition === "enforce");
    if (isBlocked) this.onBlocked();
  }
}
