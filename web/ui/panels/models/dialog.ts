/** The dialog that connects a language model. It looks for models as the user types, and saves at Connect. */

import { nothing, render } from "lit";
import type { ErrorRow } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { FoundModels, LocalServer, Providers } from "../../companion/types.ts";
import type { Store } from "../../state/store.ts";
import type { CompanionState, Failure } from "../../state/types.ts";
import { download } from "./builtin.ts";
import { dialogView } from "./dialog_view.ts";
import { BUILTIN, CompanionFinder, PageFinder, type Api, type Tried, type Where } from "./finder.ts";

export type Field = "address" | "api" | "key" | "model";

/** the state that the dialog shows */
export interface Look {
  /** `@address`, `builtin`, or a provider's name */
  choice: string;
  typed: Record<Field, string>;
  /** null without the companion */
  providers: Providers | null;
  /** on this computer; null while they are looked for */
  servers: LocalServer[] | null;
  /** of the browser's own model */
  availability: string;
  found: FoundModels | null;
  problem: ErrorRow | null;
  busy: "" | "look" | "try" | "connect";
  tried: Tried | null;
  /** the fraction that is downloaded */
  downloading: number | null;
  asTyped: boolean;
  companion: CompanionState["state"];
}

// No provider can have this name.
const ADDRESS = "@address";
// A pause in typing.
const PAUSE_MS = 500;
// The shortest key (USABLE of py/gemini_companion/models/keys.py).
const SHORTEST_KEY = 8;

export class ModelDialog {
  #look: Look = initialLook();
  #finder: CompanionFinder | PageFinder;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  /** Tells answers to earlier requests from the last one's. */
  #number = 0;
  /** The current search for models. */
  #looking: Promise<void> | null = null;
  #then = () => {};
  element: HTMLDialogElement;
  store: Store;
  actions: Actions;
  link: CompanionLink;

  constructor(
    element: HTMLDialogElement,
    { store, actions, link }: { store: Store; actions: Actions; link: CompanionLink },
  ) {
    this.element = element;
    this.store = store;
    this.actions = actions;
    this.link = link;
    this.#finder = new PageFinder(actions);
    element.addEventListener("close", () => this.#onClose());
    store.follow(
      ({ models, companion }) => [models?.builtin, companion.state],
      () => this.#follow(),
    );
  }

  /** @param then - called once a model is connected */
  open(then: () => void) {
    this.#then = then;
    this.#look = initialLook();
    this.#draw();
    this.element.showModal();
    this.#field("address")?.focus();
    void this.actions.refreshModels();
    this.#follow(true);
  }

  #onClose() {
    clearTimeout(this.#timer);
    this.#number++;
    // A typed key doesn't stay in the document.
    this.#look = initialLook();
    render(nothing, this.element);
  }

  /** Follow the companion and the browser's own model. */
  #follow(opened = false) {
    const { companion, models } = this.store.state;
    const changed = opened || companion.state !== this.#look.companion;
    this.#look.companion = companion.state;
    this.#look.availability = models?.builtin ?? "unknown";
    if (!this.element.open) return;
    if (changed) {
      this.#finder =
        companion.state === "connected" ? new CompanionFinder(this.link, this.actions) : new PageFinder(this.actions);
      this.#look.asTyped = this.#finder.asTyped;
      void this.#findServers();
    }
    this.#draw();
  }

  async #findServers() {
    const finder = this.#finder;
    const [providers, local] = await Promise.all([finder.providers(), finder.local()]);
    if (finder !== this.#finder || !this.element.open) return;
    if (isFailure(providers)) this.#look.problem = providers.error;
    else this.#look.providers = providers;
    this.#look.servers = isFailure(local) ? [] : local.servers;
    this.#draw();
  }

