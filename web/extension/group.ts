/** The group of tabs that the user shares, coloured and named in the browser's tab strip. */

const LOOK = { title: "gemini", color: "purple", collapsed: false };
const NO_GROUP = -1;

/** Return whether a tab of the browser is in the group. */
export async function isInGroup({ groupId }: { groupId: number }) {
  if (groupId === NO_GROUP) return false;
  const { title, color } = await chrome.tabGroups.get(groupId);
  return title === LOOK.title && color === LOOK.color;
}

export class Group {
  /** Groups by window, since a group can't span windows. */
  #groups = new Map<number, number>();

  async add(id: number) {
    const { windowId, pinned } = await chrome.tabs.get(id);
    // Pinned tabs can't be in groups.
    if (pinned) return;
    const known = this.#groups.get(windowId) ?? (await chrome.tabGroups.query({ windowId, title: LOOK.title }))[0]?.id;
    const groupId = await chrome.tabs
      .group({ tabIds: [id], ...(known === undefined ? { createProperties: { windowId } } : { groupId: known }) })
      .catch(() => chrome.tabs.group({ tabIds: [id], createProperties: { windowId } }));
    this.#groups.set(windowId, groupId);
    await chrome.tabGroups.update(groupId, LOOK);
  }

  async remove(id: number) {
    // The user may have closed it.
    const tab = await chrome.tabs.get(id).catch(() => null);
    if (tab && tab.groupId !== NO_GROUP) await chrome.tabs.ungroup([id]);
  }
}
