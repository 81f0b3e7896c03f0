/** The language models section of the settings. Its bundle loads when it is first visible. */

import type { Actions } from "../../state/actions.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { byId } from "../../lib/elements.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { Store } from "../../state/store.ts";
import type { ModelSettings } from "./main.ts";

/** @param connect - opens the dialog that connects a model */
export function showModels(store: Store, actions: Actions, link: CompanionLink, connect: () => unknown) {
  const place = byId("settings-own-models", HTMLElement);
  const view: LazyView<ModelSettings, typeof import("./main.ts")> = new LazyView({
    id: place.id,
    part: "ui-models.js",
    problem: "settings-problem",
    when: () => store.state.kernel === "ready",
    create({ ModelSettings }) {
      place.replaceChildren();
      const section = new ModelSettings(place, actions, link, connect);
      store.follow(["kernel", "models"], (state) => section.render(state));
      return section;
    },
  });
  store.follow(["kernel"], () => view.retry());
}
