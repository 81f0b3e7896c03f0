/** Opens the chat panel, whose bundle loads when it is first visible. */

import type { Actions } from "../../state/actions.ts";
import { commands } from "../../lib/commands.ts";
import { LazyView } from "../../lib/lazy_bundles.ts";
import type { CodeActions } from "./code_block.ts";
import type { Store } from "../../state/store.ts";

type Part = typeof import("./main.ts");

type ChatPanel = InstanceType<Part["ChatPanel"]>;

export class ChatLauncher {
  #view: LazyView<ChatPanel, Part>;
  openPanel: (id: string) => void;

  /**
   * @param connectModel - opens the dialog that connects a model
   * @param code - where the code of answers goes
   */
  constructor(
    store: Store,
    actions: Actions,
    openPanel: (id: string) => void,
    connectModel: (then: () => unknown) => unknown,
    code: CodeActions,
  ) {
    this.openPanel = openPanel;
    this.#view = new LazyView({
      id: "chat",
      create: ({ ChatPanel }: Part) => new ChatPanel(store, actions, connectModel, code),
    });
    commands.add({ id: "new-chat", title: "New chat", keywords: "ask model assistant", run: () => this.open(null) });
  }

  /**
   * Show a chat.
   * @param id - null: a new one
   */
  async open(id: string | null) {
    this.openPanel("chat");
    (await this.#view.get())?.open(id);
  }

  /** Send a text as the first message of a new chat. */
  async start(text: string) {
    this.openPanel("chat");
    return (await this.#view.get())?.start(text);
  }
}
