/**
 * Finds out whether a page of another origin forbids being shown in a tab. The browser shows its own error in the frame
 * then, and doesn't say so: Chromium reports violations of `frame-ancestors`, without naming the frame; for
 * `X-Frame-Options`, the companion reads the headers.
 */

export class FrameReports {
  #observer: ReportingObserver | undefined;
  onBlocked: () => void;

  /** @param onBlocked - called when the browser has blocked a frame because of its document's policy */
  constructor(onBlocked: () => void) {
    this.onBlocked = onBlocked;
    if (!("ReportingObserver" in globalThis)) return;
    this.#observer = new ReportingObserver((reports) => this.#read(reports), { types: ["csp-violation"] });
    this.#observer.observe();
  }

  /** Read the reports that the browser would deliver soon. */
  flush() {
    this.#read(this.#observer?.takeRecords() ?? []);
  }

  #read(reports: Report[]) {
    // A violation of this document's own policy is reported to the document around it.
    const isBlocked = reports.some(
      ({ body }: { body?: { effectiveDirective?: string; disposition?: string } | null }) =>
        body?.effectiveDirective === "frame-ancestors" && body.disposition === "enforce",
    );
    if (isBlocked) this.onBlocked();
  }
}
