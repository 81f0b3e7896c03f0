/**
 * What the person agrees to in the consent dialog counts for the companion, too, where it is about their computer. The
 * companion hears it from here: Python runs what agents send, and could say anything.
 *
 * @import { Approval, Decision, State } from "../types.js"
 * @import { CompanionLink } from "./link.js"
 */

import { askPerson } from "../question.js";

const HOST = "host";

/**
 * A terminal of the person's own computer, where the companion allows that; typing into it takes their consent first.
 *
 * @param {State} state
 * @param {CompanionLink} link
 * @param {(backend: string) => Promise<void>} create
 */
export async function openHostTerminal({ companion: { host } }, link, create) {
  if (!host?.allowed) return;
  if (!host.session) {
    const answer = await askPerson(
      "Let this page use your computer?",
      `Until you close or reload this page, it may run commands on your computer, as you, in ${host.directories.join(" and ")}. `
        + "What agents ask for there is shown to you first, as before.",
      [{ value: "refuse", label: "Refuse" }, { value: "allow", label: "Allow for this session", primary: true }],
    );
    if (answer !== "allow") return;
    await link.consent("session");
  }
  await create(HOST);
}

/**
 * @param {State} state
 * @param {CompanionLink} link
 * @param {Approval} approval
 * @param {Decision} decision
 */
export async function agreeToHost({ terminals }, link, { arguments: shown }, decision) {
  if (decision === "refuse") return;
  const given = /** @type {Record<string, any>} */ (shown ?? {});
  const opens = given.backend === HOST;
  if (!opens && terminals.find(({ id }) => id === given.terminal_id)?.backend !== HOST) return;
  if (decision === "always") await link.consent("session");
  // Exactly what stood in the dialog: a command, or keys.
  else await link.consent("once", opens ? null : String(given.command ?? given.text ?? ""));
}