  #draw() {
    if (!this.element.open && this.element.childElementCount > 0) return;
    render(
      dialogView(this.#look, {
        choose: (choice, focus) => this.#choose(choice, focus),
        type: (field, text) => this.#type(field, text),
        tryIt: () => void this.#try(),
        download: () => void this.#download(),
        connect: () => void this.#connect(),
        cancel: () => this.element.close(),
      }),
      this.element,
    );
  }

  #show(changes: Partial<Look>) {
    Object.assign(this.#look, changes);
    this.#draw();
  }

  /** @param focus - whether to focus its first field */
  #choose(choice: string, focus: boolean) {
    clearTimeout(this.#timer);
    this.#number++;
    this.#looking = null;
    const local = this.#look.servers?.find(({ provider }) => provider === choice) ?? null;
    const found = local && { ...local, api: null, duration_ms: null };
    const typed = { ...this.#look.typed, key: "", model: found?.models[0] ?? "" };
    this.#show({ choice, typed, found, problem: null, busy: "", tried: null });
    if (found === null && this.#canLookUp() && this.#finder.asTyped) void this.#lookUp();
    if (focus) this.#field(choice === ADDRESS ? "address" : "key")?.focus();
  }

  #type(field: Field, text: string) {
    const { typed } = this.#look;
    typed[field] = text;
    // A key is for one server only.
    if (field === "address") typed.key = "";
    if (field === "model") return this.#show({ tried: null });
    clearTimeout(this.#timer);
    this.#number++;
    this.#looking = null;
    typed.model = "";
    this.#show({ found: null, problem: null, busy: "", tried: null });
    if (this.#finder.asTyped && this.#canLookUp()) this.#timer = setTimeout(() => void this.#lookUp(), PAUSE_MS);
  }

  /** Return whether there is enough to look for models. */
  #canLookUp() {
    const { choice, typed, providers } = this.#look;
    if (typed.key !== "" && typed.key.trim().length < SHORTEST_KEY) return false;
    if (choice === BUILTIN) return false;
    if (choice === ADDRESS) return typed.address.trim() !== "";
    const provider = providers?.providers.find(({ name }) => name === choice);
    return typed.key !== "" || Boolean(provider?.has_key) || !provider?.needs_key;
  }

  #where(): Where {
    const {
      choice,
      typed: { address, api, key },
    } = this.#look;
    const withKey = key.trim() === "" ? {} : { key: key.trim() };
    if (choice !== ADDRESS) return { provider: choice, ...withKey };
    // The list offers no others.
    return { address: address.trim(), ...(api === "" ? {} : { api: api as Api }), ...withKey };
  }

  /** Look for models, once for the text typed now. */
  #lookUp() {
    clearTimeout(this.#timer);
    this.#looking ??= this.#ask();
    return this.#looking;
  }

  async #ask() {
    const number = ++this.#number;
    this.#show({ busy: "look", problem: null });
    const answer = await this.#finder.lookUp(this.#where());
    if (number !== this.#number) return;
    this.#looking = null;
    if (isFailure(answer)) return this.#show({ busy: "", problem: answer.error });
    this.#look.typed.model = answer.models[0] ?? "";
    this.#show({ busy: "", found: answer });
    // The first message needs its packages, which take seconds to load.
    if (answer.models.length > 0) void this.actions.prepareModels({ api: answer.api ?? "openai" });
  }

  async #try() {
    const number = ++this.#number;
    this.#show({ busy: "try", problem: null, tried: null });
    const { choice, typed } = this.#look;
    const asked =
      choice === BUILTIN
        ? this.actions.tryNewModel({ provider: BUILTIN, model: "" })
        : this.#finder.tryModel(this.#place(), typed.model.trim());
    const answer = await (asked as Promise<Tried | Failure>);
    if (number !== this.#number) return;
    this.#show(isFailure(answer) ? { busy: "", problem: answer.error } : { busy: "", tried: answer });
  }

  /** Return what was found, with a typed key. */
  #place(): Where {
    const { found } = this.#look;
    const where = this.#where();
    if (where.provider !== undefined || found === null) return where;
    const { key } = where;
    const withKey = key === undefined ? {} : { key };
    if (found.provider !== null) return { provider: found.provider, ...withKey };
    return { address: found.base_url, ...(found.api === null ? {} : { api: found.api }), ...withKey };
  }

  async #download() {
    this.#show({ downloading: 0, problem: null });
    try {
      await download((fraction) => this.#show({ downloading: fraction }));
    } catch (error) {
      this.#show({ problem: { type: "NotDownloaded", message: `The browser could not download its model: ${error}` } });
    }
    this.#show({ downloading: null });
    await this.actions.refreshModels();
  }

  async #connect() {
    if (this.#look.busy === "try" || this.#look.busy === "connect") return;
    if (this.#look.choice !== BUILTIN && this.#look.typed.model.trim() === "" && this.#canLookUp())
      await this.#lookUp();
    const { choice, typed, providers, availability } = this.#look;
    const model = typed.model.trim();
    if (!this.element.open || (choice === BUILTIN && availability !== "available")) return;
    if (choice !== BUILTIN && model === "") return this.#sayWhatIsMissing();
    this.#show({ busy: "connect", problem: null });
    const connecting =
      choice === BUILTIN
        ? this.actions.addModel({ provider: BUILTIN, model: "", default: true })
        : this.#finder.connect(this.#place(), model, providers?.keyring === null);
    const answer = await connecting;
    // The user may have closed it meanwhile.
    if (!this.element.open) return;
    if (isFailure(answer)) return this.#show({ busy: "", problem: answer.error });
    this.element.close();
    this.#then();
  }

  /** Focus the first field that is needed, and say so, unless the search has named the problem. */
  #sayWhatIsMissing() {
    const {
      choice,
      typed: { address },
      problem,
      found,
    } = this.#look;
    const name = found !== null ? "model" : choice !== ADDRESS ? "key" : address.trim() === "" ? "address" : null;
    if (name === null || problem !== null) return;
    const message = { address: "Type the server’s address.", key: "Paste a key.", model: "Type the name of a model." }[
      name
    ];
    this.#show({ problem: { type: "InvalidArguments", message } });
    // A problem's field is always one of the dialog's.
    this.#field(name as Field)?.focus();
  }

  #field(name: Field) {
    const field = this.element.querySelector(`[name="${name}"]`);
    return field instanceof HTMLElement ? field : null;
  }
}

function initialLook(): Look {
  return {
    choice: ADDRESS,
    typed: { address: "", api: "", key: "", model: "" },
    providers: null,
    servers: null,
    availability: "unknown",
    found: null,
    problem: null,
    busy: "",
    tried: null,
    downloading: null,
    asTyped: false,
    companion: "none",
  };
}
