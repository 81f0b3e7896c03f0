/** Labels for kinds of changes. */

export const CHANGES: Record<string, string> = {
  created: "created",
  changed: "changed",
  deleted: "deleted",
  moved: "moved",
  permissions: "permissions changed",
};

export function nameOf(path: string) {
  return path.slice(path.lastIndexOf("/") + 1);
}
