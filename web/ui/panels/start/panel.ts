/** The start page: what this is, a task for an agent, the demo, the first steps, and recent work. */

import { html, nothing, render } from "lit";
import type { StartDemoGiven } from "../../../generated/types.ts";
import { Bot, File, FolderUp, MessageSquare, Plug, Route, Sparkles, type IconNode } from "lucide";
import { IN_EXTENSION } from "../../../shared/in_extension.ts";
import { commands } from "../../lib/commands.ts";
import { copyText } from "../../lib/copying.ts";
import { byId, showProblem } from "../../lib/elements.ts";
import { pictureOf } from "../../lib/icons.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { Store } from "../../state/store.ts";
import type { State } from "../../state/types.ts";

/** an example that the demo's script plays; undefined: the demo itself */
type Played = StartDemoGiven["example"];

interface Does {
  start: (task: string) => Promise<unknown>;
  demo: (example?: Played) => Promise<unknown>;
  connectModel: (then: () => unknown) => unknown;
  openFile: (path: string) => unknown;
  openRun: (id: string) => unknown;
  openChat: (id: string) => unknown;
}

interface Example {
  name: string;
  task: string;
  played?: Played;
}

/** As in py/gemini/agents/demo.py and demo_examples.py. */
const EXAMPLES: Example[] = [
  {
    name: "Find the errors",
    task: "Run report.py and explain the errors that it finds in app.log",
    played: "errors",
  },
  {
    name: "Draw a chart",
    task: "Count the lines of app.log by level, and draw a bar chart of them in chart.svg",
    played: "chart",
  },
  { name: "Build a page", task: "Make a page with a button that counts, open it, and see whether it works" },
];

/** The commands of the first steps. */
const STEPS: { id: string; title: string; about: string; icon: IconNode }[] = [
  { id: "set-up-model", title: "Connect a model", about: "Ollama, an address, a key, or this browser", icon: Sparkles },
  {
    id: "connect-client",
    title: "Connect Claude or another MCP client",
    about: "Cursor and VS Code, too",
    icon: Plug,
  },
  { id: "upload-folder", title: "Open a folder", about: "Upload a copy from this device", icon: FolderUp },
  { id: "tour", title: "Take the tour", about: "Four steps, two minutes", icon: Route },
];
/** Needs uv (https://docs.astral.sh/uv/) and nothing else. */
const COMPANION = 'uvx --from "control-surface[companion]" control-surface serve';
const MOST_RECENT = 3;
const FIELD = "start-task";

export function showStart(store: Store, does: Does) {
  const page = new StartPage(store, does);
  store.follow(
    // Files decide whether there is a folder to upload to.
    ({ kernel, stale, models, runs, chats, editors, files, companion }) => [
      ...[kernel, stale, models, runs, chats, editors],
      ...[files === null, companion.state],
    ],
    // Commands look at panels, which are drawn after this one.
    () => queueMicrotask(() => page.draw()),
  );
  new IntersectionObserver((entries) => entries.at(-1)?.isIntersecting && page.draw()).observe(page.body);
}

/**
 * Focus the field of a visible start page.
 * @returns false if there is none
 */
export function focusStart(): boolean {
  const field = document.getElementById(FIELD);
  if (!field?.checkVisibility()) return false;
  field.focus();
  return true;
}

class StartPage {
  body = byId("start-body", HTMLElement);
  #problem = byId("start-problem", HTMLElement);
  #task = "";
  /** True once a task was entered that needs a model. */
  #lacksModel = false;
  /** True if Enter was pressed before Python had started. */
  #waits = false;
  /** True until the page was in view. */
  #isUnseen = true;
  store: Store;
  does: Does;

  constructor(store: Store, does: Does) {
    this.store = store;
    this.does = does;
    this.body.replaceChildren();
  }

