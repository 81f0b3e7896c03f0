/** Hints of errors, with a link to the document about their subject. */

/** The event of a pressed link to a document, whose `detail` is its name. Each bundle has this module, so state can't be. */
const HELP = "surface-help";
/** `docs/team.md` in a hint. */
const NAMED = /\bdocs\/([\w-]+)\.md\b/;
/** The documents about errors, by type. */
const DOCUMENTS: Record<string, string> = {
  ModelUnavailable: "models",
  ModelAway: "models",
  ModelMissing: "models",
  ModelRefused: "models",
  TicketRefused: "models",
  ContextExceeded: "models",
  AgentFileBroken: "team",
  TaskRefused: "team",
  SkillBroken: "agents",
  SkillChanged: "agents",
  PlanRefused: "agents",
  AutomationBroken: "automations",
  ScheduleUnclear: "schedules",
  ConsentNeeded: "consent",
  CrossOrigin: "browser",
  PageUnreachable: "browser",
  CompanionProblem: "companion",
  CompanionLost: "companion",
  ShellUnavailable: "shell",
  MachineLimit: "linux",
  MachineUnsaved: "linux",
  VersionGone: "history",
  EditConflict: "files",
  StorageFull: "storage",
  DatabaseDamaged: "storage",
  DatabaseNewer: "storage",
  DatabaseUnusable: "storage",
  ArchiveRefused: "storage",
  AttachmentRefused: "chat",
};

/** Return the hint of an error as an element, with a link to its document; null if it has neither. */
export function hintOf({ type = "", hint }: { type?: string; hint?: string | null }): HTMLElement | null {
  const name = NAMED.exec(hint ?? "")?.[1] ?? DOCUMENTS[type];
  if (!hint && !name) return null;
  const element = document.createElement("span");
  element.className = "hint";
  element.append(hint ?? "");
  if (name) element.append(hint ? " " : "", linkTo(name));
  return element;
}

/** Call `listener` with the name of each document whose link is pressed. */
export function onHelp(listener: (name: string) => void) {
  document.addEventListener(HELP, (event) => event instanceof CustomEvent && listener(String(event.detail)));
}

function linkTo(name: string) {
  const link = document.createElement("button");
  link.type = "button";
  link.className = "link more";
  link.ariaLabel = `More in Help: ${name}`;
  link.textContent = "More";
  link.addEventListener("click", () => document.dispatchEvent(new CustomEvent(HELP, { detail: name })));
  return link;
}
