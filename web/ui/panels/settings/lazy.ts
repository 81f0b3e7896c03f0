/** Parts of the settings that are there before their bundle has loaded, which opening the settings does. */

import { byId, showProblem } from "../../lib/elements.ts";
import { LazyView, loadPart } from "../../lib/lazy_bundles.ts";
import { isPressOf, press } from "../../lib/trusted.ts";
import { clearSaved } from "../../../shared/local_state.ts";
import type { CompanionLink } from "../../companion/link.ts";
import type { Actions } from "../../state/actions.ts";
import type { Store } from "../../state/store.ts";
import type { ExchangeDialog } from "./exchange.ts";
import type { Settings } from "./main.ts";

const PART = "ui-settings.js";

/** The names of saved state that isn't layout: unsaved text, whether the tour was seen, and the user's choices. */
const NO_LAYOUT =
  /^(theme|tour|terminals\.aloud|editor\.format_on_save|git-proxy|webmcp\.tools|source_control\.message|draft:.*)$/;

export function settingsPanel(settings: Settings) {
  byId("reset-layout", HTMLButtonElement).addEventListener("click", (event) => isPressOf(event) && resetLayout());
  return new LazyView({
    id: "settings",
    create: (part: typeof import("./main.ts")) => part.showAll(settings),
  });
}

/** Reset the view state of every panel. */
function resetLayout() {
  clearSaved((name) => NO_LAYOUT.test(name));
  location.reload();
}

/**
 * Connect the buttons that export, import and erase everything, which commands press, too.
 *
 * @param restart - replaces the kernel with one that has the stored data
 */
export function showExchange(store: Store, actions: Actions, restart: () => void) {
  const buttons = ["export", "import", "reset-all"].map((id) => byId(id, HTMLButtonElement));
  const [exporting, importing, resetting] = buttons;
  const picker = byId("import-file", HTMLInputElement);
  const dialog = once((part) => new part.ExchangeDialog(actions, restart));
  const open = async (show: (dialog: ExchangeDialog) => unknown) => {
    const problem = byId("settings-problem", HTMLElement);
    try {
      const loaded = await dialog();
      showProblem(problem, null);
      void show(loaded);
    } catch (error) {
      showProblem(problem, { message: `This part of the page could not be loaded: ${error}`, hint: "Try again." });
    }
  };
  exporting?.addEventListener("click", () => void open((shown) => shown.export()));
  // An agent that clicks in the page must not replace the user's data.
  importing?.addEventListener("click", (event) => isPressOf(event) && press(picker));
  resetting?.addEventListener("click", (event) => isPressOf(event) && void open((shown) => shown.askReset()));
  picker.addEventListener("change", () => {
    const [file] = picker.files ?? [];
    picker.value = "";
    if (file) void open((shown) => shown.askImport(file));
  });
  store.follow(["kernel"], ({ kernel }) => {
    for (const button of buttons) button.disabled = kernel !== "ready";
  });
}

/** @returns opens the dialog */
export function connectDialog(store: Store, link: CompanionLink): () => Promise<void> {
  const dialog = once((part) => part.connectDialog(store, link));
  return async () => (await dialog())();
}

/** Return a function that creates a view of the bundle, and then returns it. */
function once<View>(create: (part: typeof import("./main.ts")) => View): () => Promise<View> {
  let made: Promise<View> | null = null;
  return () => {
    const making = made ?? loadPart<typeof import("./main.ts")>(PART).then(create);
    made = making;
    // The next press tries again.
    making.catch(() => (made = null));
    return making;
  };
}