  draw() {
    const { state } = this.store;
    const hasModel = Boolean(state.models?.chosen);
    if (hasModel) this.#lacksModel = false;
    if (this.#waits && isReady(state)) this.#enter();
    render(
      html`<div class="start">
        <h3 class="start-title">Give an agent a computer that lives in this page.</h3>
        <p class="muted">Terminals, files, a browser and Python, in a sandbox. It asks you before anything leaves.</p>
        ${this.#form(isReady(state), hasModel)}
        <ul class="start-examples" aria-label="Examples">${EXAMPLES.map((example) => this.#example(example, hasModel))}</ul>
        <ul class="start-steps" aria-label="First steps">${STEPS.map(step)}</ul>
        ${alone(state) ? withoutCompanion() : nothing}
        ${this.#recent(state)}
      </div>`,
      this.body,
    );
    if (this.#isUnseen && this.body.checkVisibility()) this.#welcome();
  }

  /** Focus the field at the first sight of the page: nothing else has the focus, and no application is around it. */
  #welcome() {
    this.#isUnseen = false;
    if (window !== window.parent || navigator.userActivation.hasBeenActive) return;
    if (document.activeElement === document.body) focusStart();
  }

  #form(ready: boolean, hasModel: boolean) {
    const demo = html`<button type="button" id="start-demo" class=${hasModel ? "" : "primary"} data-action="start_demo"
      ?disabled=${!ready} @click=${() => this.#do(this.does.demo())}>Watch the demo</button>`;
    const start = html`<button type="submit" class=${hasModel ? "primary" : ""} data-action="start_run"
      ?disabled=${!ready}>Start</button>`;
    return html`<form class="start-form" aria-label="Task" @submit=${(event: SubmitEvent) => this.#submit(event)}
        @keydown=${submitByEnter}>
      <textarea id=${FIELD} name="task" rows="2" aria-label="Describe a task" placeholder=${hasModel ? "Describe a task" : "Describe a task, or press Enter to watch the demo"}
        autocomplete="off"
        data-focus-first .value=${this.#task} @input=${(event: InputEvent) => this.#typed(event)}></textarea>
      <div class="start-buttons">
        <p class="muted" role="status">${this.#note(hasModel)}</p>
        ${this.#lacksModel ? html`<button type="button" id="start-connect" @click=${() => this.#connect()}>Connect a model</button>` : nothing}
        ${demo}${start}
      </div>
    </form>`;
  }

  #note(hasModel: boolean) {
    if (this.#waits) return "This starts when Python has started.";
    if (this.#lacksModel) return "This task needs a language model.";
    return hasModel ? "" : "The demo needs no model.";
  }

  /** Without a model, a script plays it. */
  #example({ name, task, played }: Example, hasModel: boolean) {
    const choose = () => {
      if (!hasModel) {
        void this.#do(this.does.demo(played));
        return;
      }
      this.#task = task;
      this.draw();
      focusStart();
    };
    return html`<li><button type="button" @click=${choose}><strong>${name}</strong><span class="muted">${task}</span></button></li>`;
  }

  #recent({ editors, runs, chats }: State) {
    const files = (editors?.files ?? []).map(({ path }) => recent(File, path, () => this.does.openFile(path)));
    const tasks = runs.toReversed().map(({ id, task }) => recent(Bot, task, () => this.does.openRun(id)));
    const talks = chats.map(({ id, title }) => recent(MessageSquare, title, () => this.does.openChat(id)));
    const all = [tasks, talks, files].flatMap((each) => each.slice(0, MOST_RECENT));
    if (all.length === 0) return nothing;
    return html`<h4 id="start-recent">Recent</h4><ul class="start-recent" aria-labelledby="start-recent">${all}</ul>`;
  }

  #typed({ target }: InputEvent) {
    if (target instanceof HTMLTextAreaElement) this.#task = target.value;
    if (!this.#lacksModel && !this.#waits) return;
    this.#lacksModel = this.#waits = false;
    this.draw();
  }

  #submit(event: SubmitEvent) {
    event.preventDefault();
    this.#waits = !isReady(this.store.state);
    if (this.#waits) this.draw();
    else this.#enter();
  }

  /** Start what was entered. */
  #enter() {
    this.#waits = false;
    const task = this.#task.trim();
    const hasModel = Boolean(this.store.state.models?.chosen);
    if (task === "") {
      if (!hasModel) void this.#do(this.does.demo());
      return;
    }
    if (hasModel) {
      void this.#do(this.does.start(task));
      return;
    }
    this.#lacksModel = true;
    this.draw();
    this.#connect();
  }

  /** Connect a model. The task stays in the field, for the user to start. */
  #connect() {
    return this.does.connectModel(() => focusStart());
  }

  async #do(doing: Promise<unknown>) {
    const answer = await doing;
    showProblem(this.#problem, isFailure(answer) ? answer.error : null);
    if (isFailure(answer)) return;
    this.#task = "";
    this.draw();
  }
}

/** Return whether Python has started, and the page knows its models. */
function isReady({ kernel, stale }: State) {
  return kernel === "ready" && !stale;
}

/** Return whether nothing of this page runs outside of the browser, as on a static host. */
function alone({ kernel, companion }: State) {
  return kernel === "ready" && companion.state === "none" && !IN_EXTENSION;
}

/** Say what is missing without a companion, and how to add it. */
function withoutCompanion() {
  const copy = async ({ currentTarget }: Event) => {
    const problem = await copyText(COMPANION);
    if (currentTarget instanceof HTMLButtonElement) currentTarget.textContent = problem ? problem.message : "Copied";
  };
  return html`<details class="start-alone">
    <summary>This page has no companion: no MCP clients, no terminals of your computer. One line adds it</summary>
    <p>Your files stay in this browser, also offline. Without the companion, a program on your computer, there are no MCP
      clients such as Claude, no terminals of your computer, and Python reaches only hosts that allow it (CORS).
      This line starts it, with another page; <strong>Export everything</strong> in the settings takes your files there:</p>
    <div class="start-line"><code tabindex="0">${COMPANION}</code><button type="button" @click=${copy}>Copy</button></div>
  </details>`;
}

function step({ id, title, about, icon }: (typeof STEPS)[number]) {
  const [command] = commands.available.filter((each) => each.id === id);
  if (!command) return nothing;
  return html`<li><button type="button" value=${id} @click=${command.run}>${pictureOf(icon)}
    <span><span>${title}</span><span class="muted">${about}</span></span></button></li>`;
}

function recent(icon: IconNode, name: string, open: () => unknown) {
  return html`<li><button type="button" class="quiet" @click=${open}>${pictureOf(icon)}<span>${name}</span></button></li>`;
}

/** Start at Enter; Shift+Enter begins a line. */
function submitByEnter(event: KeyboardEvent) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (!(event.target instanceof HTMLTextAreaElement)) return;
  event.preventDefault();
  event.target.form?.requestSubmit();
}
