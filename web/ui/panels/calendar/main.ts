/** The Calendar panel: a week or a list of events, reminders, contacts, and the user's servers. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { repeatBy } from "../../lib/repeat_by.ts";
import type { ListContactsResult, ListWeekResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { isFailure } from "../../state/kernel_calls.ts";
import type { CompanionLink } from "../../companion/link.ts";
import { shown } from "../../consent/text.ts";
import { showProblem } from "../../lib/elements.ts";
import { counted, fullTime } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";
import type { State } from "../../state/types.ts";
import { dayName, isOn, later, monday, timesOn, today } from "./days.ts";
import { ServersView } from "./servers.ts";

type EventRow = ListWeekResult["events"][number];

type View = "week" | "list" | "contacts";

const LIST_DAYS = 31;
const VIEWS: [View, string][] = [
  ["week", "Week"],
  ["list", "List"],
  ["contacts", "Contacts"],
];

export class CalendarPanel extends ListPanel<ListWeekResult> {
  returnTo = "[data-focus-next], #calendar-next";
  #view: View = "week";
  #day = monday(today());
  #query = "";
  #contacts: ListContactsResult | null = null;
  /** The event whose buttons for one or all times are shown. */
  #asked: string | null = null;
  actions: Actions;
  servers: ServersView;

  constructor(actions: Actions, link: CompanionLink) {
    super("calendar", { events: [], reminders: [], zone: "" }, () => this.#list());
    this.actions = actions;
    this.servers = new ServersView(link, () => this.redraw());
  }

  render(state: State) {
    this.servers.follow(state.companion.state === "connected");
    super.render(state);
  }

  async #list() {
    if (this.#view === "contacts") {
      const found = await this.actions.listContacts({ query: this.#query });
      if (isFailure(found)) return found;
      this.#contacts = found;
      return this.shown;
    }
    const days = this.#view === "week" ? 7 : LIST_DAYS;
    return this.actions.listWeek({
      start: this.#day,
      end: later(this.#day, days),
      query: this.#view === "list" ? this.#query : "",
    });
  }

  draw() {
    render(
      html`${this.#bar()}
      ${this.#view === "contacts" ? this.#people() : this.#view === "week" ? this.#week() : this.#all()}
      ${this.#view === "contacts" ? nothing : html`${this.#reminders()}${this.#form()}`}
      ${this.servers.draw(this.isBlocked, () => void this.#sync())}`,
      this.body,
    );
  }

  #bar() {
    const search = submitting((form) => {
      this.#query = valueOf(form, "query");
      void this.load();
    });
    const go = (day: string) => {
      this.#day = day;
      void this.load();
    };
    const days = this.#view === "week" ? 7 : LIST_DAYS;
    return html`<div class="calendar-bar">
      <div role="group" aria-label="View">${VIEWS.map(
        ([view, label]) => html`
        <button type="button" class="quiet" data-view=${view} aria-pressed=${this.#view === view} @click=${() => this.#show(view)}>${label}</button>`,
      )}</div>
      ${
        this.#view === "contacts"
          ? nothing
          : html`<div role="group" aria-label="Time">
        <button type="button" class="quiet" id="calendar-previous" aria-label=${`Previous ${days} days`} @click=${() => go(later(this.#day, -days))}>‹</button>
        <button type="button" class="quiet" id="calendar-today" data-focus-first @click=${() => go(this.#view === "week" ? monday(today()) : today())}>Today</button>
        <button type="button" class="quiet" id="calendar-next" aria-label=${`Next ${days} days`} @click=${() => go(later(this.#day, days))}>›</button></div>`
      }
      ${
        this.#view === "week"
          ? nothing
          : html`<form role="search" @submit=${search}>
        <input type="search" id="calendar-query" name="query" .value=${this.#query} aria-label=${this.#view === "list" ? "Search events" : "Search contacts"}
          placeholder="Search" autocomplete="off"></form>`
      }</div>`;
  }

  #show(view: View) {
    this.#view = view;
    this.#query = "";
    this.#day = view === "week" ? monday(this.#day) : this.#day;
    void this.load();
  }

  #week() {
    const days = [0, 1, 2, 3, 4, 5, 6].map((offset) => later(this.#day, offset));
    const last = dayName(days[6], { day: "numeric", month: "long", year: "numeric" });
    return html`<p class="muted">${dayName(this.#day, { day: "numeric", month: "long" })} – ${last}, times in ${this.shown.zone}</p>
      <div class="calendar-week">${days.map((day) => {
        const events = this.shown.events.filter((event) => isOn(event, day));
        return html`<section aria-label=${dayName(day, { dateStyle: "full" })} data-day=${day} ?data-today=${day === today()}>
          <h3>${dayName(day)}</h3>
          <ul class="calendar-list">${repeat(events, keyOf, (event) => this.#event(event, timesOn(event, day)))}</ul></section>`;
      })}</div>`;
  }

  #all() {
    const { events } = this.shown;
    if (events.length === 0)
      return html`<p class="empty">${this.#query ? "No event has these words." : `No events in ${LIST_DAYS} days.`}</p>`;
    return html`<ul class="calendar-list" aria-label="Events">${repeat(events, keyOf, (event) =>
      this.#event(event, `${dayName(event.start.slice(0, 10))} ${timesOn(event, event.start.slice(0, 10))}`),
    )}</ul>`;
  }

  #event(event: EventRow, times: string) {
    const key = keyOf(event);
    const title = event.title || "Without a title";
    const remove = (scope: "this" | "all") =>
      this.act(
        () =>
          this.actions.removeEvent({
            uid: event.uid,
            scope,
            ...(scope === "this" ? { occurrence: event.occurrence } : {}),
          }),
        "Removed.",
      );
    const button = (
      label: string,
      name: string,
      press: () => unknown,
    ) => html`<button type="button" class="quiet" data-action="remove_event" data-focus-next aria-label=${`${name}: ${title}`}
      ?disabled=${this.isBlocked} @click=${press}>${label}</button>`;
    return html`<li data-event=${event.uid} ?data-cancelled=${event.status === "CANCELLED"}>
      <div class="calendar-text"><p><span class="muted">${times}</span> <b>${shown(title)}</b></p>
        ${event.place ? html`<p class="muted">${shown(event.place)}</p>` : nothing}</div>
      <div class="calendar-buttons">${
        event.occurrence === ""
          ? button("Remove", "Remove", () => remove("all"))
          : this.#asked === key
            ? html`${button("This time", "Remove this time", () => remove("this"))}${button("All", "Remove all times", () => remove("all"))}`
            : button("Remove…", "Remove", () => {
                this.#asked = key;
                this.redraw();
              })
      }</div></li>`;
  }

  #reminders() {
    const { reminders } = this.shown;
    if (reminders.length === 0) return nothing;
    return html`<section aria-labelledby="calendar-reminders-title"><h3 id="calendar-reminders-title">Reminders</h3>
      <ul class="calendar-list">${repeatBy(
        reminders,
        "uid",
        ({ uid, title, due }) => html`<li data-reminder=${uid}>
        <p class="calendar-text"><b>${shown(title)}</b> <span class="muted">${due === "" ? nothing : due.length === 10 ? dayName(due) : fullTime(due)}</span></p>
        <div class="calendar-buttons"><button type="button" data-action="complete_reminder" data-focus-next aria-label=${`Done: ${title}`} ?disabled=${this.isBlocked}
          @click=${() => void this.act(() => this.actions.completeReminder({ uid }), "Done.")}>Done</button></div></li>`,
      )}</ul></section>`;
  }

  #people() {
    if (this.#contacts === null) return html`<p class="empty">The contacts are loading.</p>`;
    const { contacts, total } = this.#contacts;
    if (total === 0)
      return html`<p class="empty">${this.#query ? "No contact has these words." : "There are no contacts yet."}</p>`;
    return html`<ul class="calendar-list" aria-label="Contacts">${repeatBy(
      contacts,
      "uid",
      ({ uid, name, emails, phones, organization }) => html`
      <li data-contact=${uid}><p><b>${shown(name)}</b>${organization ? html` <span class="muted">${shown(organization)}</span>` : nothing}</p>
        ${[...emails, ...phones].map((each) => html`<p class="muted">${shown(each)}</p>`)}</li>`,
    )}</ul>
      ${total > contacts.length ? html`<p class="muted">${counted(total, "contact")}. Search for the others.</p>` : nothing}`;
  }

  #form() {
    const submit = submitting((form) => void this.#add(form));
    return html`<form class="calendar-form" id="calendar-add" aria-labelledby="calendar-add-title" @submit=${submit}>
      <h3 id="calendar-add-title">Add an event</h3>
      <label>Title <input name="title" id="calendar-title-field" required maxlength="500" autocomplete="off"></label>
      <label>Day <input name="day" type="date" required .value=${this.#dayToAdd()}></label>
      <label>From <input name="from" type="time"></label>
      <label>Until <input name="until" type="time"></label>
      <label>Repeats <select name="repeats"><option value="">Never</option>${[
        "Daily",
        "Weekly",
        "Monthly",
        "Yearly",
      ].map((label) => html`<option value=${`FREQ=${label.toUpperCase()}`}>${label}</option>`)}</select></label>
      <button type="submit" class="primary" data-action="add_event" ?disabled=${this.isBlocked}>Add</button></form>`;
  }

  /** Return today if it is shown, else the first day that is. */
  #dayToAdd() {
    const days = this.#view === "week" ? 7 : LIST_DAYS;
    return this.#day <= today() && today() < later(this.#day, days) ? today() : this.#day;
  }

  async #add(form: HTMLFormElement) {
    const [day, from, until] = ["day", "from", "until"].map((field) => valueOf(form, field));
    const given = {
      title: valueOf(form, "title"),
      start: from ? `${day}T${from}` : day,
      repeats: valueOf(form, "repeats"),
      ...(from && until ? { end: `${until < from ? later(day, 1) : day}T${until}` } : {}),
    };
    const done = await this.act(() => this.actions.addEvent(given), "Added.");
    if (done !== null && !isFailure(done)) form.reset();
  }

  async #sync() {
    const done = await this.act(() => this.actions.syncCalendars(), "Synchronized.");
    if (done === null) return;
    if (isFailure(done)) showProblem(this.problem, done.error);
    else this.servers.show(done);
  }
}

function keyOf({ uid, occurrence, start }: EventRow) {
  return `${uid} ${occurrence || start}`;
}
