/** Sections of the settings with what the companion has. They are hidden unless it is connected, and answers. */

import { render } from "lit";
import type { CompanionLink } from "../../companion/link.ts";
import { byId, expect } from "../../lib/elements.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { CompanionState } from "../../state/types.ts";
import { Attempts } from "./attempts.ts";

export abstract class CompanionSection<Status> {
  /** null while it isn't known */
  status: Status | null = null;
  attempts = new Attempts(() => this.draw());
  place: HTMLElement;
  method: string;
  link: CompanionLink;

  /** @param method - of the companion, that returns the status */
  constructor(id: string, method: string, link: CompanionLink) {
    this.place = byId(id, HTMLElement);
    this.method = method;
    this.link = link;
  }

  /** Return the content. */
  abstract view(): unknown;

  async read(isConnected: boolean) {
    const found = isConnected ? await this.link.settings<Status>(this.method) : null;
    this.status = isFailure(found) ? null : found;
    this.draw();
  }

  draw() {
    expect(this.place.parentElement, HTMLElement).hidden = this.status === null;
    render(this.view(), this.place);
  }

  /** Read the status when the companion connects, and when it reports a change. */
  follow(store: Store, changes: (mcp: CompanionState["mcp"]) => number | undefined) {
    this.draw();
    store.follow(
      ({ companion }) => [companion.state, changes(companion.mcp)],
      ({ companion }) => void this.read(companion.state === "connected"),
    );
  }
}
