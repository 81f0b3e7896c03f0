/** The Photos panel: a grid of the user's photos, and a search in it. A separate bundle. */

import { html, nothing, render } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { ListPhotosResult } from "../../../generated/types.ts";
import type { Actions } from "../../state/actions.ts";
import { shown } from "../../consent/text.ts";
import { counted } from "../../lib/format.ts";
import { submitting, valueOf } from "../../lib/forms.ts";
import { ListPanel } from "../list_panel.ts";

type ShownPhoto = ListPhotosResult["photos"][number];

const FIRST = 60;
const MORE = 120;
const MOST = 500;

export class PhotosPanel extends ListPanel<ListPhotosResult> {
  #query = "";
  #count = FIRST;
  preview: (path: string) => unknown;

  /** @param preview - shows a file */
  constructor(actions: Actions, preview: (path: string) => unknown) {
    super("photos", { photos: [], total: 0 }, () => actions.listPhotos({ query: this.#query, count: this.#count }));
    this.preview = preview;
  }

  /** Load the photos if they can be seen; the panel loads them again when it is shown. */
  load() {
    return this.body.checkVisibility() ? super.load() : Promise.resolve();
  }

  draw() {
    const { photos, total } = this.shown;
    render(
      html`${this.#form()}
      ${
        total === 0
          ? this.#empty()
          : html`<p class="muted" id="photos-count">${counted(total, "photo")}</p>
        <ul class="photo-grid" aria-label="Photos">${repeat(
          photos,
          ({ photo }) => photo.path,
          (each) => this.#photo(each),
        )}</ul>`
      }
      ${
        photos.length < Math.min(total, MOST)
          ? html`<button type="button" id="photos-more" data-focus-next @click=${() => this.#more()}>Show more</button>`
          : total > photos.length
            ? html`<p class="muted">Search for the others.</p>`
            : nothing
      }`,
      this.body,
    );
  }

  #form() {
    const search = submitting((form) => {
      this.#query = valueOf(form, "query");
      this.#count = FIRST;
      void this.load().then(() => {
        this.announcer.textContent = `${counted(this.shown.total, "photo")} found.`;
      });
    });
    return html`<form class="photo-search" role="search" @submit=${search}>
      <label>Search photos <input type="search" id="photos-query" name="query" .value=${this.#query} autocomplete="off" data-focus-first
        aria-describedby="photos-fields" placeholder="Rome date:2026-07"></label>
      <button type="submit">Search</button>
      <p class="muted" id="photos-fields">Words, <code>date:2026-07</code>, <code>album:</code>, <code>camera:</code>,
        <code>near:48.14,11.58,10km</code></p></form>`;
  }

  #empty() {
    if (this.#query.trim()) return html`<p class="empty">No photo fits this search.</p>`;
    return html`<p class="empty">There are no photos yet. Drop pictures, a folder or a zip archive onto the Files panel.</p>`;
  }

  #photo({ photo, thumbnail }: ShownPhoto) {
    const name = photo.path.slice(photo.path.lastIndexOf("/") + 1);
    const inArchive = Boolean(photo.archive);
    const day = new Date(photo.taken.slice(0, 10)).toLocaleDateString(undefined, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
    return html`<li data-photo=${photo.path}><button type="button" ?disabled=${inArchive} @click=${() => this.preview(photo.path)}
      title=${inArchive ? `In an archive. Unzip ${photo.archive} to open it.` : `${photo.path}, ${photo.taken.replace("T", " ")}`}>
      ${
        thumbnail
          ? html`<img src=${`data:image/jpeg;base64,${thumbnail}`} alt="" loading="lazy">`
          : html`<span class="photo-missing">${photo.note ? "This browser doesn't show this format" : "It can't be shown"}</span>`
      }
      <span class="photo-name">${shown(name)}</span>
      <span class="muted">${shown(photo.album)}, ${day}</span></button></li>`;
  }

  #more() {
    this.#count = Math.min(MOST, this.#count + MORE);
    void this.load();
  }
}
