/** The Browser panel: a tab for each open page, its address, and the page. */

import { html, render } from "lit";
import type { TabRow, TabsGiven } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import { saveToDevice } from "../files/transfers.ts";
import { byId, h, showProblem } from "../../lib/elements.ts";
import type { Store } from "../../state/store.ts";
import { revealSelected, tabByKey } from "../../lib/tab_keys.ts";
import { press } from "../../lib/trusted.ts";
import type { State } from "../../state/types.ts";
import { icon } from "../../lib/icons.ts";
import type { Workbench } from "../../workbench/workbench.ts";
import { DeviceChoice } from "./devices.ts";
import { DownloadsBar } from "./downloads_bar.ts";
import type { Frames } from "./frames.ts";
import { NetworkBar } from "./network_bar.ts";
import { PageNote } from "./note.ts";
import { OwnerBar, ownerLabel } from "./owner_bar.ts";
import { PageErrors } from "./page_errors.ts";
import { RefsView } from "./refs_view.ts";
import { fitStage, type Stage } from "./stage.ts";

const PAGE = "page";

class BrowserPanel {
  #tabs = byId("browser-tabs", HTMLElement);
  #url = byId("browser-url", HTMLInputElement);
  #problem = byId("browser-problem", HTMLElement);
  #stage = byId("browser-stage", HTMLElement);
  #new = byId("new-tab", HTMLButtonElement);
  #close = byId("close-tab", HTMLButtonElement);
  #moves = {
    back: byId("browser-back", HTMLButtonElement),
    forward: byId("browser-forward", HTMLButtonElement),
    reload: byId("browser-reload", HTMLButtonElement),
  };
  #follow = byId("browser-follow", HTMLButtonElement);
  #layer = byId("browser-layer", HTMLElement);
  #front: TabRow | null = null;
  #known = 0;
  actions: Actions;
  frames: Frames;
  workbench: Workbench;
  errors: PageErrors;
  owner: OwnerBar;
  note: PageNote;
  downloads: DownloadsBar;
  refs: RefsView;
  network: NetworkBar;
  devices = new DeviceChoice(() => this.#fit());
  #fitted: Stage;

  constructor(
    actions: Actions,
    frames: Frames,
    workbench: Workbench,
    errors: PageErrors,
    showRun: (run: string) => void,
  ) {
    this.actions = actions;
    this.frames = frames;
    this.workbench = workbench;
    this.errors = errors;
    this.owner = new OwnerBar(byId("browser-owner", HTMLElement), {
      actions,
      act: (asked) => this.#do(asked),
      showRun,
    });
    this.note = new PageNote(frames, (url) => void this.#do(this.actions.openPage({ url })));
    this.downloads = new DownloadsBar(byId("browser-downloads", HTMLElement), {
      show: (path) => {
        workbench.open("files");
        void this.#do(actions.navigate({ path: path.slice(0, path.lastIndexOf("/")) }));
      },
      save: (path) => void this.#do(saveToDevice(actions, [path])),
    });
    this.refs = new RefsView(frames, this.#stage);
    this.#fitted = fitStage(byId("browser-view", HTMLElement), this.#stage, workbench);
    byId("browser-go", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      frames.entered.submit();
      void this.#do(this.actions.openPage({ url: this.#url.value }));
    });
    this.#new.addEventListener("click", () => this.#openNew());
    this.#close.addEventListener("click", () => this.#do(this.actions.tabs({ action: "close", tab: this.#front?.id })));
    // `entries` forgets the keys' type.
    for (const [action, button] of Object.entries(this.#moves) as [TabsGiven["action"], HTMLButtonElement][]) {
      button.addEventListener("click", () => this.#do(this.actions.tabs({ action, tab: this.#front?.id })));
    }
    this.network = new NetworkBar(
      frames,
      () => this.#front?.id ?? PAGE,
      (error) => showProblem(this.#problem, error),
    );
    this.#follow.addEventListener(
      "click",
      () => void this.#do(actions.followAgents({ follow: this.#follow.getAttribute("aria-pressed") !== "true" })),
    );
    frames.onUse = (tab) => {
      if (tab === this.#front?.id && this.#front.owner?.finished) void this.#do(actions.takeTab({ tab }));
    };
    this.#tabs.addEventListener("keydown", (event) => this.#onTabKey(event));
    frames.sites.watch(() => this.network.render());
  }

  render({ tabs, kernel, runs, settings }: State) {
    const ready = kernel === "ready";
    const opened = tabs.filter(({ id, owner, active }) => id !== PAGE && (!owner || active)).length;
    // Show a page that came to the front. An agent's page in the background doesn't take the user's view.
    if (opened > this.#known && !this.workbench.isNarrow) this.workbench.open("browser");
    this.#known = opened;
    const before = this.#front;
    this.#front = tabs.find(({ active }) => active) ?? null;
    this.#drawTabs(tabs);
    this.frames.show(this.#front?.id ?? PAGE);
    this.frames.own(tabs);
    this.#fit();
    this.owner.render(this.#front, runs, ready);
    this.#layer.dataset.owner = this.#front?.owner ? (this.#front.owner.finished ? "finished" : "working") : "none";
    this.#follow.disabled = !ready;
    this.#follow.setAttribute("aria-pressed", String(settings?.follow_agents ?? false));
    this.refs.render(this.#front);
    this.errors.follow(this.#front);
    const { id = PAGE, url = "" } = this.#front ?? {};
    const moved = before?.id !== id || before.url !== url;
    if (moved) this.frames.entered.show(id === PAGE || url === "about:blank" ? "" : this.#addressOf(id, url));
    this.#new.disabled = !ready;
    this.network.render();
    for (const button of [this.#close, ...Object.values(this.#moves)]) button.disabled = !ready || id === PAGE;
    this.note.render(this.#front, this.#url);
    this.downloads.render(this.#front);
  }

  /** Give the page in front its width. */
  #fit() {
    const { id = PAGE, owner } = this.#front ?? {};
    this.devices.render(id !== PAGE && !owner);
    this.#fitted.show(this.devices.chosen, owner !== undefined);
  }

  /** Return the address of a page; for a site's file its path, which stays when the origin changes. */
  #addressOf(id: string, url: string) {
    const site = this.frames.sites.of(id);
    return site && url.startsWith(site.url) ? `/${decoded(url.slice(site.url.length))}` : url;
  }

  #drawTabs(tabs: TabRow[]) {
    const before = [...this.#tabs.querySelectorAll("button")];
    const focused = this.#tabs.contains(document.activeElement);
    // Reuse the elements of tabs that stay: one may be pressed right now.
    const buttons = tabs.map((tab) => before.find(({ id }) => id === `page-tab-${tab.id}`) ?? this.#tab(tab.id));
    tabs.forEach((tab, index) => drawTab(buttons[index], tab, this.#addressOf(tab.id, tab.url)));
    if (before.length !== buttons.length || before.some((button, index) => button !== buttons[index])) {
      this.#tabs.replaceChildren(...buttons);
      if (focused) this.#selected?.focus();
    }
    revealSelected(this.#tabs);
  }

  #tab(id: string) {
    return h("button", {
      type: "button",
      role: "tab",
      id: `page-tab-${id}`,
      "aria-controls": "browser-view",
      onclick: () => this.#do(this.actions.tabs({ action: "focus", tab: id })),
    });
  }

  get #selected(): HTMLButtonElement | null {
    return this.#tabs.querySelector("[aria-selected=true]");
  }

  #onTabKey(event: KeyboardEvent) {
    const tabs = [...this.#tabs.querySelectorAll("button")];
    const index = tabs.findIndex((tab) => tab === document.activeElement);
    const next = tabByKey(event.key, tabs, index);
    if (!next) return;
    event.preventDefault();
    press(next);
    next.focus();
  }

  async #openNew() {
    await this.#do(this.actions.tabs({ action: "open" }));
    this.#url.focus();
  }

  async #do(asked: Promise<unknown>) {
    showProblem(this.#problem, null);
    const answer = await asked;
    if (isFailure(answer)) showProblem(this.#problem, answer.error);
  }
}

/** @param address - to show */
function drawTab(button: HTMLButtonElement, { id, title, active, loading, owner }: TabRow, address: string) {
  const name = id === PAGE ? "This page" : title || shortened(address);
  render(
    owner
      ? html`${icon("agent")}<span>${name}</span><span class="visually-hidden">, ${ownerLabel(owner)}</span>`
      : html`${name}`,
    button,
  );
  button.title = owner ? `${address}\n${ownerLabel(owner)}` : address;
  button.dataset.owner = owner ? (owner.finished ? "finished" : "working") : "none";
  button.tabIndex = active ? 0 : -1;
  button.setAttribute("aria-selected", String(active));
  button.setAttribute("aria-busy", String(loading));
}

/** @param url - without its origin */
function decoded(url: string) {
  const path = url.split(/[?#]/, 1)[0];
  try {
    return decodeURIComponent(path) + url.slice(path.length);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return url;
  }
}

function shortened(url: string) {
  return url === "about:blank" || url === "" ? "New tab" : url.replace(/^https?:\/\//, "");
}

export function showBrowser(
  store: Store,
  actions: Actions,
  frames: Frames,
  workbench: Workbench,
  to: ConstructorParameters<typeof PageErrors>[1] & { run: (id: string) => void },
) {
  frames.downloads.save = (given) => actions.saveDownload(given);
  const panel = new BrowserPanel(actions, frames, workbench, new PageErrors(frames, to), to.run);
  store.follow(
    // The companion may bring a browser for pages that can't be read here.
    ["tabs", "kernel", "runs", "settings", "companion"],
    (state) => panel.render(state),
  );
}
