/** The editor's theme, in the page's colors for light and dark. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLORS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.self], color: "var(--terminal-magenta)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--terminal-green)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--terminal-yellow)" },
  { tag: [tags.comment, tags.meta, tags.processingInstruction], color: "var(--muted)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.tagName],
    color: "var(--terminal-blue)",
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.attributeName], color: "var(--terminal-cyan)" },
  { tag: [tags.link, tags.url], color: "var(--accent)", textDecoration: "underline" },
  { tag: tags.heading, fontWeight: "650", color: "var(--terminal-blue)" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.invalid, tags.deleted], color: "var(--bad)" },
  { tag: tags.inserted, color: "var(--good)" },
]);

const APPEARANCE = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", fontSize: "0.8125rem", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--accent)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection":
    { backgroundColor: "var(--terminal-selection)" },
  ".cm-gutters": { color: "var(--muted)", backgroundColor: "var(--surface)", borderRight: "1px solid var(--line)" },
  ".cm-tests": { minWidth: "1.25rem" },
  ".cm-tests .cm-gutterElement": { color: "var(--good)", cursor: "pointer", textAlign: "center" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent-soft) 45%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--text)", backgroundColor: "var(--accent-soft)" },
  ".cm-foldPlaceholder": { color: "var(--muted)", backgroundColor: "var(--raised)", borderColor: "var(--line-strong)" },
  ".cm-specialChar": { color: "var(--bad)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  "&.cm-focused .cm-nonmatchingBracket": { color: "var(--bad)", backgroundColor: "var(--bad-soft)" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--terminal-selection)" },
  ".cm-selectionMatch": { backgroundColor: "var(--warn-soft)" },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--raised)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel:is(.cm-search, .cm-dialog)": {
    display: "flex",
    flexWrap: "wrap",
    gap: "0.25rem 0.4rem",
    alignItems: "center",
    padding: "0.4rem 2.4rem 0.4rem 0.5rem",
    fontSize: "inherit",
  },
  ".cm-panel:is(.cm-search, .cm-dialog) :is(input, button, label)": { margin: "0", fontSize: "inherit" },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search label": { display: "flex", gap: "0.25rem", alignItems: "center" },
  ".cm-panel.cm-search input[type=checkbox]": { width: "1rem", minHeight: "1rem" },
  ".cm-panel:is(.cm-search, .cm-dialog) :is([name=close], .cm-dialog-close)": {
    minWidth: "1.875rem",
    top: "0.3rem",
    right: "0.3rem",
  },
  ".cm-textfield": {
    flex: "1 1 10rem",
    maxWidth: "20rem",
    minHeight: "1.875rem",
    padding: "0 0.5rem",
    borderRadius: "6px",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    borderColor: "var(--line-strong)",
  },
  ".cm-button": {
    minHeight: "1.875rem",
    padding: "0 0.6rem",
    border: "1px solid var(--line-strong)",
    borderRadius: "6px",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    backgroundImage: "none",
    borderColor: "var(--line-strong)",
  },
  ".cm-tooltip": { color: "var(--text)", backgroundColor: "var(--raised)", borderColor: "var(--line-strong)" },
  ".cm-diagnosticAction": {
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", gap: "0.6rem", padding: "0.2rem 0.6rem" },
  ".cm-completionDetail": {
    margin: "0",
    color: "var(--muted)",
    fontStyle: "normal",
    overflow: "hidden",
    textOverflow: "ellipsis",
  },
  ".cm-tooltip-autocomplete .kind": { marginLeft: "auto", color: "var(--muted)" },
  "li[aria-selected] > :is(.cm-completionDetail, .kind)": { color: "inherit" },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "color-mix(in srgb, var(--good) 8%, transparent)" },
  ".cm-changedText": { color: "var(--text)", background: "color-mix(in srgb, var(--good) 18%, transparent)" },
  ".cm-deletedChunk": { backgroundColor: "color-mix(in srgb, var(--bad) 8%, transparent)", paddingLeft: "6px" },
  ".cm-deletedChunk .cm-deletedText": {
    color: "var(--text)",
    background: "color-mix(in srgb, var(--bad) 18%, transparent)",
  },
  ".cm-deletedChunk .cm-chunkButtons": { insetInlineEnd: "6px" },
  ".cm-collapsedLines": { color: "var(--muted)", background: "var(--raised)" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '""' },
  ".cm-chunkButtons button": {
    minHeight: "1.5rem",
    padding: "0 0.5rem",
    color: "var(--text)",
    backgroundColor: "var(--surface)",
    border: "1px solid var(--line-strong)",
  },
});

export const theme = [APPEARANCE, syntaxHighlighting(COLORS)];
