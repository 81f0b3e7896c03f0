/** The keys of the parts of the page, for the list of shortcuts. */

import { MOD, type Keys } from "../lib/commands.ts";

export const PAGE_KEYS: Keys[] = [
  {
    where: "Page regions",
    does: [
      ["F6", "Next region"],
      ["Shift+F6", "Previous region"],
    ],
  },
  {
    where: "Palette",
    does: [
      ["Tab", "Next mode"],
      ["Shift+Tab", "Previous mode"],
      ["↑ ↓", "Choose"],
      ["→", "Complete a path"],
      ["Enter", "Open the selected item"],
      ["Esc", "Return to the previous focus"],
    ],
  },
  {
    where: "A panel's tab",
    does: [
      ["← →", "Switch tabs"],
      ["Alt+←↑↓→", "Move the panel"],
      ["Alt+Shift+←↑↓→", "Resize the panel"],
    ],
  },
  {
    where: "Terminal",
    does: [
      ["Ctrl+C", "Interrupt the command"],
      ["Ctrl+R", "Search the history"],
      ["Tab", "Complete"],
      [`${MOD}+Shift+F`, "Find in output"],
    ],
  },
  {
    where: "Files",
    does: [
      ["Enter", "Open"],
      ["Backspace Alt+↑", "Parent folder"],
      ["F2", "Rename"],
      ["Delete", "Delete"],
      [`${MOD}+A`, "Select all"],
      ["Shift+F10", "Menu"],
    ],
  },
  {
    where: "Editor",
    does: [
      [`${MOD}+S`, "Save"],
      [`${MOD}+Enter`, "Run"],
      [`${MOD}+F`, "Find and replace"],
      [`${MOD}+Z`, "Undo"],
      ["F12", "Go to definition"],
      ["F2", "Rename everywhere"],
      ["Shift+Alt+F", "Format"],
      ["Ctrl+Space", "Complete"],
      [`${MOD}+Shift+M`, "List problems"],
      ["F8", "Next problem"],
      [`${MOD}+Alt+G`, "Go to line"],
      ["Esc Tab", "Leave the text"],
    ],
  },
  {
    where: "Python console",
    does: [
      ["Enter", "Run"],
      ["Shift+Enter", "New line"],
      ["↑ ↓", "History"],
      ["Tab Ctrl+Space", "Complete"],
      ["Esc Tab", "Leave the field"],
    ],
  },
  {
    where: "Permission dialog",
    does: [
      ["Tab", "Next answer"],
      ["Enter", "Press the answer"],
      ["Esc", "Refuse"],
    ],
  },
];
